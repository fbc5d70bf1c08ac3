// contract operations.md §5: a second factor in addition to the password: authenticator apps, recovery codes, by role
// (decision 0039).
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeUser } from "#/console-api/index.ts";
import { commandLine } from "../../support/app/cli.ts";
import { type ConsoleAnswer, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import {
  Authenticator,
  enrolApp,
  type Member,
  makeMember,
  memberWithApp,
  nextStep,
  Visitor,
} from "../../support/builders/second-factor.ts";
import { exampleRequest, listPublishedOperations, urlOf } from "../../support/http/published-operations.ts";

// This machine is the proxy: each visitor has a separate address.
const server = await testServer({ CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1" });
await server.onboard("ALPHA");
const admin = await signIn(server, "admin");
const strict = await server.startNode({ CROSSDOCK_SECOND_FACTOR: "operator,admin" });
const crossdock = commandLine(server);

function assertProblem({ status, body }: ConsoleAnswer, wanted: number, code: string): void {
  assert.deepEqual([status, body.type], [wanted, `/problems/${code}`], JSON.stringify(body));
}

async function audited(userName: string): Promise<unknown[]> {
  const rows = await server.rows<{ actor: string; action: string; detail: object }>(
    "select actor, action, detail from audit_log where client_id = '' and object_type = 'user' and object_id = $1 order by audit_id limit 100",
    userName,
  );
  return rows.map(({ actor, action, detail }) => [actor, action, detail]);
}

/** Name and password of a member are right; the second step is missing. */
async function begin(member: Pick<Member, "userName" | "password">, url = server.url): Promise<Visitor> {
  const visitor = new Visitor(url);
  assertProblem(await visitor.signIn(member.userName, member.password), 401, "step-missing");
  return visitor;
}

async function refusalsOf(userName: string): Promise<unknown[]> {
  const { items } = (await admin.get(`/user/refusals?userName=${userName}`)).body;
  return items.map(({ reason, refusals }: { reason: string; refusals: number }) => [reason, refusals]);
}

/** Operations that require a session. */
const guarded = listPublishedOperations().filter(({ document, leastRole }) => document === "operator" && leastRole);

/**
 * Sends every operation as a visitor whose sign-in is incomplete, except the operations that are open to such a
 * visitor.
 */
async function walk(visitor: Visitor, open: readonly string[]): Promise<void> {
  const before = await visitor.get("/session/step");
  assert.equal(before.status, 200);
  let walked = 0;
  for (const operation of guarded) {
    if (open.includes(operation.operationId)) continue;
    walked++;
    const request = exampleRequest(operation, "ALPHA");
    const path = urlOf("", operation, request).replace("/v1/operatorService", "");
    const answer = await visitor.send(operation.method, path, request.body);
    assertProblem(answer, 401, "session-missing");
  }
  assert.equal(walked, guarded.length - open.length);
  assert.deepEqual((await visitor.get("/session/step")).body, before.body);
}

test("a user enrols an app, and from then on the password alone opens nothing", async () => {
  const { password } = await makeMember(server, "anna");
  const visitor = new Visitor(server.url);
  const elsewhere = new Visitor(server.url);
  for (const browser of [visitor, elsewhere]) assert.equal((await browser.signIn("anna", password)).status, 201);
  assert.deepEqual((await visitor.get("/factor/list")).body, {
    items: [],
    recoveryCodesLeft: 0,
    isRequired: false,
    isProofRecent: true,
    passkeyOrigin: `http://localhost:${new URL(server.url).port}`,
  });
  const { body: begun } = await visitor.post("/factor/beginTotp");
  const secret = begun.secret;
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.equal(begun.address, `otpauth://totp/Crossdock%20sandbox:anna?secret=${secret}&issuer=Crossdock%20sandbox`);
  assert.ok(begun.qrCode.size >= 21 && begun.qrCode.path.startsWith("M0 0h1v1h-1z"));
  const app = new Authenticator(secret);
  const wrong = await visitor.post("/factor/confirmTotp", { setup: begun.setup, code: app.wrongCode() });
  assertProblem(wrong, 422, "unprocessable");
  assert.deepEqual((await visitor.get("/factor/list")).body.items, [], "nothing is kept of what was not confirmed");
  const confirmed = await visitor.post("/factor/confirmTotp", { setup: begun.setup, code: app.code() });
  assert.equal(confirmed.status, 200);
  assert.equal(confirmed.body.session, null);
  assert.equal(new Set(confirmed.body.recoveryCodes).size, 10);
  for (const code of confirmed.body.recoveryCodes)
    assert.match(code, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
  assert.ok(await visitor.isIn(), "the session goes on");
  assert.ok(!(await elsewhere.isIn()), "those without a second step end");
  const { items, recoveryCodesLeft } = (await visitor.get("/factor/list")).body;
  assert.deepEqual(
    items.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
    [["TOTP", "Authenticator app"]],
  );
  assert.equal(recoveryCodesLeft, 10);

  const pending = await begin({ userName: "anna", password });
  const step = (await pending.get("/session/step")).body;
  assert.deepEqual([step.step, step.methods], ["FACTOR", ["TOTP", "RECOVERY_CODE"]]);
  assert.ok(Date.parse(step.expiresAt) - Date.now() <= 5 * 60_000);
  const taken = pending.copy();
  const proved = await pending.post("/session/prove", { code: app.code(1) });
  assert.equal(proved.status, 200, JSON.stringify(proved.body));
  assert.equal(proved.body.userName, "anna");
  assert.notEqual(pending.cookie, taken.cookie, "the session has a new id");
  assert.ok((await pending.isIn()) && !(await taken.isIn()));
  assertProblem(await taken.get("/session/step"), 401, "session-ended");
  const by = { by: "password" };
  assert.deepEqual((await audited("anna")).slice(1), [
    ...[
      ["user:anna", "sign-in", by],
      ["user:anna", "sign-in", by],
    ],
    ["user:anna", "add-factor", { kind: "TOTP", name: "Authenticator app" }],
    ["user:anna", "sign-in", { by: "password", factor: "TOTP" }],
  ]);
  const [row] = await server.rows<{ text: string }>("select (f.*)::text as text from console_factor f limit 1");
  const raw = Buffer.from(app.secret).toString("base64");
  assert.ok(row && !row.text.includes(secret) && !row.text.includes(raw), "the secret is sealed");
  const lines = server.logged.join("\n");
  assert.ok(!lines.includes(secret) && !lines.includes(confirmed.body.recoveryCodes[0]));
});

test("a sign-in that waits for its second step opens no operation but that step", async () => {
  const member = await memberWithApp(server, "berta", "admin");
  const pending = await begin(member);
  await walk(pending, ["getSignInStep", "proveUser", "challengePasskey", "deleteSession"]);
  assert.equal(
    (await fetch(`${server.url}/v1/operatorService/session/get`, { headers: { cookie: pending.cookie } })).status,
    401,
  );
  assert.equal((await pending.send("DELETE", "/session/delete")).status, 204);
  assertProblem(await pending.get("/session/step"), 401, "session-missing");
});

test("the second step needs the same origin and the CSRF token of its sign-in", async () => {
  const member = await memberWithApp(server, "bella");
  await nextStep(server, member);
  const pending = await begin(member);
  const proof = { code: member.app.code() };
  assertProblem(await pending.post("/session/prove", proof, { "sec-fetch-site": "cross-site" }), 403, "csrf-refused");
  assertProblem(await pending.post("/session/prove", proof, { origin: "https://evil.example" }), 403, "csrf-refused");
  assertProblem(await pending.post("/session/prove", proof, { "x-csrf-token": "x" }), 403, "csrf-refused");
  assert.equal((await pending.post("/session/prove", proof)).status, 200);
});

test("a code is accepted once: not again, not an earlier one, and one of many concurrent ones", async () => {
  const member = await memberWithApp(server, "clara");
  await nextStep(server, member);
  const first = await begin(member);
  const { app } = member;
  const code = app.code();
  assert.equal((await first.post("/session/prove", { code })).status, 200);
  const second = await begin(member);
  for (const used of [code, app.code(-1)]) {
    const refused = await second.post("/session/prove", { code: used });
    assertProblem(refused, 422, "unprocessable");
    assert.equal(refused.body.errors[0].pointer, "#/code");
  }
  const many = await Promise.all([1, 2, 3, 4, 5].map(() => begin(member)));
  const next = app.code(1);
  const answers = await Promise.all(many.map((session) => session.post("/session/prove", { code: next })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422]);
  assert.deepEqual(await refusalsOf("clara"), [["SECOND_FACTOR", 6]]);
});

test("after ten attempts the user gets 429 from every address, also with the right code; another user does not", async () => {
  const member = await memberWithApp(server, "dora");
  const other = await memberWithApp(server, "dorothea");
  await nextStep(server, member);
  await nextStep(server, other);
  const pending = await begin(member);
  const wrong = member.app.wrongCode();
  for (let i = 0; i < 10; i++) assert.equal((await pending.post("/session/prove", { code: wrong })).status, 422);
  const stopped = await (await begin(member)).post("/session/prove", { code: member.app.code() });
  assertProblem(stopped, 429, "rate-limited");
  assert.ok(Number(stopped.headers.get("retry-after")) > 0);
  assertProblem(await pending.post("/session/prove", { recoveryCode: member.recoveryCodes[0] }), 429, "rate-limited");
  assert.equal((await (await begin(other)).post("/session/prove", { code: other.app.code() })).status, 200);
  assert.deepEqual(await refusalsOf("dora"), [["SECOND_FACTOR", 10]]);
});

test("after a hundred wrong codes no code is accepted until the user proves the identity otherwise", async () => {
  const member = await memberWithApp(server, "dina");
  await server.rows("update console_factor set last_step = 0, wrong_codes = 98 where user_name = 'dina'");
  const pending = await begin(member);
  for (let i = 0; i < 2; i++)
    assertProblem(await pending.post("/session/prove", { code: member.app.wrongCode() }), 422, "unprocessable");
  const closed = await pending.post("/session/prove", { code: member.app.code() });
  assertProblem(closed, 422, "unprocessable");
  assert.match(closed.body.detail, /after 100 wrong ones/);
  assert.equal((await pending.post("/session/prove", { recoveryCode: member.recoveryCodes[0] })).status, 200);
  assert.equal((await (await begin(member)).post("/session/prove", { code: member.app.code() })).status, 200);
});

test("the right code resets the count of wrong ones", async () => {
  const member = await memberWithApp(server, "dalia");
  await server.rows("update console_factor set last_step = 0, wrong_codes = 99 where user_name = 'dalia'");
  assert.equal((await (await begin(member)).post("/session/prove", { code: member.app.code() })).status, 200);
  const pending = await begin(member);
  assertProblem(await pending.post("/session/prove", { code: member.app.wrongCode() }), 422, "unprocessable");
  assert.equal((await pending.post("/session/prove", { code: member.app.code(1) })).status, 200);
});

test("a recovery code is good once, however it is typed; new ones void those before", async () => {
  const member = await memberWithApp(server, "emma");
  const [first = "", second = ""] = member.recoveryCodes;
  const typed = ` ${first.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l")} `;
  const visitor = await begin(member);
  assert.equal((await visitor.post("/session/prove", { recoveryCode: typed })).status, 200);
  assert.equal((await visitor.get("/factor/list")).body.recoveryCodesLeft, 9);
  const again = await begin(member);
  assertProblem(await again.post("/session/prove", { recoveryCode: first }), 422, "unprocessable");
  const both = await Promise.all([begin(member), begin(member)]);
  const raced = await Promise.all(both.map((session) => session.post("/session/prove", { recoveryCode: second })));
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 422]);
  const renewed = await visitor.post("/factor/renewRecoveryCodes");
  assert.equal(renewed.status, 200);
  assert.equal(renewed.body.recoveryCodes.length, 10);
  assertProblem(await again.post("/session/prove", { recoveryCode: member.recoveryCodes[5] }), 422, "unprocessable");
  assert.equal((await again.post("/session/prove", { recoveryCode: renewed.body.recoveryCodes[5] })).status, 200);
  const [rows] = await server.rows<{ text: string }>(
    "select string_agg((c.*)::text, ' ') as text from console_recovery_code c",
  );
  assert.ok(!member.recoveryCodes.some((code) => rows?.text.includes(code)));
  const actions = (await audited("emma")).map((line) => (line as unknown[])[1]);
  assert.equal(actions.filter((action) => action === "use-recovery-code").length, 3);
  assert.ok(actions.includes("renew-recovery-codes"));
});

test("a recovery code of another user is refused", async () => {
  const mine = await memberWithApp(server, "eva");
  const other = await memberWithApp(server, "evita");
  const pending = await begin(mine);
  assertProblem(await pending.post("/session/prove", { recoveryCode: other.recoveryCodes[0] }), 422, "unprocessable");
  assertProblem(await pending.post("/session/prove", { code: other.app.code(1) }), 422, "unprocessable");
});

test("the second step is waited for five minutes", async () => {
  const member = await memberWithApp(server, "fanny");
  await nextStep(server, member);
  const pending = await begin(member);
  const [row] = await server.rows<{ minutes: number }>(
    "select round(extract(epoch from expires_at - started_at) / 60) as minutes from console_session where user_name = 'fanny' and step = 'FACTOR'",
  );
  assert.equal(Number(row?.minutes), 5);
  await server.rows(
    "update console_session set expires_at = now() - interval '1 second' where user_name = 'fanny' and step = 'FACTOR'",
  );
  assertProblem(await pending.post("/session/prove", { code: member.app.code() }), 401, "session-ended");
});

test("a user who is suspended or gets a new password between the steps cannot sign in", async () => {
  for (const [userName, end] of [
    [
      "gerda",
      (member: Member) =>
        server.operate((tx, change) => changeUser(tx, change, member.userName, { isSuspended: true })),
    ],
    ["gesa", (member: Member) => admin.post(`/user/resetPassword/${member.userName}`)],
  ] as const) {
    const member = await memberWithApp(server, userName);
    await nextStep(server, member);
    const pending = await begin(member);
    await end(member);
    assertProblem(await pending.post("/session/prove", { code: member.app.code() }), 401, "session-ended");
  }
});

test("a new password leaves the factors as they are", async () => {
  const member = await memberWithApp(server, "grete");
  const reset = await admin.post("/user/resetPassword/grete");
  const pending = await begin({ userName: "grete", password: reset.body.password });
  assert.equal((await pending.post("/session/prove", { code: member.app.code(1) })).status, 200);
});

test("ten minutes after the last proof every change takes one again: the factor, and not the password alone", async () => {
  const member = await memberWithApp(server, "hanna");
  const { visitor } = member;
  await nextStep(server, member);
  const [{ factorId }] = (await visitor.get("/factor/list")).body.items;
  const changes = [
    ["POST", "/factor/beginTotp", undefined],
    ["POST", "/factor/confirmTotp", { setup: "x", code: "123456" }],
    ["POST", `/factor/rename/${factorId}`, { name: "Mine" }],
    ["DELETE", `/factor/delete/${factorId}`, undefined],
    ["POST", "/factor/renewRecoveryCodes", undefined],
  ] as const;
  await server.rows(
    "update console_session set authenticated_at = now() - interval '601 seconds' where user_name = 'hanna'",
  );
  for (const [method, path, body] of changes)
    assertProblem(await visitor.send(method, path, body), 403, "proof-required");
  assert.equal((await visitor.get("/factor/list")).body.isProofRecent, false);
  const step = (await visitor.get("/session/step")).body;
  assert.deepEqual([step.step, step.methods], ["DONE", ["TOTP", "RECOVERY_CODE"]]);
  const byPassword = await visitor.post("/session/prove", { password: member.password });
  assertProblem(byPassword, 422, "unprocessable");
  assertProblem(await visitor.send("POST", `/factor/rename/${factorId}`, { name: "Mine" }), 403, "proof-required");
  assertProblem(await visitor.post("/session/prove", { code: member.app.wrongCode() }), 422, "unprocessable");
  assert.ok(await visitor.isIn(), "a wrong code ends no session");
  const before = visitor.cookie;
  assert.equal((await visitor.post("/session/prove", { code: member.app.code() })).status, 200);
  assert.equal(visitor.cookie, before);
  assert.equal((await visitor.send("POST", `/factor/rename/${factorId}`, { name: " Mine " })).body.name, "Mine");
  assertProblem(
    await visitor.send("POST", "/factor/rename/019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11", { name: "Mine" }),
    404,
    "not-found",
  );
});

test("a user without a factor proves the identity by the password, with the limit of a sign-in", async () => {
  const { password } = await makeMember(server, "helga");
  const visitor = new Visitor(server.url);
  await visitor.signIn("helga", password);
  await server.rows(
    "update console_session set authenticated_at = now() - interval '1 hour' where user_name = 'helga'",
  );
  assertProblem(await visitor.post("/factor/beginTotp"), 403, "proof-required");
  assert.deepEqual((await visitor.get("/session/step")).body.methods, ["PASSWORD"]);
  assertProblem(await visitor.post("/session/prove", { code: "123456" }), 422, "unprocessable");
  assertProblem(await visitor.post("/session/prove", { password: "wrong" }), 422, "unprocessable");
  assertProblem(await visitor.post("/session/prove", { password, code: "123456" }), 400, "invalid-request");
  assert.equal((await visitor.post("/session/prove", { password })).status, 200);
  assert.equal((await visitor.post("/factor/beginTotp")).status, 200);
  assertProblem(await visitor.post("/factor/renewRecoveryCodes"), 409, "conflict");
  for (let i = 0; i < 7; i++) await visitor.post("/session/prove", { password: "wrong" });
  assertProblem(await visitor.post("/session/prove", { password }), 429, "rate-limited");
});

test("a setup belongs to its user, and is valid for fifteen minutes", async () => {
  const { password } = await makeMember(server, "irma");
  const visitor = new Visitor(server.url);
  await visitor.signIn("irma", password);
  const { visitor: stranger } = await memberWithApp(server, "ivan");
  const { setup, secret } = (await stranger.post("/factor/beginTotp")).body;
  const foreign = await visitor.post("/factor/confirmTotp", { setup, code: new Authenticator(secret).code() });
  assertProblem(foreign, 422, "unprocessable");
  assert.equal(foreign.body.errors[0].pointer, "#/setup");
  assertProblem(await visitor.post("/factor/confirmTotp", { setup: "v1.x.y", code: "123456" }), 422, "unprocessable");
});

test("another app takes the place of the one before, and brings no new recovery codes", async () => {
  const member = await memberWithApp(server, "jana");
  const { app, recoveryCodes } = await enrolApp(member.visitor);
  assert.equal(recoveryCodes, null);
  assert.equal((await member.visitor.get("/factor/list")).body.items.length, 1);
  const pending = await begin(member);
  assertProblem(await pending.post("/session/prove", { code: member.app.code(1) }), 422, "unprocessable");
  assert.equal((await pending.post("/session/prove", { code: app.code(1) })).status, 200);
});

test("with the last factor the recovery codes go, and the password is enough again", async () => {
  const { visitor, userName, password } = await memberWithApp(server, "karla");
  const [{ factorId }] = (await visitor.get("/factor/list")).body.items;
  assert.equal((await visitor.send("DELETE", `/factor/delete/${factorId}`)).status, 204);
  assertProblem(await visitor.send("DELETE", `/factor/delete/${factorId}`), 404, "not-found");
  assert.equal((await visitor.get("/factor/list")).body.recoveryCodesLeft, 0);
  assert.equal((await new Visitor(server.url).signIn(userName, password)).status, 201);
});

test("a factor of another user is unknown", async () => {
  const mine = await memberWithApp(server, "lara");
  const other = await memberWithApp(server, "lena");
  const [{ factorId }] = (await other.visitor.get("/factor/list")).body.items;
  assertProblem(await mine.visitor.send("DELETE", `/factor/delete/${factorId}`), 404, "not-found");
  assertProblem(await mine.visitor.send("POST", `/factor/rename/${factorId}`, { name: "Mine" }), 404, "not-found");
  const [factor] = (await other.visitor.get("/factor/list")).body.items;
  assert.deepEqual([factor.factorId, factor.name], [factorId, "Authenticator app"]);
});

test("a role that takes a second factor leads to enrolment, and to nothing else until it is done", async () => {
  const member = await makeMember(server, "maria");
  const pending = await begin(member, strict.url);
  const step = (await pending.get("/session/step")).body;
  assert.deepEqual([step.step, step.methods], ["ENROLMENT", []]);
  const open = [
    "getSignInStep",
    "deleteSession",
    "listOwnFactors",
    "beginTotp",
    "confirmTotp",
    "beginPasskey",
    "confirmPasskey",
  ];
  await walk(pending, open);
  assert.equal((await pending.get("/factor/list")).body.isRequired, true);
  const before = pending.copy();
  const { app, recoveryCodes } = await enrolApp(pending);
  assert.equal(recoveryCodes.length, 10);
  assert.ok((await pending.isIn()) && !(await before.isIn()));
  assert.deepEqual((await audited("maria")).slice(-2), [
    ["user:maria", "add-factor", { kind: "TOTP", name: "Authenticator app" }],
    ["user:maria", "sign-in", { by: "password", factor: "TOTP" }],
  ]);
  const [{ factorId }] = (await pending.get("/factor/list")).body.items;
  assertProblem(await pending.send("DELETE", `/factor/delete/${factorId}`), 409, "conflict");
  const again = await begin(member, strict.url);
  assert.equal((await again.post("/session/prove", { code: app.code(1) })).status, 200);
});

test("a role that is not named needs none", async () => {
  const { password } = await makeMember(server, "vera", "viewer");
  assert.equal((await new Visitor(strict.url).signIn("vera", password)).status, 201);
});

test("a session without a second step ends where the role takes one, or the user has one, wherever it was opened", async () => {
  const { password } = await makeMember(server, "nora");
  const visitor = new Visitor(server.url);
  await visitor.signIn("nora", password);
  const there = Object.assign(new Visitor(strict.url), { cookie: visitor.cookie });
  assertProblem(await there.get("/session/get"), 401, "session-ended");
  assert.ok(await visitor.isIn());
  // A session as a release without second factors creates it.
  const member = await memberWithApp(server, "nina");
  await server.rows("update console_session set factor = null, authenticated_at = null where user_name = 'nina'");
  assertProblem(await member.visitor.get("/session/get"), 401, "session-ended");
});

test("releases before take a sign-in that waits for its second step for a session that has ended", async () => {
  const member = await memberWithApp(server, "nele");
  await begin(member);
  const rows = await server.rows<{ step: string; is_known: boolean }>(
    `select s.step, u.access_version = s.access_version as is_known
     from console_session s join console_user u on u.user_name = s.user_name where u.user_name = 'nele' order by s.step`,
  );
  assert.deepEqual(rows, [
    { step: "DONE", is_known: true },
    { step: "FACTOR", is_known: false },
  ]);
});

test("an admin resets another's factors: the sessions end, and the password is enough to enrol again", async () => {
  const member = await memberWithApp(server, "olga");
  const reset = await admin.post("/user/resetFactors/OLGA");
  assert.equal(reset.status, 200, JSON.stringify(reset.body));
  assert.equal(reset.body.userName, "olga");
  assert.ok(!(await member.visitor.isIn()));
  assert.deepEqual((await audited("olga")).at(-1), [`user:${admin.userName}`, "reset-factors", { factors: ["TOTP"] }]);
  assert.equal((await new Visitor(server.url).signIn("olga", member.password)).status, 201);
  const [left] = await server.rows("select 1 from console_recovery_code where user_name = 'olga' limit 1");
  assert.equal(left, undefined);
});

test("who may not reset factors: an operator, an admin with limits, and any admin one's own", async () => {
  const member = await memberWithApp(server, "paula");
  for (const user of [await signIn(server, "operator"), await signIn(server, "admin", { clientIds: ["ALPHA"] })]) {
    assert.equal((await user.post("/user/resetFactors/paula")).status, 403);
  }
  assertProblem(await admin.post(`/user/resetFactors/${admin.userName}`), 409, "conflict");
  assertProblem(await admin.post("/user/resetFactors/nobody"), 404, "not-found");
  assert.ok(await member.visitor.isIn());
});

test("the command line resets factors too", async () => {
  const member = await memberWithApp(server, "rosa", "admin");
  const { code, stdout, stderr } = await crossdock(["user", "reset-factors", "rosa"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /User rosa no longer has a second factor\./);
  assert.ok(!(await member.visitor.isIn()));
  assert.equal((await new Visitor(server.url).signIn("rosa", member.password)).status, 201);
  assert.equal((await crossdock(["user", "reset-factors", "nobody"])).code, 1);
});

test("who signs in by an identity provider has no factor here", async () => {
  const user = await signIn(server, "viewer");
  const provided = await server.startNode({
    CROSSDOCK_OIDC_ISSUER: "http://login.example/",
    CROSSDOCK_OIDC_CLIENT_ID: "crossdock",
    CROSSDOCK_SECOND_FACTOR: "all",
    CROSSDOCK_OIDC_ACCESS: '[{"group":"staff","role":"viewer"}]',
  });
  await server.rows(
    "update console_user set identity_issuer = 'http://login.example/', identity_subject = 'x' where user_name = $1",
    user.userName,
  );
  const visitor = Object.assign(new Visitor(provided.url), { cookie: user.cookie, csrfToken: user.csrfToken });
  assert.ok(await visitor.isIn(), "the second factor is the provider's");
  assert.deepEqual((await visitor.get("/session/step")).body.methods, []);
  assertProblem(await visitor.post("/factor/beginTotp"), 409, "conflict");
  assertProblem(await visitor.post("/factor/confirmTotp", { setup: "x", code: "123456" }), 409, "conflict");
  assertProblem(await visitor.post("/session/prove", { password: user.password }), 409, "conflict");
  assertProblem(await admin.post(`/user/resetFactors/${user.userName}`), 409, "conflict");
});
