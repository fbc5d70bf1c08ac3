// operations.md §2, §5: the console manages clients and their credentials through the services of the command line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "#/kernel/values/ids.ts";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const admin = await signIn(server, "admin");
const anna = await signIn(server, "operator");
const viewer = await signIn(server, "viewer");
const limited = await signIn(server, "admin", { clientIds: ["DEMO"] });

const sendsFeeds = async (clientId: string, apiKey: string) => {
  const response = await fetch(`${server.url}/feeds/${clientId}/CAT`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/xml" },
    body: catalogue(clientId, ["TEE"], new Date().toISOString()),
  });
  return response.status;
};

test("a client is onboarded with one valid credential of each kind", async () => {
  const made = await admin.post("/clientDirectory/create", {
    clientId: "ACME",
    name: "Acme Outdoor",
    facilities: ["DC2", "DC1"],
    settings: { outboundEmailList: "ops@acme.example", backorder: "SHIP_AND_WAIT" },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { clientId, feed, oauth, sftp } = made.body;
  assert.deepEqual(Object.keys(made.body), ["clientId", "feed", "oauth", "sftp"]);
  assert.equal(clientId, "ACME");
  assert.equal(sftp.username, "acme");
  assert.match(feed.apiKey, /^cd_sandbox_/);
  assert.equal(await sendsFeeds("ACME", feed.apiKey), 200);
  assert.ok(await accessTokenOf(server.url, oauth));

  const { status, body } = await viewer.get("/clientDirectory/get/ACME");
  assert.equal(status, 200);
  assert.deepEqual(body.facilities, ["DC2", "DC1"]);
  const settings = Object.fromEntries(body.settings.map((setting: { name: string }) => [setting.name, setting]));
  assert.deepEqual(
    [settings.backorder.value, settings.backorder.isSet, settings.rmaDays.value, settings.rmaDays.isSet],
    ["SHIP_AND_WAIT", true, "90", false],
  );
  assert.ok(settings.backorder.choices.includes("WAIT"));
  assert.equal(body.credentials.length, 3);
  assert.doesNotMatch(JSON.stringify(body), /cds_|cd_sandbox_|argon2/);
  await until("their use is noted", async () => {
    const read = await viewer.get("/clientDirectory/get/ACME");
    return read.body.credentials.every((credential: { kind: string; lastUsedAt: string | null }) =>
      credential.kind === "sftp" ? credential.lastUsedAt === null : credential.lastUsedAt !== null,
    );
  });
  const audit = await server.rows<{ actor: string; action: string }>(
    "select actor, action from audit_log where client_id = 'ACME' order by audit_id",
  );
  assert.deepEqual(
    audit.map(({ action }) => action),
    ["create", "issue", "issue", "issue", "set"],
  );
  assert.ok(audit.every(({ actor }) => actor === `user:${admin.userName}`));
});

test("errors of a request are reported at their fields", async () => {
  const wrong = await admin.post("/clientDirectory/create", {
    clientId: "NEW",
    facilities: ["DC9"],
    settings: { backorder: "NEVER", rmaDay: "3" },
  });
  assert.equal(wrong.status, 422);
  assert.deepEqual(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    "#/facilities",
    "#/settings/backorder",
    "#/settings/rmaDay",
  ]);
  const taken = await admin.post("/clientDirectory/create", { clientId: "demo", facilities: [] });
  assert.equal(taken.status, 409);
  assert.deepEqual(taken.body.errors[0].pointer, "#/clientId");
  const strange = await admin.post("/clientDirectory/create", { clientId: "two words", facilities: [] });
  assert.equal(strange.status, 422);
  assert.equal(strange.body.errors[0].pointer, "#/clientId");
  assert.equal((await viewer.get("/clientDirectory/get/NEW")).status, 404);
  const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`name${i}`, "1"]));
  const refused = await admin.patch("/clientDirectory/patch/ACME", { settings: many });
  assert.equal(refused.status, 400);
  assert.deepEqual(
    refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ["#/settings"],
  );
  for (const [length, status] of [
    [10_000, 422],
    [10_001, 400],
  ] as const) {
    const long = await admin.patch("/clientDirectory/patch/DEMO", { settings: { holdRules: "x".repeat(length) } });
    assert.deepEqual([long.status, long.body.errors[0].pointer], [status, "#/settings/holdRules"]);
  }
});

test("a repeat with the same key does nothing more, and shows no secret", async () => {
  const request = { clientId: "TWICE", facilities: ["DC1"] };
  const key = { "idempotency-key": "make TWICE" };
  const first = await admin.post("/clientDirectory/create", request, key);
  const second = await admin.post("/clientDirectory/create", request, key);
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.equal(second.body.feed.apiKey, "***");
  assert.equal(second.body.oauth.client_id, first.body.oauth.client_id);
});

test("settings, name and facilities are changed, and are in force at once", async () => {
  const changed = await admin.patch("/clientDirectory/patch/DEMO", {
    name: "Demo Brand",
    facilities: ["DC1"],
    settings: { rejectedFeedStatus: "422" },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual([changed.body.name, changed.body.facilities], ["Demo Brand", ["DC1"]]);
  await until("the setting is in force", async () => (await demo.send("CAT", "<nonsense/>")).status === 422);
  const back = await admin.patch("/clientDirectory/patch/DEMO", { settings: { rejectedFeedStatus: null } });
  const setting = back.body.settings.find(({ name }: { name: string }) => name === "rejectedFeedStatus");
  assert.deepEqual([setting.value, setting.isSet], ["200", false]);
  assert.equal((await admin.patch("/clientDirectory/patch/NOBODY", { name: "x" })).status, 404);
  assert.equal((await admin.patch("/clientDirectory/patch/DEMO", { facilities: ["DC9"] })).status, 422);
});

test("a suspended client is refused everywhere until it is resumed", async () => {
  const { apiKey } = demo.credentials.feed;
  const suspended = await admin.post("/clientDirectory/suspend/DEMO");
  assert.deepEqual([suspended.status, suspended.body.status], [200, "SUSPENDED"]);
  await until("feeds are refused", async () => (await sendsFeeds("DEMO", apiKey)) === 403);
  const resumed = await admin.post("/clientDirectory/resume/DEMO");
  assert.deepEqual([resumed.status, resumed.body.status], [200, "ACTIVE"]);
  await until("feeds are taken again", async () => (await sendsFeeds("DEMO", apiKey)) === 200);
  for (const action of ["suspend", "resume"])
    assert.equal((await admin.post(`/clientDirectory/${action}/NOBODY`)).status, 404);
});

test("a credential is rotated with overlap: both are valid, then the old one is revoked", async () => {
  const issued = await admin.post("/credential/issue", { clientId: "DEMO", kind: "feed" });
  assert.equal(issued.status, 200, JSON.stringify(issued.body));
  const { credentialId, feed } = issued.body;
  assert.equal(await sendsFeeds("DEMO", feed.apiKey), 200);
  assert.equal(await sendsFeeds("DEMO", demo.credentials.feed.apiKey), 200);
  const { body } = await viewer.get("/clientDirectory/get/DEMO");
  const old = body.credentials.find(
    (credential: { kind: string; credentialId: string }) =>
      credential.kind === "feed" && credential.credentialId !== credentialId,
  );
  const revoked = await admin.post(`/credential/revoke/${old.credentialId}`);
  assert.deepEqual([revoked.status, revoked.body.kind], [200, "feed"]);
  await until("the old key is refused", async () => (await sendsFeeds("DEMO", demo.credentials.feed.apiKey)) === 401);
  assert.equal(await sendsFeeds("DEMO", feed.apiKey), 200);
  assert.equal((await admin.post("/credential/revoke/nothing")).status, 404);
});

test("an SFTP credential takes a public key instead of a password", async () => {
  const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ops@example.com";
  const issued = await admin.post("/credential/issue", { clientId: "DEMO", kind: "sftp", publicKey });
  assert.equal(issued.status, 200, JSON.stringify(issued.body));
  assert.deepEqual(Object.keys(issued.body.sftp), ["username"]);
  const wrong = await admin.post("/credential/issue", { clientId: "DEMO", kind: "sftp", publicKey: "no key" });
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, "#/publicKey"]);
  const stranger = await admin.post("/credential/issue", { clientId: "NOBODY", kind: "feed" });
  assert.equal(stranger.status, 403);
});

test("the list is paged and searched, and shows a user no other clients than the user's", async () => {
  const first = await viewer.get("/clientDirectory/list?limit=1");
  assert.equal(first.body.items.length, 1);
  const second = await viewer.get(`/clientDirectory/list?limit=1&cursor=${first.body.nextCursor}`);
  assert.notEqual(second.body.items[0].clientId, first.body.items[0].clientId);
  const found = await viewer.get("/clientDirectory/list?text=demo%20brand&status=ACTIVE");
  assert.deepEqual(
    found.body.items.map(({ clientId }: { clientId: string }) => clientId),
    ["DEMO"],
  );
  const answer = await limited.get("/clientDirectory/list");
  assert.deepEqual(
    answer.body.items.map(({ clientId }: { clientId: string }) => clientId),
    ["DEMO"],
  );
  assert.equal((await limited.get("/clientDirectory/get/ACME")).status, 403);
  assert.equal((await limited.patch("/clientDirectory/patch/DEMO", { name: "Demo" })).status, 200);
  assert.equal((await limited.post("/clientDirectory/create", { clientId: "MORE", facilities: [] })).status, 403);
});

test("an Idempotency-Key is for one request", async () => {
  const key = { "idempotency-key": "once" };
  const first = await admin.patch("/clientDirectory/patch/DEMO", { name: "Demo Brand" }, key);
  const ofPlatform = await admin.post("/credential/issueCarrier", { carrierCode: "KESTREL" }, key);
  assert.deepEqual([first.status, ofPlatform.status], [200, 200]);
  const answers = [
    await admin.patch("/clientDirectory/patch/DEMO", { name: "Another" }, key),
    await admin.post("/clientDirectory/suspend/DEMO", undefined, key),
    await admin.post("/clientDirectory/resume/DEMO", undefined, key),
    await admin.post("/credential/issue", { clientId: "DEMO", kind: "feed" }, key),
    await admin.put("/outboundChannel/set?clientId=DEMO", { types: ["OS"], pull: true, sftp: false }, key),
    await admin.post(`/outbound/resend/${createIds().next(Date.now())}?clientId=DEMO`, undefined, key),
    await admin.post("/credential/issueCarrier", { carrierCode: "OTHER" }, key),
    await admin.post("/credential/issueWarehouse", { facilityCode: "DC1" }, key),
    await admin.post("/credential/revoke/x", undefined, key),
    await admin.patch("/facilityDirectory/patch/DC1", { name: "x" }, key),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 409),
  );
});

test("only an admin makes clients, changes them, or issues credentials", async () => {
  for (const user of [viewer, anna]) {
    const answers = [
      await user.post("/clientDirectory/create", { clientId: "NO", facilities: [] }),
      await user.patch("/clientDirectory/patch/DEMO", { name: "x" }),
      await user.post("/clientDirectory/suspend/DEMO"),
      await user.post("/credential/issue", { clientId: "DEMO", kind: "feed" }),
      await user.post("/credential/revoke/x"),
      await user.post("/credential/issueWarehouse", { facilityCode: "DC1" }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 403),
    );
  }
});
