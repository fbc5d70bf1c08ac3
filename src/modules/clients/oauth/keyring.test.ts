import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeProtectedHeader } from "jose";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { keepSigningKeys, rotateSigningKey } from "#/modules/clients/oauth/index.ts";
import { createKeyring } from "#/modules/clients/oauth/keyring.ts";
import { ensureSigningKey } from "#/modules/clients/oauth/signing-keys.ts";
import type { Database } from "#/store/db/database.ts";
import { type Statement, sql } from "#/store/db/sql.ts";
import {
  assertUnauthorised,
  call,
  clock,
  database,
  demo,
  secretBox,
  setAhead,
  startNode,
  tokenOf,
} from "../../../../tests/support/app/token-node.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { patient, restsLong } from "../../../../tests/support/postgres/database.ts";

const kidOf = (token: string) => decodeProtectedHeader(token).kid as string;

test("nodes that start together create one key, and accept each other's tokens", async () => {
  await database.query(sql`delete from signing_key`);
  const [left, right] = await Promise.all([startNode(), startNode()]);
  await Promise.all([left.tokens.prepare(), right.tokens.prepare()]);
  const rows = await database.query(sql`select key_id from signing_key limit 10`);
  assert.equal(rows.length, 1);
  const token = await tokenOf(demo, left.url);
  assert.equal((await call("/v1/thingService/thing", token, {}, right.url)).status, 200);
});

test("a node that waits for the first key uses the key of the other node", async () => {
  await database.query(sql`delete from signing_key`);
  let nowMs = Date.now() - 10_000;
  const made = Promise.withResolvers<void>();
  const committing = Promise.withResolvers<void>();
  const maker = database.transaction(async (tx) => {
    tx.send(restsLong);
    await ensureSigningKey(tx, { secretBox, clock: { now: () => nowMs + 1_000 } });
    made.resolve();
    await committing.promise;
  });
  await made.promise;
  const waiter = database.transaction(
    (tx) => ensureSigningKey(tx, { secretBox, clock: { now: () => nowMs } }),
    patient,
  );
  const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database()) limit 1`;
  await until("the other one to wait", async () => (await database.query(waiting)).length > 0);
  nowMs += 2_000;
  committing.resolve();
  await Promise.all([maker, waiter]);
  assert.equal((await database.query(sql`select key_id from signing_key limit 10`)).length, 1);
});

test("a key is rotated after 30 days, and published until the last of its tokens has ended", async () => {
  const early = await startNode();
  const before = await tokenOf(demo, early.url);
  const published = async () => (await early.tokens.keys()).keys.map((key) => key.kid);
  try {
    setAhead(30 * dayMs - 60_000);
    const last = await tokenOf(demo, early.url);
    assert.equal(kidOf(last), kidOf(before));
    setAhead(30 * dayMs + 60_000);
    const rotated = await startNode();
    const after30 = await tokenOf(demo, rotated.url);
    assert.notEqual(kidOf(after30), kidOf(before));
    assert.equal((await call("/v1/thingService/thing", last, {}, rotated.url)).status, 200);
    // The other node learns of the new key from a token that it signed.
    assert.equal((await call("/v1/thingService/thing", after30, {}, early.url)).status, 200);
    assertUnauthorised(await call("/v1/thingService/thing", before, {}, early.url), "token-expired");
    assert.deepEqual(await published(), [kidOf(after30), kidOf(before)]);
    setAhead(32 * dayMs);
    assert.deepEqual(await published(), [kidOf(after30)]);
  } finally {
    setAhead(0);
  }
});

test("the next key is published a day before it signs, and one whose last token has ended is removed", async () => {
  await database.query(sql`delete from signing_key`);
  const node = await startNode();
  const first = kidOf(await tokenOf(demo, node.url));
  const keep = () => database.transaction((tx) => keepSigningKeys(tx, { secretBox, nowMs: clock.now() }));
  const published = async () => (await node.tokens.keys()).keys.map((key) => key.kid);
  try {
    setAhead(29 * dayMs - 60_000);
    assert.deepEqual(await keep(), { published: undefined, removed: 0 });
    setAhead(29 * dayMs + 60_000);
    const { published: next } = await keep();
    assert.ok(next !== undefined);
    assert.deepEqual(await keep(), { published: undefined, removed: 0 });
    setAhead(29 * dayMs + 120_000);
    assert.deepEqual(await published(), [next, first]);
    assert.equal(kidOf(await tokenOf(demo, node.url)), first);
    setAhead(30 * dayMs + 60_000);
    assert.equal(kidOf(await tokenOf(demo, node.url)), next);
    setAhead(31 * dayMs + 2 * 3_600_000);
    assert.deepEqual(await keep(), { published: undefined, removed: 1 });
    assert.deepEqual(await published(), [next]);
  } finally {
    setAhead(0);
  }
});

test("a withdrawn key is refused within a minute without a notice, and signs no token", async () => {
  await database.query(sql`delete from signing_key`);
  const deaf = await startNode();
  const before = await tokenOf(demo, deaf.url);
  assert.equal((await call("/v1/thingService/thing", before, {}, deaf.url)).status, 200);
  await database.transaction((tx) => rotateSigningKey(tx, { secretBox, nowMs: clock.now(), withdraws: true }));
  try {
    setAhead(61_000);
    assertUnauthorised(await call("/v1/thingService/thing", before, {}, deaf.url), "token-invalid");
    assert.notEqual(kidOf(await tokenOf(demo, deaf.url)), kidOf(before));
  } finally {
    setAhead(0);
  }
});

test("a read of the keys from before a withdrawal is discarded, however late it ends", async () => {
  await database.query(sql`delete from signing_key`);
  let reads = 0;
  let gate: Promise<void> | undefined;
  const late: Database = {
    ...database,
    async query<Row>(statement: Statement) {
      const rows = await database.query<Row>(statement);
      reads++;
      await gate;
      return rows;
    },
  };
  const keys = createKeyring({ database: late, clock, secretBox });
  const { keyId } = await keys.signing();
  keys.forget();
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  reads = 0;
  const reading = Promise.all([keys.verifying(keyId), keys.signing()]);
  await until("the keys to be read", () => reads > 0);
  await database.transaction((tx) => rotateSigningKey(tx, { secretBox, nowMs: clock.now(), withdraws: true }));
  keys.forget();
  gate = undefined;
  opened.resolve();
  await reading;
  assert.equal(await keys.verifying(keyId), undefined);
  assert.notEqual((await keys.signing()).keyId, keyId);
});

test("an expired token is refused also where it was cached", async () => {
  const token = await tokenOf(demo);
  assert.equal((await call("/v1/thingService/thing", token)).status, 200);
  try {
    setAhead(601_000);
    assertUnauthorised(await call("/v1/thingService/thing", token), "token-expired");
  } finally {
    setAhead(0);
  }
});

test("a node with another master key reports this at its start", async () => {
  const stranger = await startNode({ box: createSecretBox("another master key, just as long as that") });
  await assert.rejects(stranger.tokens.prepare(), /CROSSDOCK_SECRET/);
});
