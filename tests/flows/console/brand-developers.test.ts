// docs/brand-developers.md and contract operations.md §5: a developer of a brand is invited by mail, signs in by the
// link, and manages the keys of one client.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { enrolApp, Visitor } from "../../support/builders/second-factor.ts";
import { startMailSink } from "../../support/mail/sink.ts";

const sink = await startMailSink();
const server = await testServer({
  CROSSDOCK_SMTP_URL: sink.url,
  CROSSDOCK_MAIL_FROM: "Crossdock <console@crossdock.example>",
  CROSSDOCK_SECOND_FACTOR: "developer",
  CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1",
});
await server.onboard("ALPHA");
await server.onboard("BETA");
const admin = await signIn(server, "admin");
const password = "lantern-orbit-velvet-quarry";

const linkPattern = /\S+\/console\/invitation#([\w-]{43})(?!\S)/;

/** The secret of the link in the newest mail. */
async function mailedToken(mails: number): Promise<string> {
  const mail = (await sink.arrived(mails)).at(-1);
  const [link = "", token = ""] = linkPattern.exec(mail?.text ?? "") ?? [];
  assert.ok(mail?.html.includes(link) && link.startsWith(server.url), mail?.text ?? "no mail");
  return token;
}

const audited = (objectType: string, objectId: string) =>
  server.rows<{ line: string; detail: Record<string, unknown> }>(
    `select action || ' by ' || actor as line, detail from audit_log
      where client_id = '' and object_type = $1 and object_id = $2 order by audit_id limit 100`,
    objectType,
    objectId,
  );

test("a developer is invited by mail, signs in, issues a key, and the revoked key is refused", async () => {
  const address = "greta@brand.example";
  const invited = await admin.post("/invitation/create", { clientId: "ALPHA", address });
  assert.equal(invited.status, 201, JSON.stringify(invited.body));
  const { invitation, link } = invited.body;
  assert.equal(link, null);
  assert.ok(invitation.mailedAt);
  assert.equal(Date.parse(invitation.expiresAt) - Date.parse(invitation.invitedAt), 3 * dayMs);
  const token = await mailedToken(1);
  const mail = sink.mails[0];
  assert.deepEqual(mail?.to, [address]);
  assert.match(mail?.headers.get("subject") ?? "", /Invitation to the console for .*ALPHA/);
  const everything = JSON.stringify(await server.rows("select * from console_invitation"));
  assert.ok(!everything.includes(token), "only the hash of the link is stored");

  const greta = new Visitor(server.url);
  const opened = await greta.post("/invitation/open", { token });
  assert.deepEqual([opened.status, opened.body.clientId, opened.body.address], [200, "ALPHA", address]);
  for (const [wrong, field] of [
    [{ password: "short" }, "password"],
    [{ password: "greta-and-more-words" }, "password"],
    [{ userName: admin.userName }, "userName"],
  ] as const) {
    const refused = await greta.post("/invitation/accept", { token, userName: "greta", password, ...wrong });
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, `#/${field}`]);
  }
  const accepted = await greta.post("/invitation/accept", { token, userName: "greta", password });
  assert.equal(accepted.status, 201, JSON.stringify(accepted.body));
  for (const path of ["/invitation/open", "/invitation/accept"]) {
    const again = await greta.post(path, path.endsWith("open") ? { token } : { token, userName: "other", password });
    assert.equal(again.status, 404, `a used link: ${path}`);
  }
  assert.deepEqual((await admin.get("/invitation/list")).body.items, []);

  // The policy of the role asks for a second factor at the first sign-in.
  assert.equal((await greta.signIn("greta", password)).body.type, "/problems/step-missing");
  assert.equal((await greta.get("/clientDirectory/get/ALPHA")).status, 401);
  await enrolApp(greta);
  const session = await greta.get("/session/get");
  assert.deepEqual([session.body.role, session.body.clientIds], ["developer", ["ALPHA"]]);

  const issued = await greta.post("/credential/issue", { clientId: "ALPHA", kind: "feed" });
  assert.equal(issued.status, 200, JSON.stringify(issued.body));
  const { credentialId, feed } = issued.body;
  const use = () => fetch(`${server.url}/feeds/ALPHA/outbound`, { headers: { "x-api-key": feed.apiKey } });
  assert.equal((await use()).status, 200);
  assert.equal((await greta.post("/credential/issue", { clientId: "BETA", kind: "feed" })).status, 403);
  const revoked = await greta.post(`/credential/revoke/${credentialId}`);
  assert.equal(revoked.status, 200, JSON.stringify(revoked.body));
  // A notice tells the nodes, after the commit.
  await until("the revoked key is refused", async () => (await use()).status === 401);

  const { invitationId } = invitation;
  const [made, ...later] = await audited("user", "greta");
  assert.equal(made?.line, "create by user:greta");
  assert.deepEqual(made?.detail, { role: "developer", clientIds: ["ALPHA"], invitationId, invitedBy: admin.userName });
  assert.ok(later.some(({ line }) => line === "sign-in by user:greta"));
  assert.deepEqual(await audited("invitation", invitationId), [
    { line: `invite by user:${admin.userName}`, detail: { role: "developer", clientId: "ALPHA" } },
  ]);
  const ofKey = await server.rows<{ line: string }>(
    `select action || ' by ' || actor as line from audit_log
      where client_id = 'ALPHA' and object_id = $1 order by audit_id limit 10`,
    credentialId,
  );
  assert.deepEqual(ofKey, [{ line: "issue by user:greta" }, { line: "revoke by user:greta" }]);
  const log = JSON.stringify(await server.rows("select * from audit_log"));
  assert.ok(!log.includes(address) && !log.includes(token), "the audit log has neither the address nor the link");
});

test("an invitation is sent again and withdrawn; a replaced, withdrawn or expired link is refused", async () => {
  const sent = sink.mails.length;
  const body = { clientId: "ALPHA", address: "emil@brand.example" };
  const { invitationId } = (await admin.post("/invitation/create", body)).body.invitation;
  const first = await mailedToken(sent + 1);
  const twice = await admin.post("/invitation/create", { ...body, address: "Emil@brand.example" });
  assert.equal(twice.status, 409);
  assert.equal((await admin.post("/invitation/create", { ...body, clientId: "BETA" })).status, 201);
  const again = await admin.post(`/invitation/resend/${invitationId}`);
  assert.deepEqual([again.status, again.body.link], [200, null]);
  const second = await mailedToken(sent + 3);
  const emil = new Visitor(server.url);
  const isOpen = async (token: string) => (await emil.post("/invitation/open", { token })).status === 200;
  assert.deepEqual([await isOpen(first), await isOpen(second)], [false, true]);

  await server.rows("update console_invitation set expires_at = now() where invitation_id = $1", invitationId);
  assert.equal(await isOpen(second), false);
  const accepted = await emil.post("/invitation/accept", { token: second, userName: "emil", password });
  assert.equal(accepted.status, 404);
  const listed = (await admin.get("/invitation/list")).body.items as { invitationId: string }[];
  assert.equal(listed.length, 2, "an expired one can be sent again");
  await admin.post(`/invitation/resend/${invitationId}`);
  const third = await mailedToken(sent + 4);
  assert.equal(await isOpen(third), true);
  for (const status of [204, 404]) {
    assert.equal((await admin.delete(`/invitation/delete/${invitationId}`)).status, status);
  }
  assert.equal(await isOpen(third), false);
  assert.equal((await admin.post(`/invitation/resend/${invitationId}`)).status, 404);
  assert.deepEqual(
    (await audited("invitation", invitationId)).map(({ line }) => line.split(" ")[0]),
    ["invite", "resend", "resend", "withdraw"],
  );
});

test("where the mail server refuses the mail, the inviting admin gets the link, once", async () => {
  sink.answer = "550 no such user";
  const { status, body } = await admin.post("/invitation/create", { clientId: "BETA", address: "ida@brand.example" });
  sink.answer = undefined;
  assert.equal(status, 201, JSON.stringify(body));
  assert.match(body.invitation.mailError, /550/);
  const [, token = ""] = linkPattern.exec(body.link) ?? [];
  const listed = JSON.stringify((await admin.get("/invitation/list")).body);
  assert.ok(listed.includes("550") && !listed.includes(token));
  const ida = new Visitor(server.url);
  const uses = await Promise.all(
    ["ida1", "ida2"].map((userName) => ida.copy().post("/invitation/accept", { token, userName, password })),
  );
  assert.deepEqual(uses.map((use) => use.status).sort(), [201, 404], "two uses at once");
});

test("what cannot be invited is refused by name", async () => {
  for (const [body, field] of [
    [{ clientId: "NOBODY", address: "a@brand.example" }, "clientId"],
    [{ clientId: "ALPHA", address: "a@b, c@d" }, "address"],
  ] as const) {
    const refused = await admin.post("/invitation/create", body);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, `#/${field}`]);
  }
  for (const limited of [await signIn(server, "operator"), await signIn(server, "admin", { clientIds: ["ALPHA"] })]) {
    assert.equal((await limited.get("/invitation/list")).status, 403);
  }
});
