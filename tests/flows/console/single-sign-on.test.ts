// Sign-in to the console by OpenID Connect, against a real provider (decision 0038).
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JWTPayload } from "jose";
import { createUser } from "#/console-api/index.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { signIn, signInAs } from "../../support/app/console.ts";
import { freePort } from "../../support/app/free-port.ts";
import { Browser, clientSecret, type TestProvider, testProvider } from "../../support/app/identity-provider.ts";
import { testServer } from "../../support/app/server.ts";

const port = await freePort();
const provider = await testProvider([`http://127.0.0.1:${port}`]);
const server = await testServer({ ...provider.environment, PORT: String(port) });
await server.onboard("ALPHA");
const service = `${server.url}/v1/operatorService`;

interface Arrived {
  readonly browser: Browser;
  /** The path where the browser ends, relative to the console's origin. */
  readonly place: string;
}

/** Goes from the button of the sign-in screen to the provider. @returns the address there */
async function begin(browser: Browser, query = ""): Promise<string> {
  const response = await browser.get(`${server.url}/console/oidc/begin${query}`);
  assert.equal(response.status, 302);
  return new URL(response.headers.get("location") ?? "", server.url).href;
}

async function arrive(browser: Browser, callback: string): Promise<Arrived> {
  const response = await browser.get(callback);
  assert.equal(response.status, 302);
  assert.equal(response.headers.get("cache-control"), "no-store");
  return { browser, place: response.headers.get("location") ?? "" };
}

async function signInBy(sub: string, { browser = new Browser(), query = "" } = {}): Promise<Arrived> {
  const callback = await browser.signInAt(provider, await begin(browser, query), sub);
  return arrive(browser, callback);
}

interface Session {
  readonly userName: string;
  readonly role: string;
  readonly clientIds: string[] | null;
  readonly facilityCodes: string[] | null;
  readonly identityProvider: string | null;
  readonly csrfToken: string;
}

async function sessionOf({ browser }: Arrived): Promise<Session | undefined> {
  const response = await browser.get(`${service}/session/get`);
  return response.status === 200 ? ((await response.json()) as Session) : undefined;
}

async function refusalOf(arrived: Arrived): Promise<string | null> {
  assert.equal(await sessionOf(arrived), undefined);
  return new URL(arrived.place, server.url).searchParams.get("refusal");
}

const auditOf = async (userName: string) => {
  const rows = await server.rows<{ actor: string; action: string; detail: Record<string, unknown> }>(
    "select actor, action, detail from audit_log where client_id = '' and object_type = 'user' and object_id = $1 order by audit_id limit 100",
    userName,
  );
  return rows.map(({ actor, action, detail }) => [actor, action, detail]);
};

const issuer = `${provider.issuer}/`;

test("the first sign-in makes a user with the role and the limits of the groups, and leads back to where one was", async () => {
  provider.setAccount("sub-anna", { preferred_username: "anna", groups: ["lumen-dc1", "lumen-dc2", "canteen"] });
  const arrived = await signInBy("sub-anna", { query: `?return=${encodeURIComponent("/orders?status=LATE")}` });
  assert.equal(arrived.place, "/console/orders?status=LATE");
  const session = await sessionOf(arrived);
  assert.deepEqual(
    [session?.userName, session?.role, session?.clientIds, session?.facilityCodes, session?.identityProvider],
    ["anna", "operator", ["ALPHA"], ["DC1", "DC2"], issuer],
  );
  const access = { role: "operator", clientIds: ["ALPHA"], facilityCodes: ["DC1", "DC2"] };
  assert.deepEqual(await auditOf("anna"), [
    ["identity-provider", "create", { ...access, by: issuer }],
    ["user:anna", "sign-in", { by: issuer }],
  ]);
  const cookies = [...(arrived.browser.cookies.get(server.url)?.keys() ?? [])];
  assert.deepEqual(cookies, ["crossdock_session"], "what was kept for the way is gone");
  const lines = server.logged.join("\n");
  assert.ok(!lines.includes(clientSecret) && !/code=|state=/.test(lines));
});

test("what the browser is sent to the provider with, and what it keeps", async () => {
  const response = await fetch(`${server.url}/console/oidc/begin`, { redirect: "manual" });
  const url = new URL(response.headers.get("location") ?? "");
  const query = Object.fromEntries(url.searchParams);
  assert.equal(url.origin, provider.issuer);
  assert.deepEqual(
    [query.response_type, query.client_id, query.redirect_uri, query.scope, query.code_challenge_method],
    ["code", "crossdock", `${server.url}/console/oidc/callback`, "openid profile email", "S256"],
  );
  for (const name of ["state", "nonce", "code_challenge"]) assert.match(query[name] ?? "", /^[\w-]{43}$/, name);
  const [cookie = ""] = response.headers.getSetCookie();
  assert.match(cookie, /^crossdock_sign_in=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.ok(!cookie.includes(query.state as string) && !cookie.includes(query.nonce as string), "it is sealed");
});

test("other groups at the next sign-in change role and limits, and end earlier sessions", async () => {
  provider.setAccount("sub-ben", { preferred_username: "ben", groups: ["staff"] });
  const before = await signInBy("sub-ben");
  assert.equal((await sessionOf(before))?.role, "viewer");
  provider.setAccount("sub-ben", { preferred_username: "benjamin", groups: "wms-admins" });
  const after = await signInBy("sub-ben");
  const session = await sessionOf(after);
  assert.deepEqual([session?.userName, session?.role, session?.clientIds], ["ben", "admin", null]);
  assert.equal(await sessionOf(before), undefined);
  const all = { role: "admin", clientIds: null, facilityCodes: null };
  assert.deepEqual((await auditOf("ben")).slice(2), [
    ["identity-provider", "change", all],
    ["user:ben", "sign-in", { by: issuer }],
  ]);
  const again = await signInBy("sub-ben");
  assert.ok((await sessionOf(again)) && (await sessionOf(after)), "what has not changed ends nothing");
});

test("a user whose groups have no role is refused, and loses earlier sessions", async () => {
  provider.setAccount("sub-carl", { preferred_username: "carl", groups: ["canteen"] });
  assert.equal(await refusalOf(await signInBy("sub-carl")), "no-group");
  const [{ users } = { users: -1 }] = await server.rows<{ users: number }>(
    "select count(*)::int as users from console_user where user_name = 'carl'",
  );
  assert.equal(users, 0);
  provider.setAccount("sub-carl", { preferred_username: "carl", groups: ["staff"] });
  const before = await signInBy("sub-carl");
  assert.ok(await sessionOf(before));
  provider.setAccount("sub-carl", { preferred_username: "carl" });
  assert.equal(await refusalOf(await signInBy("sub-carl")), "no-group");
  assert.equal(await sessionOf(before), undefined);
});

test("sign-ins that are refused by groups or suspension are counted", async () => {
  provider.setAccount("sub-lea", { preferred_username: "lea", groups: ["staff"] });
  await signInBy("sub-lea");
  provider.setAccount("sub-lea", { preferred_username: "lea", groups: [] });
  assert.equal(await refusalOf(await signInBy("sub-lea")), "no-group");
  const admin = await signIn(server, "admin");
  const { items } = (await admin.get("/user/refusals?userName=lea")).body as { items: Record<string, unknown>[] };
  assert.deepEqual(
    items.map(({ reason, refusals }) => [reason, refusals]),
    [["NO_GROUP", 1]],
  );
});

test("a suspended user stays refused with any groups", async () => {
  provider.setAccount("sub-dora", { preferred_username: "dora", groups: ["staff"] });
  assert.ok(await sessionOf(await signInBy("sub-dora")));
  const admin = await signIn(server, "admin");
  assert.equal((await admin.patch("/user/patch/dora", { isSuspended: true })).status, 200);
  assert.equal(await refusalOf(await signInBy("sub-dora")), "suspended");
  provider.setAccount("sub-dora", { preferred_username: "dora", groups: ["wms-admins"] });
  assert.equal(await refusalOf(await signInBy("sub-dora")), "suspended");
  assert.equal((await admin.patch("/user/patch/dora", { isSuspended: false })).status, 200);
  assert.equal((await sessionOf(await signInBy("sub-dora")))?.role, "admin");
});

test("a name at the provider takes over no account: neither a local one nor another subject's", async () => {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "Eva", role: "admin" }));
  assert.ok(made.ok);
  const local = await signInAs(server, "Eva", made.value.password);
  for (const [sub, wanted] of [
    ["sub-eva", "eva-2"],
    ["sub-eva-too", "eva-3"],
    ["sub-eva", "eva-2"],
  ] as const) {
    provider.setAccount(sub, { preferred_username: "eva", groups: ["staff"] });
    const session = await sessionOf(await signInBy(sub));
    assert.deepEqual([session?.userName, session?.role], [wanted, "viewer"]);
  }
  const { body } = await local.get("/session/get");
  assert.deepEqual([body.userName, body.role, body.identityProvider], ["Eva", "admin", null]);
});

test("role, limits and password of such a user are not changed here", async () => {
  provider.setAccount("sub-finn", { preferred_username: "finn", groups: ["staff"] });
  const finn = await signInBy("sub-finn");
  const admin = await signIn(server, "admin");
  const { items } = (await admin.get("/user/list?limit=200")).body as { items: Record<string, unknown>[] };
  const providerOf = (name: string) => items.find(({ userName }) => userName === name)?.identityProvider;
  assert.deepEqual([providerOf("finn"), providerOf(admin.userName)], [issuer, null]);
  const changed = await admin.patch("/user/patch/finn", { role: "admin" });
  assert.equal(changed.status, 409);
  assert.match(
    changed.body.detail,
    /^Role and limits of user 'finn' come from the groups at http.*CROSSDOCK_OIDC_ACCESS/,
  );
  assert.equal((await admin.patch("/user/patch/finn", { facilityCodes: ["DC1"] })).status, 409);
  const reset = await admin.post("/user/resetPassword/finn");
  assert.equal(reset.status, 409);
  assert.match(reset.body.detail, /has no password here/);
  const session = await sessionOf(finn);
  const answer = await finn.browser.get(`${service}/session/changePassword`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": session?.csrfToken ?? "" },
    body: JSON.stringify({ currentPassword: "no one has this password", newPassword: "a long walk by the sea" }),
  });
  assert.equal(answer.status, 422);
  assert.ok(await sessionOf(finn));
});

test("a callback without the browser's own sign-in is refused before the provider is asked", async () => {
  provider.setAccount("sub-gil", { preferred_username: "gil", groups: ["staff"] });
  const attacker = new Browser();
  const callback = await attacker.signInAt(provider, await begin(attacker), "sub-gil");
  const count = provider.asked.length;
  // An attacker's own code in the browser of a victim would sign the victim in as the attacker.
  assert.equal(await refusalOf(await arrive(new Browser(), callback)), "stale");
  const tampered = new Browser();
  await begin(tampered);
  const cookies = tampered.cookies.get(server.url) as Map<string, string>;
  const [name = "", value = ""] = [...cookies][0] ?? [];
  cookies.set(name, `${value.slice(0, -2)}AA`);
  assert.equal(await refusalOf(await arrive(tampered, callback)), "stale");
  assert.equal(provider.asked.length, count);
  // A sign-in that the victim starts has a separate state.
  const victim = new Browser();
  await begin(victim);
  assert.equal(await refusalOf(await arrive(victim, callback)), "refused");
  assert.ok(!provider.asked.slice(count).includes("/token"), "the code was not even sent");
});

test("a code is valid once, and a sign-in can be completed once, with any result", async () => {
  provider.setAccount("sub-hal", { preferred_username: "hal", groups: ["staff"] });
  const browser = new Browser();
  const callback = await browser.signInAt(provider, await begin(browser), "sub-hal");
  const kept = new Map(browser.cookies.get(server.url));
  assert.ok(await sessionOf(await arrive(browser, callback)));
  const thief = new Browser();
  thief.cookies.set(server.url, new Map(kept));
  const count = provider.asked.length;
  assert.equal(await refusalOf(await arrive(thief, callback)), "stale");
  assert.equal(await refusalOf(await arrive(thief, callback)), "stale");
  // The state of the browser is used up, whatever the provider answers to the code.
  const keeper = new Browser();
  keeper.cookies.set(server.url, new Map(kept));
  assert.equal(await refusalOf(await arrive(keeper, callback)), "stale");
  assert.ok(!provider.asked.slice(count).includes("/token"), "the provider was not asked");
});

test("a sign-in that was begun more than ten minutes ago is stale", async () => {
  const browser = new Browser();
  const callback = await browser.signInAt(provider, await begin(browser), "sub-hal");
  const jar = browser.cookies.get(server.url) as Map<string, string>;
  const [[name, sealed] = ["", ""]] = [...jar].filter(([cookie]) => cookie.endsWith("crossdock_sign_in"));
  const box = createSecretBox(server.config.secret as string);
  const kept = JSON.parse(box.open(decodeURIComponent(sealed), "console sign-in") as string) as { untilMs: number };
  assert.ok(Math.abs(kept.untilMs - Date.now() - 10 * 60_000) < 60_000, "it is kept for ten minutes");
  const older = { ...kept, untilMs: kept.untilMs - 10 * 60_000 - 1_000 };
  jar.set(name, encodeURIComponent(box.seal(JSON.stringify(older), "console sign-in")));
  assert.equal(await refusalOf(await arrive(browser, callback)), "stale");
});

const now = () => Math.floor(Date.now() / 1_000);
const forgeries: Record<string, TestProvider["forge"]> = {
  "whose payload was changed": async (claims, sign) => {
    const [head, , signature] = (await sign(claims)).split(".");
    const payload = Buffer.from(JSON.stringify({ ...claims, sub: "sub-anna" })).toString("base64url");
    return `${head}.${payload}.${signature}`;
  },
  "that a stranger signed": (claims, sign) => sign(claims, "stranger"),
  "without a signature": async (claims) => {
    const part = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url");
    return `${part({ alg: "none" })}.${part(claims)}.`;
  },
  "with another nonce": (claims, sign) => sign({ ...claims, nonce: "another" }),
  "without a nonce": ({ nonce: _, ...claims }: JWTPayload, sign) => sign(claims),
  "for another client": (claims, sign) => sign({ ...claims, aud: "another" }),
  "of another issuer": (claims, sign) => sign({ ...claims, iss: "https://elsewhere.example" }),
  "that has expired": (claims, sign) => sign({ ...claims, iat: now() - 600, exp: now() - 300 }),
  "with a NUL in its subject": (claims, sign) => sign({ ...claims, sub: "sub-\0ida" }),
  "with half a surrogate pair as its subject": (claims, sign) => sign({ ...claims, sub: "sub-\ud800ida" }),
  "with a subject of 256 characters": (claims, sign) => sign({ ...claims, sub: "s".repeat(256) }),
  "in an answer of two megabytes": (claims, sign) => sign({ ...claims, more: "m".repeat(2_000_000) }),
  "without a subject": ({ sub: _, ...claims }: JWTPayload, sign) => sign(claims),
};
for (const [what, forge] of Object.entries(forgeries)) {
  test(`an ID token ${what} opens nothing`, async () => {
    provider.setAccount("sub-ida", { preferred_username: "ida", groups: ["wms-admins"] });
    provider.forge = forge;
    try {
      assert.equal(await refusalOf(await signInBy("sub-ida")), "refused");
    } finally {
      provider.forge = undefined;
    }
  });
}

test("an ID token that is signed again as it was opens a session: the forgeries fail by what they change", async () => {
  provider.forge = (claims, sign) => sign(claims);
  try {
    assert.equal((await sessionOf(await signInBy("sub-ida")))?.role, "admin");
  } finally {
    provider.forge = undefined;
  }
});

test("groups are read from the ID token, and from userinfo where it has none", async () => {
  provider.setAccount("sub-jan", { preferred_username: "jan", groups: ["staff"] });
  const askedFor = async () => {
    const before = provider.asked.length;
    const session = await sessionOf(await signInBy("sub-jan"));
    return { role: session?.role, asksUserinfo: provider.asked.slice(before).includes("/me") };
  };
  assert.deepEqual(await askedFor(), { role: "viewer", asksUserinfo: true });
  provider.forge = (claims, sign) => sign({ ...claims, groups: ["wms-admins"] });
  try {
    assert.deepEqual(await askedFor(), { role: "admin", asksUserinfo: false });
  } finally {
    provider.forge = undefined;
  }
});

for (const method of ["client_secret_post", "none"] as const) {
  test(`a provider that takes ${method} alone is sent that`, async () => {
    const ownPort = await freePort();
    const url = `http://127.0.0.1:${ownPort}`;
    const other = await testProvider([url], method);
    other.setAccount("sub-kim", { preferred_username: `kim.${method}`, groups: ["staff"] });
    const node = await server.startNode({ ...other.environment, PORT: String(ownPort) });
    try {
      const browser = new Browser();
      const begun = await browser.get(`${url}/console/oidc/begin`);
      const back = await browser.signInAt(other, begun.headers.get("location") ?? "", "sub-kim");
      assert.equal((await browser.get(back)).headers.get("location"), "/console/");
      const response = await browser.get(`${url}/v1/operatorService/session/get`);
      assert.equal(((await response.json()) as Session).userName, `kim.${method}`);
    } finally {
      await node.stop();
    }
  });
}

test("a user who cancels at the provider gets a message", async () => {
  const browser = new Browser();
  const { searchParams } = new URL(await begin(browser, "?return=/feeds"));
  const state = searchParams.get("state") ?? "";
  const query = new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
  const arrived = await arrive(browser, `${server.url}/console/oidc/callback?${query}`);
  assert.equal(await refusalOf(arrived), "cancelled");
  assert.equal(new URL(arrived.place, server.url).searchParams.get("return"), "/feeds");
});

test("a return address outside the console is replaced by its start page", async () => {
  for (const place of [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/../../evil",
    "/%0d%0aSet-Cookie:x=y",
    "/a\r\nLocation: https://evil.example",
    "javascript:alert(1)",
    ".evil.example/",
    "@evil.example/",
  ]) {
    const { place: end, browser } = await signInBy("sub-anna", { query: `?return=${encodeURIComponent(place)}` });
    const url = new URL(end, server.url);
    assert.equal(url.origin, server.url, place);
    assert.ok(url.pathname.startsWith("/console/"), `${place}: ${end}`);
    assert.ok(!browser.cookies.get(server.url)?.has("x"), place);
  }
  const twice = await signInBy("sub-anna", { query: "?return=/orders&return=//evil.example" });
  assert.equal(twice.place, "/console/");
});

test("a failing or hanging provider is reported as unavailable within seconds, and its recovery is noticed", async () => {
  const node = await server.startNode({ PORT: "0", CROSSDOCK_BASE_URL: server.url });
  try {
    const ask = async () => {
      const response = await fetch(`${node.url}/console/oidc/begin`, { redirect: "manual" });
      return response.headers.get("location") ?? "";
    };
    provider.state = "fails";
    assert.equal(await ask(), "/console/sign-in?refusal=unavailable");
    provider.state = "hangs";
    const started = performance.now();
    assert.deepEqual(await Promise.all([ask(), ask()]), Array(2).fill("/console/sign-in?refusal=unavailable"));
    assert.ok(performance.now() - started < 9_000);
    provider.state = "answers";
    assert.equal(new URL(await ask()).origin, provider.issuer);
  } finally {
    provider.state = "answers";
    await node.stop();
  }
});

test("a provider that stops between the two requests is said to be unavailable", async () => {
  const browser = new Browser();
  const callback = await browser.signInAt(provider, await begin(browser), "sub-anna");
  provider.state = "fails";
  try {
    assert.equal(await refusalOf(await arrive(browser, callback)), "unavailable");
  } finally {
    provider.state = "answers";
  }
});

test("disabled local accounts cannot sign in and lose their sessions; the provider's accounts work", async () => {
  const local = await signIn(server, "operator");
  const anna = await signInBy("sub-anna");
  const cookie = `crossdock_session=${anna.browser.cookies.get(server.url)?.get("crossdock_session")}`;
  provider.setAccount("sub-olga", { preferred_username: "olga", groups: "wms-admins" });
  const olga = await signInBy("sub-olga");
  const cookieOfOlga = `crossdock_session=${olga.browser.cookies.get(server.url)?.get("crossdock_session")}`;
  const csrfToken = (await sessionOf(olga))?.csrfToken ?? "";
  const node = await server.startNode({ PORT: "0", CROSSDOCK_LOCAL_SIGN_IN: "false" });
  try {
    const statusAt = async (header: string) =>
      (await fetch(`${node.url}/v1/operatorService/session/get`, { headers: { cookie: header } })).status;
    assert.deepEqual([await statusAt(local.cookie), await statusAt(cookie)], [401, 200]);
    const refused = await fetch(`${node.url}/v1/operatorService/session/create`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ userName: local.userName, password: local.password }),
    });
    assert.equal(refused.status, 401);
    assert.match(((await refused.json()) as { detail: string }).detail, /^Passwords are switched off here/);
    // An invitation creates a user with a password.
    const headers = { "content-type": "application/json", cookie: cookieOfOlga, "x-csrf-token": csrfToken };
    for (const [path, body] of [
      ["resend/019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11", {}],
      ["accept", { token: "a".repeat(43), userName: "greta", password: local.password }],
    ] as const) {
      const url = `${node.url}/v1/operatorService/invitation/${path}`;
      const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      assert.equal(answer.status, 409, `${path}: ${await answer.text()}`);
    }
    const methods = await fetch(`${node.url}/v1/operatorService/session/methods`);
    assert.deepEqual(await methods.json(), { isPasswordOpen: false, providerName: new URL(issuer).host });
  } finally {
    await node.stop();
  }
  const without = await server.startNode({
    PORT: "0",
    CROSSDOCK_OIDC_ISSUER: "",
    CROSSDOCK_OIDC_CLIENT_ID: "",
    CROSSDOCK_OIDC_CLIENT_SECRET: "",
    CROSSDOCK_OIDC_ACCESS: "",
  });
  try {
    const session = await fetch(`${without.url}/v1/operatorService/session/get`, { headers: { cookie } });
    assert.equal(session.status, 401, "a provider that is no longer set ends all sessions");
    const begun = await fetch(`${without.url}/console/oidc/begin`, { redirect: "manual" });
    assert.notEqual(begun.status, 302);
  } finally {
    await without.stop();
  }
});

test("the sign-in at the provider takes https in production", async () => {
  const production = await server.startNode({
    PORT: "0",
    CROSSDOCK_ENVIRONMENT: "production",
    CROSSDOCK_GS1_PREFIX: "9521321",
    CROSSDOCK_OIDC_ISSUER: "https://login.crossdock.example/",
    CROSSDOCK_BASE_URL: "https://wms.crossdock.example",
  });
  try {
    for (const path of ["begin", "callback?code=x"]) {
      const response = await fetch(`${production.url}/console/oidc/${path}`, { redirect: "manual" });
      assert.equal(response.headers.get("location"), "/console/sign-in?refusal=https");
    }
  } finally {
    await production.stop();
  }
});

test("one address goes to the provider a bounded number of times", async () => {
  const places = await Promise.all(
    Array.from({ length: 70 }, async () => {
      const response = await fetch(`${server.url}/console/oidc/begin`, { redirect: "manual" });
      return response.headers.get("location") ?? "";
    }),
  );
  assert.ok(places.includes("/console/sign-in?refusal=throttled"));
});
