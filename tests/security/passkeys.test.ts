// Passkeys against forged answers: another origin, another user's key, a copied key, challenges that were answered or
// have expired.
import assert from "node:assert/strict";
import { test } from "node:test";
import { relyingPartyOf } from "#/console-api/index.ts";
import { testServer } from "../support/app/server.ts";
import { makeMember, memberWithApp, Visitor } from "../support/builders/second-factor.ts";
import { type Lies, SoftwarePasskey } from "../support/builders/software-passkey.ts";
import { type Attempt, holdAgainst, type Seen } from "./attempts.ts";

const server = await testServer({ CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1" });
const origin = `http://localhost:${new URL(server.url).port}`;

async function enrol(visitor: Visitor, passkey: SoftwarePasskey, name = "Key") {
  const { body: options } = await visitor.post("/factor/beginPasskey");
  return visitor.post("/factor/confirmPasskey", { name, credential: passkey.register(options) });
}

async function memberWithPasskey(userName: string) {
  const { password } = await makeMember(server, userName);
  const visitor = new Visitor(server.url);
  await visitor.signIn(userName, password);
  const passkey = new SoftwarePasskey(origin);
  const enrolled = await enrol(visitor, passkey);
  assert.equal(enrolled.status, 200, JSON.stringify(enrolled.body));
  assert.equal(enrolled.body.recoveryCodes.length, 10);
  return { userName, password, visitor, passkey };
}

/** A sign-in that waits for its second step, and its challenge. */
async function challenged({ userName, password }: { readonly userName: string; readonly password: string }) {
  const visitor = new Visitor(server.url);
  assert.equal((await visitor.signIn(userName, password)).status, 401);
  const { status, body: options } = await visitor.post("/session/challenge");
  assert.equal(status, 200, JSON.stringify(options));
  return { visitor, options };
}

const victim = await memberWithPasskey("victim");
const other = await memberWithPasskey("other");

type Victim = typeof victim;
/** A separate user for each attempt: attempts are counted by user. */
const victims: Victim[] = [];
for (let i = 0; i < 24; i++) victims.push(await memberWithPasskey(`victim${i}`));
await server.rows("update console_factor set sign_count = 50 where user_name like 'victim_%'");

function attempt(what: string, run: (victim: Victim) => Promise<Seen>): Attempt {
  const victim = victims.pop();
  assert.ok(victim, "there are too few users");
  return { attempt: what, send: () => run(victim), expected: { status: 422, type: "unprocessable" } };
}

test("a passkey is enrolled, named, and signs in", async () => {
  const { visitor, options } = await challenged(victim);
  assert.deepEqual(
    [options.rpId, options.allowCredentials],
    ["localhost", [{ id: victim.passkey.credentialId, type: "public-key", transports: ["usb"] }]],
  );
  assert.deepEqual((await visitor.get("/session/step")).body.methods, ["PASSKEY", "RECOVERY_CODE"]);
  const proved = await visitor.post("/session/prove", { passkey: victim.passkey.sign(options) });
  assert.equal(proved.status, 200, JSON.stringify(proved.body));
  assert.equal(proved.body.userName, "victim");
  const [factor] = (await visitor.get("/factor/list")).body.items;
  assert.deepEqual([factor.kind, factor.name, factor.lastUsedAt !== null], ["PASSKEY", "Key", true]);
  const [line] = await server.rows<{ detail: object }>(
    "select detail from audit_log where object_id = 'victim' and action = 'sign-in' order by audit_id desc limit 1",
  );
  assert.deepEqual(line?.detail, { by: "password", factor: "PASSKEY" });
});

test("a second passkey is enrolled, and either signs in", async () => {
  const member = await memberWithPasskey("both");
  const second = new SoftwarePasskey(origin);
  const added = await enrol(member.visitor, second, "Second");
  assert.equal(added.body.recoveryCodes, null);
  for (const passkey of [second, member.passkey]) {
    const { visitor, options } = await challenged(member);
    assert.equal((await visitor.post("/session/prove", { passkey: passkey.sign(options) })).status, 200);
  }
  const [first] = (await member.visitor.get("/factor/list")).body.items;
  assert.equal((await member.visitor.send("DELETE", `/factor/delete/${first.factorId}`)).status, 204);
  const { visitor, options } = await challenged(member);
  assert.equal((await visitor.post("/session/prove", { passkey: member.passkey.sign(options) })).status, 422);
});

const lies: readonly (readonly [string, Lies])[] = [
  ["of another origin", { origin: "https://evil.example" }],
  ["of another port", { origin: "http://localhost:1" }],
  ["of this address instead of its name", { origin: server.url }],
  ["made for another name", { rpId: "evil.example" }],
  ["to another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ["that enrols instead of proving", { type: "webauthn.create" }],
  ["of a copy whose counter is behind", { counter: 1 }],
  ["of a copy whose counter stays", { counter: 50 }],
  ["signed by another key", { key: other.passkey.keys.privateKey }],
  ["without a touch", { isUntouched: true }],
  ["by an unknown credential", { credentialId: "bm9ib2R5" }],
  [
    "by another user's credential, with its key",
    { credentialId: other.passkey.credentialId, key: other.passkey.keys.privateKey },
  ],
];

async function prove(visitor: Visitor, passkey: Record<string, unknown>): Promise<Seen> {
  const { status, body } = await visitor.post("/session/prove", { passkey });
  assert.ok(!(await visitor.isIn()));
  return { status, text: JSON.stringify(body) };
}

const malformed = (id: string) => [{}, { id: 1 }, { id }, { id, rawId: id, type: "public-key", response: null }];

const attempts: Attempt[] = [
  ...lies.map(([what, lie]) =>
    attempt(`answer ${what}`, async (victim) => {
      const { visitor, options } = await challenged(victim);
      return prove(visitor, victim.passkey.sign(options, { counter: 60, ...lie }));
    }),
  ),
  attempt("answer a challenge a second time", async (victim) => {
    const { visitor, options } = await challenged(victim);
    await prove(visitor, victim.passkey.sign(options, { counter: 1 }));
    return prove(visitor, victim.passkey.sign(options, { counter: 70 }));
  }),
  attempt("answer a challenge of another sign-in", async (victim) => {
    const [mine, theirs] = [await challenged(victim), await challenged(victim)];
    return prove(mine.visitor, victim.passkey.sign(theirs.options, { counter: 70 }));
  }),
  attempt("answer a challenge that is five minutes old", async (victim) => {
    const { visitor, options } = await challenged(victim);
    await server.rows("update console_session set challenge_expires_at = now() where challenge is not null");
    return prove(visitor, victim.passkey.sign(options, { counter: 70 }));
  }),
  attempt("answer without a challenge", async (victim) => {
    const visitor = new Visitor(server.url);
    await visitor.signIn(victim.userName, victim.password);
    return prove(visitor, victim.passkey.sign({ challenge: "AAAA" }, { counter: 70 }));
  }),
  ...[0, 1, 2, 3].map((i) =>
    attempt(`answer with what is no answer (${i + 1})`, async (victim) => {
      const { visitor } = await challenged(victim);
      return prove(visitor, malformed(victim.passkey.credentialId)[i] as Record<string, unknown>);
    }),
  ),
];

holdAgainst(attempts, () =>
  server.rows(
    "select user_name, credential_id, sign_count, last_used_at from console_factor order by user_name, credential_id limit 100",
  ),
);

test("a passkey that another user has is not enrolled a second time, and nothing that does not answer the challenge", async () => {
  const { visitor } = await memberWithApp(server, "taker");
  const stolen = await enrol(visitor, other.passkey);
  assert.deepEqual([stolen.status, stolen.body.type], [409, "/problems/conflict"]);
  for (const lie of [
    { origin: "https://evil.example" },
    { rpId: "evil.example" },
    { challenge: "AAAA" },
    { type: "webauthn.get" },
  ]) {
    const { body: options } = await visitor.post("/factor/beginPasskey");
    const credential = new SoftwarePasskey(origin).register(options, lie);
    assert.equal(
      (await visitor.post("/factor/confirmPasskey", { name: "Key", credential })).status,
      422,
      JSON.stringify(lie),
    );
  }
  const { body: options } = await visitor.post("/factor/beginPasskey");
  const credential = new SoftwarePasskey(origin).register(options);
  await visitor.post("/factor/confirmPasskey", { name: "Key", credential: { ...credential, id: "x" } });
  assert.equal(
    (await visitor.post("/factor/confirmPasskey", { name: "Key", credential })).status,
    422,
    "a challenge is used up",
  );
  assert.equal((await visitor.get("/factor/list")).body.items.length, 1);
  assert.equal((await visitor.post("/session/challenge")).status, 409, "there is no passkey to ask for");
});

test("passkeys take a name over https, or this machine", () => {
  const parties = [
    "https://wms.example.com",
    "https://wms.example.com:8443",
    "http://127.0.0.1:8080",
    "http://[::1]:80",
    "http://localhost:8080",
  ];
  assert.deepEqual(parties.map(relyingPartyOf), [
    { id: "wms.example.com", origin: "https://wms.example.com" },
    { id: "wms.example.com", origin: "https://wms.example.com:8443" },
    { id: "localhost", origin: "http://localhost:8080" },
    { id: "localhost", origin: "http://localhost" },
    { id: "localhost", origin: "http://localhost:8080" },
  ]);
  for (const url of ["http://wms.example.com", "https://192.0.2.1", "http://0.0.0.0:8080", "https://[2001:db8::1]"]) {
    assert.equal(relyingPartyOf(url), undefined, url);
  }
});

test("where there can be no passkeys, none is begun", async () => {
  const node = await server.startNode({ CROSSDOCK_BASE_URL: "http://192.0.2.1:8080" });
  const { password } = await makeMember(server, "nowhere");
  const visitor = new Visitor(node.url);
  await visitor.signIn("nowhere", password);
  assert.equal((await visitor.get("/factor/list")).body.passkeyOrigin, null);
  assert.equal((await visitor.post("/factor/beginPasskey")).status, 409);
});
