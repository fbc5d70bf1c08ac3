import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeProtectedHeader } from "jose";
import { sql } from "#/db/sql.ts";
import { createSecretBox } from "#/kernel/secret-box.ts";
import {
  assertUnauthorised,
  call,
  database,
  demo,
  setAhead,
  startNode,
  tokenOf,
} from "../../../../tests/support/token-node.ts";

const dayMs = 86_400_000;

test("nodes that start together make one key, and each takes the other's tokens", async () => {
  await database.query(sql`delete from signing_key`);
  const [left, right] = await Promise.all([startNode(), startNode()]);
  await Promise.all([left.tokens.prepare(), right.tokens.prepare()]);
  const rows = await database.query(sql`select key_id from signing_key limit 10`);
  assert.equal(rows.length, 1);
  const token = await tokenOf(demo, left.url);
  assert.equal((await call("/v1/thingService/thing", token, {}, right.url)).status, 200);
});

test("a key is rotated after 30 days, and published until the last of its tokens has ended", async () => {
  const early = await startNode();
  const before = await tokenOf(demo, early.url);
  const kidOf = (token: string) => decodeProtectedHeader(token).kid as string;
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
    // The other node learns of the new key from the token that it signed.
    assert.equal((await call("/v1/thingService/thing", after30, {}, early.url)).status, 200);
    assertUnauthorised(await call("/v1/thingService/thing", before, {}, early.url), "token-expired");
    assert.deepEqual(await published(), [kidOf(after30), kidOf(before)]);
    setAhead(32 * dayMs);
    assert.deepEqual(await published(), [kidOf(after30)]);
  } finally {
    setAhead(0);
  }
});

test("an expired token is refused also where it was taken before", async () => {
  const token = await tokenOf(demo);
  assert.equal((await call("/v1/thingService/thing", token)).status, 200);
  try {
    setAhead(601_000);
    assertUnauthorised(await call("/v1/thingService/thing", token), "token-expired");
  } finally {
    setAhead(0);
  }
});

test("a node with another master key says so at its start", async () => {
  const stranger = await startNode({ box: createSecretBox("another master key, just as long as that") });
  await assert.rejects(stranger.tokens.prepare(), /CROSSDOCK_SECRET/);
});
