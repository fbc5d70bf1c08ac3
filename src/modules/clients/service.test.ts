import assert from "node:assert/strict";
import { test } from "node:test";
import { createUser, listUsers } from "#/console-api/index.ts";
import { isPasswordOf } from "#/kernel/security/password.ts";
import { createIds, isUuidV7 } from "#/kernel/values/ids.ts";
import {
  changeClient,
  createDirectory,
  issueCarrierCredential,
  issueCredential,
  issueWarehouseCredential,
  listClients,
  listCredentials,
  notifyChange,
  type Onboarding,
  onboardClient,
  readSettings,
  resumeClient,
  revokeCredential,
  secretHash,
  showClient,
  suspendClient,
} from "#/modules/clients/index.ts";
import { chooseFacilities, createFacility } from "#/modules/facilities/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { type Statement, sql } from "#/store/db/sql.ts";
import { patient, testDatabase } from "../../../tests/support/postgres/database.ts";

const statements: Statement[] = [];
const { database } = await testDatabase({ onStatement: (statement) => statements.push(statement) });
const change: Change = { actor: "cli:test", origin: "here", at: new Date().toISOString(), ids: createIds() };
const environment = "sandbox";

for (const facilityCode of ["DC1", "DC2"]) {
  const facility = { facilityCode, name: "Nord", country: "DEU", timezone: "europe/berlin" };
  const created = await database.transaction((tx) => createFacility(tx, change, facility));
  assert.partialDeepStrictEqual(created, {
    ok: true,
    value: { ...facility, country: "DE", timezone: "Europe/Berlin", createdAt: change.at },
  });
}

/**
 * A concurrent transaction for the same name also waits for the other's password hash, so the timeout is long for a
 * busy machine.
 */
function onboard(clientId: string, facilities: readonly string[] = ["DC1"]) {
  return database.transaction(
    (tx) => onboardClient(tx, change, { clientId, name: clientId, facilities, environment }),
    patient,
  );
}

async function onboarded(clientId: string, facilities?: readonly string[]): Promise<Onboarding> {
  const result = await onboard(clientId, facilities);
  assert(result.ok);
  return result.value;
}

function directory(nowMs = { value: 0 }) {
  return createDirectory({ database, clock: { now: () => nowMs.value }, environment });
}

async function audited(clientId: string) {
  return database.query<{ action: string; object_type: string; object_id: string; detail: Record<string, unknown> }>(
    sql`select action, object_type, object_id, detail from audit_log where client_id = ${clientId} order by audit_id limit 100`,
  );
}

test("a new client has a key of its environment, an OAuth secret, an SFTP login, and the rows of its tenant", async () => {
  const acme = await onboarded("ACME", ["DC2", "DC1"]);
  assert.deepEqual(Object.keys(acme), ["clientId", "feed", "oauth", "sftp"]);
  assert.match(acme.feed.apiKey, /^cd_sandbox_[A-Za-z0-9_-]{43}$/);
  assert(isUuidV7(acme.oauth.client_id));
  assert.match(acme.oauth.client_secret, /^cds_[A-Za-z0-9_-]{43}$/);
  assert.equal(acme.sftp.username, "acme");
  const rows = await database.query(
    sql`select t.client_id, l.last_position from tenant t join outbox_lane l on l.client_id = t.client_id
      where t.client_id = 'ACME' limit 2`,
  );
  assert.deepEqual(rows, [{ client_id: "ACME", last_position: 0 }]);
  const shown = await showClient(database.of("ACME"));
  assert(shown.ok);
  assert.deepEqual([shown.value.status, shown.value.facilities, shown.value.overrides], ["ACTIVE", ["DC2", "DC1"], {}]);
});

test("secrets are stored as hashes only, and none reaches the audit log", async () => {
  const hushed = await onboarded("HUSH");
  const rows = await database.query<{ kind: string; secret_sha256: Buffer | null; password_hash: string | null }>(
    sql`select kind, secret_sha256, password_hash from credential where client_id = 'HUSH' order by kind limit 10`,
  );
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ["feed", "oauth", "sftp"],
  );
  assert.deepEqual(rows[0]?.secret_sha256, secretHash(hushed.feed.apiKey));
  assert.deepEqual(rows[1]?.secret_sha256, secretHash(hushed.oauth.client_secret));
  assert.equal(await isPasswordOf(hushed.sftp.password, rows[2]?.password_hash ?? ""), true);
  const log = await audited("HUSH");
  assert.deepEqual(
    log.map(({ action, object_type }) => `${action} ${object_type}`),
    ["create client", "issue credential", "issue credential", "issue credential"],
  );
  const text = JSON.stringify(log);
  for (const secret of [hushed.feed.apiKey, hushed.oauth.client_secret, hushed.sftp.password]) {
    assert(!text.includes(secret));
  }
});

test("an identifier that differs by case alone is refused, and nothing of it is kept", async () => {
  await onboarded("Brand");
  assert.deepEqual(await onboard("BRAND"), {
    ok: false,
    fault: "client 'BRAND' exists already as 'Brand': identifiers do not differ by case alone",
  });
  assert.deepEqual(await onboard("Brand"), { ok: false, fault: "client 'Brand' exists already" });
  assert.deepEqual(await database.query(sql`select client_id from tenant where client_id = 'BRAND' limit 1`), []);
  assert.deepEqual(await audited("BRAND"), []);
});

test("of two concurrent creations of a client one succeeds", async () => {
  const results = await Promise.all([onboard("RACE"), onboard("race")]);
  assert.deepEqual(results.map(({ ok }) => ok).sort(), [false, true]);
});

test("identifiers follow the contract", async () => {
  for (const bad of ["", "ELEVENCHARS", "A B", "Ä", "A.B"]) assert.equal((await onboard(bad)).ok, false, bad);
  for (const good of ["_-1", "TENLETTERS"]) assert.equal((await onboard(good)).ok, true, good);
});

test("several credentials of a kind live together, and a revoked one is refused", async () => {
  const first = await onboarded("ROTA");
  const second = await database.transaction((tx) =>
    issueCredential(tx, change, { clientId: "ROTA", kind: "feed", environment }),
  );
  assert(second.ok && "feed" in second.value);
  const before = await directory().findByFeedKey(first.feed.apiKey);
  assert(before.kind === "known");
  assert.equal((await directory().findByFeedKey(second.value.feed.apiKey)).kind, "known");

  const { credentialId } = before;
  const revoked = await database.transaction((tx) => revokeCredential(tx, change, credentialId));
  const again = await database.transaction((tx) =>
    revokeCredential(tx, { ...change, at: new Date(0).toISOString() }, credentialId),
  );
  assert.deepEqual(revoked, { ok: true, value: { credentialId, kind: "feed", revokedAt: change.at } });
  assert.deepEqual(again, revoked);
  assert.equal((await directory().findByFeedKey(first.feed.apiKey)).kind, "revoked");
  assert.equal((await directory().findCredential(credentialId))?.isRevoked, true);
  assert.equal((await directory().findByFeedKey(second.value.feed.apiKey)).kind, "known");
  assert.equal((await audited("ROTA")).filter(({ action }) => action === "revoke").length, 1);

  const listed = await listCredentials(database.of("ROTA"));
  assert(listed.ok);
  assert.deepEqual(
    listed.value.filter(({ revokedAt }) => revokedAt !== null).map((row) => row.credentialId),
    [credentialId],
  );
  assert.equal((await database.transaction((tx) => revokeCredential(tx, change, "nothing"))).ok, false);
});

test("a second SFTP login gets its own name, a revoked one's name is free again", async () => {
  await onboarded("LOGIN");
  const request = { clientId: "LOGIN", kind: "sftp", environment } as const;
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
  const second = await database.transaction((tx) =>
    issueCredential(tx, change, { ...request, publicKey: `${key} me` }),
  );
  assert(second.ok && "sftp" in second.value);
  assert.deepEqual(second.value.sftp, { username: "login.2" });
  const stored = sql`select public_key, password_hash from credential where credential_id = ${second.value.credentialId} limit 1`;
  assert.deepEqual(await database.query(stored), [{ public_key: key, password_hash: null }]);

  const { credentialId } = second.value;
  await database.transaction((tx) => revokeCredential(tx, change, credentialId));
  const third = await database.transaction((tx) => issueCredential(tx, change, request));
  assert(third.ok && "sftp" in third.value);
  assert.equal(third.value.sftp.username, "login.2");
  assert.match(third.value.sftp.password ?? "", /^\S{29}$/);
});

test("a credential is refused for an unknown client, and a public key for another kind or a text that is not a key", async () => {
  await onboarded("KEYS");
  const issue = (request: Parameters<typeof issueCredential>[2]) =>
    database.transaction((tx) => issueCredential(tx, change, request));
  assert.deepEqual(await issue({ clientId: "keys", kind: "feed", environment }), {
    ok: false,
    fault: "there is no client 'keys'; did you mean KEYS?",
  });
  assert.equal((await issue({ clientId: "KEYS", kind: "oauth", environment, publicKey: "x" })).ok, false);
  assert.equal((await issue({ clientId: "KEYS", kind: "sftp", environment, publicKey: "x" })).ok, false);
  assert.equal((await audited("KEYS")).length, 4);
});

test("settings are stored as overrides, resolved with the defaults, and cleared by a blank value", async () => {
  await onboarded("SETS");
  const set = async (...assignments: string[]) => {
    const settings = readSettings(assignments);
    assert(settings.ok);
    const changed = await database.transaction((tx) =>
      changeClient(tx.of("SETS", change), { settings: settings.value }),
    );
    assert(changed.ok);
    return changed.value;
  };
  const first = await set("rejectedFeedStatus=422", "rateLimit=5/s", "outboundEmailList=a@example.com");
  assert.deepEqual(first.overrides, {
    rejectedFeedStatus: 422,
    rateLimit: { perSecond: 5 },
    outboundEmailList: ["a@example.com"],
  });
  assert.deepEqual([first.settings.rateLimit, first.settings.rmaDays], [{ perSecond: 5 }, 90]);
  const second = await set("rateLimit=", "parkUnknownSkus=true");
  assert.deepEqual(second.overrides, {
    rejectedFeedStatus: 422,
    parkUnknownSkus: true,
    outboundEmailList: ["a@example.com"],
  });
  const log = (await audited("SETS")).filter(({ action }) => action === "set").map(({ detail }) => detail);
  assert.deepEqual(log, [
    { settings: { rejectedFeedStatus: 422, rateLimit: { perSecond: 5 }, outboundEmailList: "changed" } },
    { settings: { parkUnknownSkus: true, rateLimit: "default" } },
  ]);
});

test("all clients are listed, however many there are", async () => {
  const before = (await listClients(database)).length;
  await database.query({
    name: "many clients",
    text: `insert into client (client_id, name, status, created_at, updated_at)
      select 'BULK' || lpad(n::text, 5, '0'), 'Bulk', 'ACTIVE', now(), now() from generate_series(1, 2500) n`,
    values: [],
    isTenant: false,
  });
  const listed = (await listClients(database)).map(({ clientId }) => clientId);
  assert.equal(listed.length, before + 2_500);
  assert.equal(new Set(listed).size, listed.length);
  await database.query({
    name: "bulk gone",
    text: "delete from client where client_id like 'BULK%'",
    values: [],
    isTenant: false,
  });
});

test("name and routing order can be changed", async () => {
  await onboarded("ROUTE");
  const changed = await database.transaction((tx) =>
    changeClient(tx.of("ROUTE", change), { name: "Route 66", facilities: ["DC2", "DC1"] }),
  );
  assert(changed.ok);
  assert.deepEqual([changed.value.name, changed.value.facilities], ["Route 66", ["DC2", "DC1"]]);
});

test("a client is suspended and resumed, each once in the audit log", async () => {
  const { feed } = await onboarded("PAUSE");
  for (const work of [suspendClient, suspendClient]) {
    const result = await database.transaction((tx) => work(tx.of("PAUSE", change)));
    assert(result.ok);
    assert.equal(result.value.status, "SUSPENDED");
  }
  const answer = await directory().findByFeedKey(feed.apiKey);
  assert(answer.kind === "known");
  assert.equal(answer.client.status, "SUSPENDED");
  const resumed = await database.transaction((tx) => resumeClient(tx.of("PAUSE", change)));
  assert(resumed.ok);
  assert.equal(resumed.value.status, "ACTIVE");
  assert.deepEqual(
    (await audited("PAUSE")).slice(4).map(({ action }) => action),
    ["suspend", "resume"],
  );
  assert.equal((await database.transaction((tx) => suspendClient(tx.of("MISSING", change)))).ok, false);
  assert((await listClients(database)).some(({ clientId }) => clientId === "PAUSE"));
});

test("the directory answers from memory, and again after a notice", async () => {
  const { feed } = await onboarded("CACHE");
  const found = directory();
  await found.findByFeedKey(feed.apiKey);
  await found.findClient("CACHE");
  const sent = statements.length;
  const answer = await found.findByFeedKey(feed.apiKey);
  assert(answer.kind === "known");
  assert.deepEqual(
    [answer.client.clientId, answer.client.facilities, answer.client.settings.catMode],
    ["CACHE", ["DC1"], "REPLACE"],
  );
  assert.equal((await found.findClient("CACHE"))?.name, "CACHE");
  assert.equal(statements.length, sent);

  await database.transaction((tx) => suspendClient(tx.of("CACHE", change)));
  await notifyChange(database);
  found.clear();
  assert.equal((await found.findClient("CACHE"))?.status, "SUSPENDED");
});

test("the directory sees a change without a notice when its time has come", async () => {
  await onboarded("OLD");
  const now = { value: 0 };
  const found = directory(now);
  await found.findClient("OLD");
  await database.transaction((tx) => suspendClient(tx.of("OLD", change)));
  now.value = 29_999;
  assert.equal((await found.findClient("OLD"))?.status, "ACTIVE");
  now.value = 30_000;
  assert.equal((await found.findClient("OLD"))?.status, "SUSPENDED");
});

test("a malformed key is unknown without a query, and a key of another environment gets a hint", async () => {
  const found = directory();
  const sent = statements.length;
  const tail = "x".repeat(43);
  for (const key of ["", "x", `cd_moon_${tail}`, `cd_sandbox_${tail}x`, `cds_${tail}`]) {
    assert.deepEqual(await found.findByFeedKey(key), { kind: "unknown" });
  }
  assert.deepEqual(await found.findByFeedKey(`cd_production_${tail}`), {
    kind: "otherEnvironment",
    environment: "production",
  });
  assert.equal(await found.findCredential("'; drop table client"), undefined);
  assert.equal(await found.findClient("A B"), undefined);
  assert.equal(statements.length, sent);
  assert.deepEqual(await found.findByFeedKey(`cd_sandbox_${tail}`), { kind: "unknown" });
  assert.equal(statements.length, sent + 1);
});

test("a warehouse credential is bound to its facility and to no client", async () => {
  const issued = await database.transaction((tx) =>
    issueWarehouseCredential(tx, change, { facilityCode: "DC1", environment }),
  );
  assert.deepEqual(Object.keys(issued), ["facilityCode", "oauth"]);
  assert.deepEqual(await directory().findCredential(issued.oauth.client_id), {
    credentialId: issued.oauth.client_id,
    kind: "warehouse",
    isRevoked: false,
    secretSha256: secretHash(issued.oauth.client_secret),
    clientId: undefined,
    facilityCode: "DC1",
    carrierCode: undefined,
    environment,
  });
  const last = (await audited("")).at(-1);
  assert.deepEqual([last?.action, last?.detail.facilityCode], ["issue", "DC1"]);
});

test("a carrier's credential is bound to the carrier's code alone", async () => {
  const issue = (carrierCode: string) =>
    database.transaction((tx) => issueCarrierCredential(tx, change, { carrierCode, environment }));
  const issued = await issue("RM");
  assert(issued.ok);
  assert.deepEqual(Object.keys(issued.value), ["carrierCode", "oauth"]);
  const stored = await directory().findCredential(issued.value.oauth.client_id);
  assert.deepEqual(
    [stored?.kind, stored?.carrierCode, stored?.facilityCode, stored?.clientId],
    ["carrier", "RM", undefined, undefined],
  );
  const last = (await audited("")).at(-1);
  assert.deepEqual([last?.action, last?.detail.carrierCode], ["issue", "RM"]);
  for (const wrong of ["", "R M", "X".repeat(65)]) assert.equal((await issue(wrong)).ok, false, wrong);
});

test("a client's facilities must exist; without a choice it gets all in the order of their creation", async () => {
  assert.deepEqual(await chooseFacilities(database, ["DC2"]), { ok: true, value: ["DC2"] });
  assert.deepEqual(await chooseFacilities(database, []), { ok: true, value: ["DC1", "DC2"] });
  assert.deepEqual(await chooseFacilities(database, ["dc1", "X"]), {
    ok: false,
    fault: "there is no facility 'dc1'; did you mean DC1?\nthere is no facility 'X'; there are DC1, DC2",
  });
  assert.equal((await chooseFacilities(database, ["DC1", "DC1"])).ok, false);
});

test("a console user's password is stored only as a hash", async () => {
  const create = (userName: string, role: string) =>
    database.transaction((tx) => createUser(tx, change, { userName, role }));
  const anna = await create("anna", "operator");
  assert(anna.ok);
  const [row] = await database.query<{ password_hash: string }>(
    sql`select password_hash from console_user where user_name = 'anna' limit 1`,
  );
  assert.equal(await isPasswordOf(anna.value.password, row?.password_hash ?? ""), true);
  const again = await create("Anna", "viewer");
  assert.equal(again.ok ? undefined : again.fault.detail, "user 'Anna' exists already");
  assert.equal((await create("bob", "boss")).ok, false);
  assert.equal((await create("b b", "viewer")).ok, false);
  assert.deepEqual(
    (await listUsers(database, "", 10)).map(({ userName, role }) => [userName, role]),
    [["anna", "operator"]],
  );
  assert.deepEqual((await audited("")).at(-1), {
    action: "create",
    object_type: "user",
    object_id: "anna",
    detail: { role: "operator" },
  });
});
