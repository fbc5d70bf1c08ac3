import assert from "node:assert/strict";
import { test } from "node:test";
import ssh2 from "ssh2";
import { makeKeyPair } from "#/intake/sftp/server/host-keys.ts";

const { generateKeyPairSync, parseKey } = ssh2.utils;
const unreadable = { public: "ssh-ed25519 AAAA", private: "no key" };

test("every generated host key is readable, although the library generates unreadable ones", async () => {
  for (let i = 0; i < 600; i++) {
    const pair = await makeKeyPair((done) => done(null, generateKeyPairSync("ed25519")));
    assert.equal(parseKey(pair.private) instanceof Error, false);
  }
});

test("an unreadable key is generated again, a limited number of times", async () => {
  const readable = await makeKeyPair((done) => done(null, generateKeyPairSync("ed25519")));
  const pairs = [unreadable, unreadable, readable];
  assert.equal(await makeKeyPair((done) => done(null, pairs.shift() ?? unreadable)), readable);
  assert.equal(pairs.length, 0);
  await assert.rejects(
    makeKeyPair((done) => done(null, unreadable)),
    /no readable host key/,
  );
});
