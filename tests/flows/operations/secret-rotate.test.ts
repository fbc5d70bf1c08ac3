// `crossdock secret rotate`, and the error of a start with a wrong master key.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sealedTables } from "#/app/secrets/sealed-tables.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { commandLine } from "../../support/app/cli.ts";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { memberWithApp, Visitor } from "../../support/builders/second-factor.ts";
import { createSource } from "../../support/carriers/label-stand-in.ts";
import { webhookCalls } from "../../support/http/webhook-calls.ts";
import { columnsMatching, textColumns } from "../../support/postgres/every-column.ts";

// With the demo, because it contains data of every sealed kind.
const server = await testServer({ CROSSDOCK_SEED_DEMO: "true", CROSSDOCK_SFTP_PORT: "0" });
const client = await server.onboard("ACME");
const crossdock = commandLine(server);
const present = server.config.secret as string;
const next = "another master key, which is long enough";
const calls = webhookCalls(server.url, client);

const member = await memberWithApp(server, "petra");
const declared = sealedTables.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));

/** Shorter than a node's own polling interval of half a minute, and long enough for a busy machine. */
const heardMsMax = 20_000;

test("a rotation covers every column with ciphertexts", async () => {
  const admin = await signIn(server, "admin");
  await createSource(admin, "SOURCE", server.url);
  const rule = { name: "Chat", channel: "SLACK", url: server.url };
  assert.equal((await admin.post("/notificationRule/create", rule)).status, 201);
  const { webhookId } = await calls.create({ customHeaders: { "X-Token": "a value" } });
  const rotated = await calls.call("POST", `/webhook/rotateSecret/${webhookId}`);
  assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
  const found = await columnsMatching(server, "v1\\.[A-Za-z0-9_-]{8}\\.[A-Za-z0-9_-]{38,}");
  assert.deepEqual([...found.keys()].sort(), [...declared].sort());
  const named = (await textColumns(server)).filter(({ column }) => /_(?:sealed|encrypted)$/.test(column));
  assert.deepEqual(
    named.map(({ table, column }) => `${table}.${column}`).filter((name) => !declared.includes(name)),
    [],
  );
});

test("without ciphertexts under another key the rotation reports this and changes nothing", async () => {
  const before = await server.rows(
    "select webhook_id, signing_secret_sealed, version from webhook order by 1 limit 100",
  );
  const rotated = await crossdock(["secret", "rotate"]);
  assert.equal(rotated.code, 0, rotated.stderr);
  assert.match(rotated.stdout, /All texts are encrypted with CROSSDOCK_SECRET; CROSSDOCK_SECRET_PREVIOUS is not set\./);
  const after = await server.rows(
    "select webhook_id, signing_secret_sealed, version from webhook order by 1 limit 100",
  );
  assert.deepEqual(after, before);
});

test("a text that neither key opens is named by its place and exits 1, and the others are done", async () => {
  const foreign = await calls.create({ topicName: "order:despatched" });
  await server.database.query(
    sql`update webhook set signing_secret_sealed = 'v1.AAAAAAAA.' || repeat('A', 80)
      where client_id = 'ACME' and webhook_id = ${foreign.webhookId}::uuid`,
  );
  const rotated = await crossdock(["secret", "rotate", "--json"], {
    CROSSDOCK_SECRET: next,
    CROSSDOCK_SECRET_PREVIOUS: present,
  });
  assert.equal(rotated.code, 1);
  assert.match(rotated.stderr, new RegExp(`webhook\\.signing_secret_sealed of client ACME, ${foreign.webhookId}`));
  const report = JSON.parse(rotated.stdout) as { resealed: number; unopened: { key: string; clientId: string }[] };
  assert.ok(report.resealed > 4);
  assert.deepEqual(
    report.unopened.map(({ clientId, key }) => [clientId, key]),
    [["ACME", foreign.webhookId]],
  );
  const [audit] = await server.rows<{ actor: string; detail: { resealed: number; unopened: number } }>(
    "select actor, detail from audit_log where object_type = 'masterKey' limit 1",
  );
  assert.match(audit?.actor ?? "", /^cli:/);
  assert.deepEqual(audit?.detail, { resealed: report.resealed, unopened: 1 });
  assert.equal((await calls.call("DELETE", `/webhook/delete/${foreign.webhookId}`)).status, 204);
  // Rotates back: the server of this test has only the present key.
  const back = await crossdock(["secret", "rotate", "--json"], { CROSSDOCK_SECRET_PREVIOUS: next });
  assert.equal(back.code, 0, back.stderr);
  // A second factor is unchanged after two rotations.
  const visitor = new Visitor(server.url);
  assert.equal((await visitor.signIn(member.userName, member.password)).status, 401);
  assert.equal((await visitor.post("/session/prove", { code: member.app.code(1) })).status, 200);
});

test("a key that decrypts nothing is refused at start by every role that decrypts secrets", async () => {
  for (const roles of ["worker", "sftp", "api", "auth", "console"]) {
    await assert.rejects(
      server.startNode({ CROSSDOCK_ROLES: roles, CROSSDOCK_SECRET: next, CROSSDOCK_SEED_DEMO: "false" }),
      /^Error: CROSSDOCK_SECRET decrypts none of the secrets in this database \(signing_key \S+, .*CROSSDOCK_SECRET_PREVIOUS/,
      roles,
    );
  }
  const feeds = await server.startNode({
    CROSSDOCK_ROLES: "feeds",
    CROSSDOCK_SECRET: next,
    CROSSDOCK_SEED_DEMO: "false",
    CROSSDOCK_SFTP_PORT: "off",
  });
  await feeds.stop();
});

test("a key that was made for the data directory gives way to a configured one by its file", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-test-rotate-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const file = path.join(dataDir, "secret");
  writeFileSync(file, `${present}\n`);
  const at = { CROSSDOCK_DATA_DIR: dataDir };
  // As before: the key of the data directory.
  const result = await crossdock(["secret", "rotate"], { ...at, CROSSDOCK_SECRET: "" });
  assert.equal(result.code, 0, result.stderr);
  const set = await crossdock(["outbound", "set", "ACME", "--type", "OS", "--push", "https://example.com/os"], {
    ...at,
    CROSSDOCK_SECRET: next,
  });
  assert.equal(set.code, 1);
  assert.ok(set.stderr.includes(`CROSSDOCK_SECRET_PREVIOUS_FILE=${file}`), set.stderr);
  const moved = await crossdock(["secret", "rotate", "--json"], {
    ...at,
    CROSSDOCK_SECRET: next,
    CROSSDOCK_SECRET_PREVIOUS_FILE: file,
  });
  assert.equal(moved.code, 0, moved.stderr);
  assert.ok((JSON.parse(moved.stdout) as { resealed: number }).resealed > 4);
  const back = await crossdock(["secret", "rotate"], { CROSSDOCK_SECRET_PREVIOUS: next });
  assert.equal(back.code, 0, back.stderr);
});

const listFacilities = (url: string, token: string) =>
  fetch(`${url}/v1/facilityService/facility/list?clientId=ACME`, { headers: { authorization: `Bearer ${token}` } });

test("a new signing key takes over on all nodes, and tokens of the one before live on", async () => {
  const other = await server.startNode({ CROSSDOCK_ROLES: "api,auth", CROSSDOCK_SEED_DEMO: "false" });
  try {
    const before = await accessTokenOf(server.url, client.credentials.oauth);
    const rotated = await crossdock(["secret", "rotate", "--signing-key", "--json"]);
    assert.equal(rotated.code, 0, rotated.stderr);
    const { keyId, signsFrom, retired } = JSON.parse(rotated.stdout) as {
      keyId: string;
      signsFrom: string;
      retired: number;
    };
    assert.equal(retired, 1);
    // The new key is published before it signs, as soon as each node has noticed it.
    for (const { url } of [server, other]) {
      await until("the new key is published", async () => (await publishedAt(url)).includes(keyId), heardMsMax);
    }
    const meanwhile = await accessTokenOf(server.url, client.credentials.oauth);
    // Unless these steps took longer than the notice period.
    if (Date.now() < Date.parse(signsFrom)) assert.notEqual(keyIdOf(meanwhile), keyId);
    await sleep(Math.max(0, Date.parse(signsFrom) - Date.now()) + 50);
    const after = await accessTokenOf(server.url, client.credentials.oauth);
    assert.equal(keyIdOf(after), keyId);
    assert.equal(keyIdOf(await accessTokenOf(other.url, client.credentials.oauth)), keyId);
    for (const token of [before, after]) {
      for (const { url } of [server, other]) assert.equal((await listFacilities(url, token)).status, 200);
    }
  } finally {
    await other.stop();
  }
});

test("tokens of a signing key that others know are withdrawn on all nodes at once", async () => {
  const other = await server.startNode({ CROSSDOCK_ROLES: "api,auth", CROSSDOCK_SEED_DEMO: "false" });
  try {
    const before = await accessTokenOf(server.url, client.credentials.oauth);
    for (const { url } of [server, other]) assert.equal((await listFacilities(url, before)).status, 200);
    const rotated = await crossdock(["secret", "rotate", "--signing-key", "--withdraw-tokens"]);
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.match(rotated.stdout, /\d previous key\(s\) are withdrawn/);
    for (const { url } of [server, other]) {
      await until("the node has heard of it", async () => (await publishedAt(url)).length === 1, heardMsMax);
    }
    for (const { url } of [server, other]) {
      const refused = await listFacilities(url, before);
      assert.deepEqual(
        [refused.status, ((await refused.json()) as { type: string }).type],
        [401, "/problems/token-invalid"],
      );
      const after = await accessTokenOf(url, client.credentials.oauth);
      for (const at of [server, other]) assert.equal((await listFacilities(at.url, after)).status, 200);
    }
  } finally {
    await other.stop();
  }
});

test("tokens are withdrawn with the signing key only", async () => {
  const refused = await crossdock(["secret", "rotate", "--withdraw-tokens"]);
  assert.deepEqual([refused.code, /--withdraw-tokens needs --signing-key/.test(refused.stderr)], [2, true]);
});

async function publishedAt(url: string): Promise<(string | undefined)[]> {
  const response = await fetch(`${url}/.well-known/jwks.json`);
  return ((await response.json()) as { keys: { kid?: string }[] }).keys.map(({ kid }) => kid);
}

const keyIdOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split(".")[0] as string, "base64url").toString()) as { kid: string }).kid;
