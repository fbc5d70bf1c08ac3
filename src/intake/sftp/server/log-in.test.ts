// Log-in: credentials, addresses, rates, and the state in the database.
import assert from "node:assert/strict";
import { test } from "node:test";
import ssh2, { type ConnectConfig } from "ssh2";
import { createRateLimiter } from "#/http/access/rate-limit.ts";
import { openHostKeys } from "#/intake/sftp/index.ts";
import { createAuthentication, type LogInResult } from "#/intake/sftp/server/authentication.ts";
import { isSignedWith } from "#/intake/sftp/server/connection.ts";
import { createSessionSlots } from "#/intake/sftp/server/session-slots.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createNameDelay } from "#/kernel/security/log-in-guard.ts";
import { createPasswordChecks, hashPassword } from "#/kernel/security/password.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { openDatabase } from "#/store/db/database.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";
import { connect, makeKey, openSftp, password, startTestSftp } from "../../../../tests/support/sftp/server.ts";

const { database } = await testDatabase();
const log = createLogger({ level: "fatal", format: "json" });
const passwordChecks = await createPasswordChecks();
const passwordHash = await hashPassword("right");
const acme = { clientId: "ACME", credentialId: "c", passwordHash, publicKey: null, isSuspended: false };
const key = makeKey("key", "ed25519");

/** A separate node with a clock that the test sets; all nodes share the database. */
function node(nowMs: { value: number }) {
  const delays: number[] = [];
  const clock = { now: () => nowMs.value };
  const limiter = createRateLimiter({ database, clock, log });
  atEnd(() => limiter.close());
  const authentication = createAuthentication({
    database,
    log,
    passwordChecks,
    clock,
    nameDelay: createNameDelay(limiter, "sftp"),
    logIns: {
      find: async (username) =>
        ({
          acme,
          many: acme,
          Many: acme,
          keyed: { ...acme, passwordHash: null, publicKey: key.publicKey },
          sus: { ...acme, isSuspended: true },
        })[username],
      listGood: async () => [],
    },
    delay: async (ms) => void delays.push(ms),
  });
  return { authentication, delays };
}

const kindOf = ({ kind }: LogInResult) => kind;

test("the tenth consecutive failed log-in locks the address out on every node, for fifteen minutes", async () => {
  const nowMs = { value: Date.now() };
  const [first, second] = [node(nowMs), node(nowMs)];
  const from = "192.0.2.1";
  for (let i = 1; i < 10; i++) {
    const { authentication } = i % 2 ? first : second;
    assert.equal(kindOf(await authentication.byPassword(from, i % 3 ? "acme" : "nobody", "wrong")), "wrong");
  }
  assert.deepEqual(
    [...first.delays, ...second.delays].toSorted((a, b) => a - b),
    [200, 400, 800, 1_600, 2_000, 2_000, 2_000, 2_000, 2_000],
  );
  const tenth = await first.authentication.byPassword(from, "acme", "wrong");
  assert.match(tenth.kind === "refused" ? tenth.text : "", /try again in 15 minutes/);
  const right = await second.authentication.byPassword(from, "acme", "right");
  assert.match(
    right.kind === "refused" ? right.text : "",
    /Too many wrong log-ins/,
    "the right password is refused too",
  );
  assert.equal(
    kindOf(await second.authentication.byPassword("192.0.2.2", "acme", "right")),
    "accepted",
    "not the client",
  );
  nowMs.value += 15 * 60_000 - 1;
  assert.equal(kindOf(await first.authentication.byPassword(from, "acme", "right")), "refused");
  nowMs.value += 1;
  assert.equal(kindOf(await first.authentication.byPassword(from, "acme", "wrong")), "wrong", "it starts again");
  assert.equal(first.delays.at(-1), 200);
});

test("a successful log-in resets the count, and so does an hour without a failed one", async () => {
  const nowMs = { value: Date.now() };
  const { authentication, delays } = node(nowMs);
  const wrong = async (times: number) => {
    for (let i = 0; i < times; i++) {
      assert.equal(kindOf(await authentication.byPassword("192.0.2.3", "acme", "wrong")), "wrong");
    }
  };
  await wrong(9);
  assert.equal(kindOf(await authentication.byPassword("192.0.2.3", "acme", "right")), "accepted");
  await wrong(9);
  nowMs.value += 60 * 60_000 + 1;
  await wrong(1);
  assert.equal(delays.at(-1), 200);
  assert.equal(kindOf(await authentication.byPassword("192.0.2.3", "sus", "right")), "refused");
  await wrong(1);
  assert.equal(delays.at(-1), 200, "a suspended client's right password is not a wrong log-in");
});

test("concurrent failed log-ins are counted one after the other", async () => {
  const { authentication } = node({ value: Date.now() });
  const processed = await Promise.all(
    Array.from({ length: 14 }, () => authentication.byPassword("192.0.2.4", "acme", "wrong")),
  );
  assert.equal(processed.filter(({ kind }) => kind === "wrong").length, 9);
});

test("an unknown key is not a failed log-in; a wrong signature is", async () => {
  const { authentication, delays } = node({ value: Date.now() });
  const from = "192.0.2.5";
  const known = Buffer.from(key.publicKey.split(" ")[1] as string, "base64");
  for (let i = 0; i < 12; i++) {
    const result = await authentication.isKeyOf(from, i % 2 ? "keyed" : "nobody", Buffer.from("another key"));
    assert.ok(result !== "known" && result.kind === "wrong");
  }
  assert.equal(await authentication.isKeyOf(from, "keyed", known), "known");
  assert.equal(kindOf(await authentication.bySignature(from, "keyed", () => true)), "accepted");
  assert.deepEqual(delays, []);
  assert.equal(kindOf(await authentication.bySignature(from, "keyed", () => false)), "wrong");
  assert.deepEqual(delays, [200]);
  for (let i = 0; i < 9; i++) await authentication.noteUnknownKeys(from);
  const result = await authentication.isKeyOf(from, "keyed", known);
  assert.ok(result !== "known" && result.kind === "refused");
});

test("an unknown user costs as much time as a wrong password", async () => {
  const { authentication } = node({ value: Date.now() });
  // Other work of the machine makes some checks slow, and none fast. The test compares the fastest of each kind,
  // measured in turns, until they are alike. A user name that the time reveals never becomes alike.
  const fastest = { nobody: Number.POSITIVE_INFINITY, acme: Number.POSITIVE_INFINITY, keyed: Number.POSITIVE_INFINITY };
  const areAlike = () => {
    const [least = 0, , most = 0] = Object.values(fastest).sort((a, b) => a - b);
    return most < 3 * least;
  };
  for (let turn = 0; turn < 5 || (turn < 50 && !areAlike()); turn++) {
    for (const username of ["nobody", "acme", "keyed"] as const) {
      const startedMs = performance.now();
      await authentication.byPassword(`198.51.${turn}.${username.length}`, username, "wrong");
      fastest[username] = Math.min(fastest[username], performance.now() - startedMs);
    }
  }
  assert.ok(areAlike(), JSON.stringify(fastest));
});

test("while the database is unavailable no log-in succeeds and none counts as failed", async () => {
  const away = openDatabase({ url: "postgres://127.0.0.1:1/x", connectionsMax: 1, applicationName: "away" });
  const authentication = createAuthentication({
    database: away,
    log,
    passwordChecks,
    clock: systemClock,
    nameDelay: { of: () => 0, noteWrong: () => {} },
    logIns: { find: async () => acme, listGood: async () => [] },
  });
  for (const result of [
    await authentication.byPassword("192.0.2.9", "acme", "right"),
    await authentication.isKeyOf("192.0.2.9", "acme", Buffer.alloc(1)),
  ]) {
    assert.ok(result !== "known" && result.kind === "away");
    assert.match(result.text, /database cannot be reached/);
  }
  await away.close();
});

test("wrong passwords of one user from many networks slow the user down and lock no one out", async () => {
  const { authentication, delays } = node({ value: Date.now() });
  for (let i = 0; i < 30; i++) await authentication.byPassword(`2001:db8:${i}::1`, "Many", "wrong");
  assert.deepEqual(new Set(delays), new Set([200]), "each network has its first try");
  assert.equal(kindOf(await authentication.byPassword("192.0.2.77", "many", "right")), "accepted");
  assert.equal(delays.at(-1), 2_000);
  assert.equal(kindOf(await authentication.bySignature("192.0.2.77", "keyed", () => true)), "accepted");
  assert.equal(delays.length, 31, "a key is not guessed, and waits for nothing");
});

test("a client has eight sessions over all nodes, and those of a dead node run out", async () => {
  const nowMs = { value: Date.now() };
  const clock = { now: () => nowMs.value };
  const nodes = [1, 2, 3].map(() => createSessionSlots({ database, clock, ids: createIds(), sessionsMax: 8 }));
  const taken = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => ({ node: nodes[i % 3], slot: await nodes[i % 3]?.take("SLOTS", "c") })),
  );
  const held = taken.flatMap(({ node, slot }) => (slot === undefined ? [] : [{ node, slot }]));
  assert.equal(held.length, 8);
  await held[0]?.slot.free();
  assert.ok(await nodes[0]?.take("SLOTS", "c"));
  assert.equal(await nodes[1]?.take("SLOTS", "c"), undefined);
  assert.ok(await nodes[1]?.take("OTHERS", "c"), "another client's do not count");
  nowMs.value += 20_000;
  const all = held.map(({ slot }) => slot.sessionId);
  // A node that has at least one slot: their distribution over the three nodes is random, and one of them may have
  // none.
  const kept = await held.at(-1)?.node?.renew(all);
  assert.ok(kept && kept.size > 0);
  nowMs.value += 9_000;
  const free = await Promise.all(Array.from({ length: 8 }, () => nodes[2]?.take("SLOTS", "c")));
  assert.equal(free.filter((slot) => slot !== undefined).length, 8 - kept.size, "what was renewed is still held");
});

test("host keys are created once by any node, and cannot be decrypted with another master key", async () => {
  const secretBox = createSecretBox("another master key, 32 characters or more");
  await database.query({ text: "delete from sftp_host_key", name: "", values: [], isTenant: false });
  const all = await Promise.all([1, 2, 3].map(() => openHostKeys({ database, clock: systemClock, secretBox })));
  const again = await openHostKeys({ database, clock: systemClock, secretBox });
  for (const keys of all) assert.deepEqual(keys, again);
  assert.deepEqual(
    again.map(({ algorithm }) => algorithm),
    ["ssh-ed25519", "ssh-rsa"],
  );
  assert.ok(again.every(({ fingerprint }) => /^SHA256:[A-Za-z0-9+/]{43}$/.test(fingerprint)));
  const stranger = createSecretBox("yet another master key of 32 characters");
  await assert.rejects(openHostKeys({ database, clock: systemClock, secretBox: stranger }), /CROSSDOCK_SECRET/);
  await database.query({ text: "delete from sftp_host_key", name: "", values: [], isTenant: false });
});

test("over the wire: the address is locked out with words, and another one of the same client is not", async () => {
  const sftp = await startTestSftp(database);
  const { authentication } = node({ value: Date.now() });
  for (let i = 0; i < 9; i++) await authentication.byPassword("127.0.0.1", "acme", "wrong");
  const banners: string[] = [];
  const attempt = (config: Partial<ConnectConfig>) =>
    new Promise<string>((resolve) => {
      const client = new ssh2.Client();
      client.on("banner", (text) => banners.push(text));
      client.on("error", (error) => resolve(error.message));
      client.on("ready", () => resolve("ready"));
      client.on("close", () => client.destroy());
      client.connect({ host: sftp.server.host, port: sftp.server.port, username: "acme", password, ...config });
    });
  assert.match(await attempt({ password: "wrong" }), /All configured authentication methods failed/);
  assert.match(banners.join(), /Too many wrong log-ins from this address: try again in 15 minutes/);
  assert.notEqual(await attempt({}), "ready");
  assert.equal(await attempt({ localAddress: "127.0.0.2" }), "ready");
  assert.ok(sftp.logged.some(({ msg }) => msg === "an address was locked out of SFTP"));
  assert.ok(!JSON.stringify(sftp.logged).includes('wrong\\"'));
  await database.query({ text: "delete from sftp_login_failure", name: "", values: [], isTenant: false });
});

test("over the wire: an agent with many unknown keys locks no one out", async () => {
  const sftp = await startTestSftp(database);
  const rsa = makeKey("rsa", "rsa");
  const credential = { clientId: "ACME", credentialId: "k", passwordHash: null, isSuspended: false };
  sftp.logIns.set("keyed", { ...credential, publicKey: rsa.publicKey });
  const strangers = Array.from({ length: 12 }, (_, i) => makeKey(`stranger-${i}`, "ed25519"));
  for (let i = 0; i < 2; i++) {
    const client = await connect(sftp, {
      username: "keyed",
      authHandler: [...strangers, rsa].map(({ privateKey }) => ({
        type: "publickey",
        username: "keyed",
        key: privateKey,
      })) as NonNullable<ConnectConfig["authHandler"]>,
    });
    assert.ok(await openSftp(client));
    client.end();
  }
});

test("a signature must be of the known key, with a strong algorithm", () => {
  for (const type of ["ed25519", "ecdsa", "rsa"] as const) {
    const pair = makeKey(`signing-${type}`, type);
    const parsed = ssh2.utils.parseKey(pair.privateKey);
    assert.ok(!(parsed instanceof Error));
    const blob = Buffer.from("what is signed");
    const request = { key: { algo: parsed.type, data: parsed.getPublicSSH() }, blob };
    const hash = type === "rsa" ? { hashAlgo: "sha512" } : {};
    const signature = parsed.sign(blob, hash.hashAlgo);
    assert.equal(isSignedWith(pair.publicKey, { ...request, ...hash, signature }), true, type);
    assert.equal(isSignedWith(pair.publicKey, { ...request, ...hash }), false, "without a signature");
    assert.equal(isSignedWith(key.publicKey, { ...request, ...hash, signature }), false, "of another key");
    signature[signature.length - 1] = (signature.at(-1) as number) ^ 1;
    assert.equal(isSignedWith(pair.publicKey, { ...request, ...hash, signature }), false, "changed");
    if (type !== "rsa") continue;
    for (const weak of [undefined, "sha1"]) {
      const weakHash = weak === undefined ? {} : { hashAlgo: weak };
      assert.equal(
        isSignedWith(pair.publicKey, { ...request, ...weakHash, signature: parsed.sign(blob, weak ?? "sha1") }),
        false,
      );
    }
  }
});
