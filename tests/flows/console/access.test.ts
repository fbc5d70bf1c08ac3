// contract operations.md §5: who signs in to the console, for how long, and what a session, a role and limits permit.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { createUser } from "#/console-api/index.ts";
import { type ConsoleUser, signIn, signInAs } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";

const server = await testServer();
await server.onboard("ALPHA");
await server.onboard("BETA");
const admin = await signIn(server, "admin");

const json = { "content-type": "application/json" };

function tryToSignIn(userName: string, password: string, headers: Record<string, string> = {}, url = server.url) {
  return fetch(`${url}/v1/operatorService/session/create`, {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify({ userName, password }),
  });
}

async function typeOf(response: Response): Promise<string> {
  return ((await response.json()) as { type: string }).type;
}

const isSignedIn = async (user: ConsoleUser) => (await user.get("/session/get")).status === 200;

async function audited(userName: string): Promise<string[]> {
  const rows = await server.rows<{ action: string; actor: string }>(
    `select action, actor from audit_log where client_id = '' and object_type = 'user' and object_id = $1 order by audit_id limit 100`,
    userName,
  );
  return rows.map(({ action, actor }) => `${actor} ${action}`);
}

test("signing in sets a cookie that scripts do not see, and answers who has signed in", async () => {
  const made = await server.operate((tx, change) =>
    createUser(tx, change, { userName: "anna", role: "operator", clientIds: ["ALPHA"], facilityCodes: ["DC1"] }),
  );
  assert.ok(made.ok);
  const response = await tryToSignIn("ANNA", made.value.password);
  assert.equal(response.status, 201);
  const cookie = response.headers.get("set-cookie") ?? "";
  assert.match(cookie, /^crossdock_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.equal(response.headers.get("cache-control"), "no-store");
  const session = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(
    { ...session, csrfToken: typeof session.csrfToken, expiresAt: typeof session.expiresAt },
    {
      userName: "anna",
      role: "operator",
      clientIds: ["ALPHA"],
      facilityCodes: ["DC1"],
      environment: "sandbox",
      isMailMissing: false,
      identityProvider: null,
      csrfToken: "string",
      expiresAt: "string",
      // Nothing is configured: clients use the console's own address.
      addresses: { base: null, feed: null, auth: null, sftpPort: null },
    },
  );
  const hours = (Date.parse(session.expiresAt as string) - Date.now()) / 3_600_000;
  assert.ok(hours > 11.9 && hours <= 12);
  const anna = await signInAs(server, "anna", made.value.password);
  assert.deepEqual((await anna.get("/session/get")).body.clientIds, ["ALPHA"]);
  assert.deepEqual(await audited("anna"), ["test create", "user:anna sign-in", "user:anna sign-in"]);
  const [row] = await server.rows<{ session_sha256: Buffer }>("select session_sha256 from console_session limit 1");
  assert.equal(row?.session_sha256.length, 32);
  const lines = server.logged.join("\n");
  assert.ok(!lines.includes(anna.cookie.split("=")[1] as string) && !lines.includes(made.value.password));
});

test("a session names the addresses that clients are to use, as they were configured", async () => {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "guide", role: "viewer" }));
  assert.ok(made.ok);
  const addressesAt = async (environment: Record<string, string>) => {
    const node = await server.startNode(environment);
    const { body } = await (await signInAs(node, "guide", made.value.password)).get("/session/get");
    await node.stop();
    return { port: node.sftp?.port, addresses: body.addresses };
  };
  const local = await addressesAt({ CROSSDOCK_SFTP_PORT: "0" });
  assert.ok(local.port);
  assert.deepEqual(local.addresses, { base: null, feed: null, auth: null, sftpPort: local.port });
  const base = "https://crossdock.example";
  const behindOne = { base, feed: base, auth: base, sftpPort: null };
  assert.deepEqual((await addressesAt({ CROSSDOCK_BASE_URL: base, CROSSDOCK_SFTP_PORT: "0" })).addresses, behindOne);
  const feed = "https://feeds.example";
  const behindTwo = { ...behindOne, feed };
  assert.deepEqual((await addressesAt({ CROSSDOCK_BASE_URL: base, CROSSDOCK_FEED_URL: feed })).addresses, behindTwo);
});

test("a wrong password, an unknown name and a suspended user are the same 401, which takes the same time", async () => {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "boris", role: "viewer" }));
  assert.ok(made.ok);
  await admin.patch("/user/patch/boris", { isSuspended: true });
  const attempts = [
    ["boris", "wrong"],
    ["boris", made.value.password],
    ["nobody-of-this-name", "wrong"],
  ] as const;
  for (const [userName, password] of attempts) {
    const started = performance.now();
    const response = await tryToSignIn(userName, password);
    assert.equal(response.status, 401);
    assert.match(response.headers.get("www-authenticate") ?? "", /^Session /);
    assert.equal(await typeOf(response), "/problems/sign-in-refused");
    assert.ok(performance.now() - started > 10, "argon2id takes its time");
  }
});

test("refused sign-ins are counted by day, name and reason, and leave no line in the audit log", async () => {
  const lines = async () => (await server.rows("select audit_id from audit_log")).length;
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "rosa", role: "viewer" }));
  assert.ok(made.ok);
  const before = await lines();
  for (let i = 0; i < 5; i++) assert.equal((await tryToSignIn("rosa", `guess ${i}`)).status, 401);
  for (let i = 0; i < 3; i++) assert.equal((await tryToSignIn(`a password of someone ${i}`, "wrong")).status, 401);
  assert.equal(await lines(), before);
  const { status, body } = await admin.get("/user/refusals?userName=rosa");
  assert.equal(status, 200, JSON.stringify(body));
  const [counted, ...more] = body.items;
  assert.deepEqual(more, []);
  const { firstAt, lastAt, ...rest } = counted;
  assert.ok(firstAt < lastAt);
  const day = firstAt.slice(0, 10);
  const ofRosa = { day, userName: "rosa", reason: "NAME_OR_PASSWORD", refusals: 5, lastOrigin: "127.0.0.1" };
  assert.deepEqual(rest, ofRosa);
  // Page by page, with one row for all unknown names.
  const found: { userName: string | null; refusals: number }[] = [];
  for (let cursor = ""; ; ) {
    const page = (await admin.get(`/user/refusals?limit=1${cursor && `&cursor=${cursor}`}`)).body;
    found.push(...page.items);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  assert.ok((found.find(({ userName }) => userName === null)?.refusals ?? 0) >= 3);
  assert.equal(found.filter(({ userName }) => userName === null).length, 1);
  assert.ok(!JSON.stringify(found).includes("a password of someone"));
  assert.equal((await (await signIn(server, "operator")).get("/user/refusals")).status, 403);
});

test("after ten attempts a name gets 429 from its address, also with the right password, on every node", async () => {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "clara", role: "viewer" }));
  assert.ok(made.ok);
  for (let i = 0; i < 10; i++) assert.equal((await tryToSignIn("clara", "wrong")).status, 401);
  const late = await tryToSignIn("clara", made.value.password);
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get("retry-after")) >= 1);
  assert.equal(await typeOf(late), "/problems/rate-limited");
  const node = await server.startNode();
  try {
    // The other node reads the name's usage at its first try, and publishes its own tries at the same moment.
    await tryToSignIn("clara", "wrong", {}, node.url);
    await until("both nodes have shared their attempts", async () => {
      const [usage] = await server.rows<{ used: number }>(
        "select max(used)::integer as used from rate_limit_use where key like 'sign-in user %'",
      );
      return (usage?.used ?? 0) >= 11;
    });
    // The node applies the store's count a moment later; its own count alone permits nine more tries.
    let attempts = 0;
    await until("the other node to refuse", async () => {
      attempts++;
      return (await tryToSignIn("clara", made.value.password, {}, node.url)).status === 429;
    });
    assert.ok(attempts <= 9, `${attempts} attempts`);
  } finally {
    await node.stop();
  }
});

test("without a session, or with one that has ended, everything is 401, whether it exists or not", async () => {
  for (const [cookie, type] of [
    ["", "session-missing"],
    ["crossdock_session=short", "session-missing"],
    [`crossdock_session=${"a".repeat(43)}`, "session-ended"],
  ] as const) {
    for (const path of ["/session/get", "/user/list", "/client/order/list", "/nothing/here"]) {
      const response = await fetch(`${server.url}/v1/operatorService${path}`, { headers: { cookie } });
      assert.equal(response.status, 401, path);
      assert.equal(await typeOf(response), `/problems/${type}`);
    }
  }
});

test("a session ends by signing out, after 2 hours without use, and after 12 hours", async () => {
  const out = await signIn(server, "viewer");
  assert.ok(await isSignedIn(out));
  const gone = await out.delete("/session/delete");
  assert.equal(gone.status, 204);
  assert.match(gone.headers.get("set-cookie") ?? "", /^crossdock_session=; Max-Age=0; Path=\/;/);
  assert.equal(await isSignedIn(out), false);
  assert.deepEqual((await audited(out.userName)).slice(-1), [`user:${out.userName} sign-out`]);

  const idle = await signIn(server, "viewer");
  const age = (column: string, by: string) =>
    server.rows(
      `update console_session set ${column} = ${column} - $2::interval where user_name = $1`,
      idle.userName,
      by,
    );
  await age("last_used_at", "1 hour 59 minutes");
  assert.ok(await isSignedIn(idle), "and this use counts");
  await age("last_used_at", "1 hour 59 minutes");
  assert.ok(await isSignedIn(idle));
  await age("last_used_at", "2 hours 1 minute");
  assert.equal(await isSignedIn(idle), false);
  const old = await signIn(server, "viewer");
  await server.rows("update console_session set expires_at = now() where user_name = $1", old.userName);
  assert.equal(await isSignedIn(old), false);
});

test("a change of a user by an admin ends the user's sessions on all nodes at once", async () => {
  const node = await server.startNode();
  try {
    const changes: ((name: string) => Promise<{ status: number }>)[] = [
      (name) => admin.patch(`/user/patch/${name}`, { role: "operator" }),
      (name) => admin.patch(`/user/patch/${name}`, { clientIds: ["ALPHA"] }),
      (name) => admin.patch(`/user/patch/${name}`, { isSuspended: true }),
      (name) => admin.post(`/user/resetPassword/${name}`),
    ];
    for (const change of changes) {
      const user = await signIn(server, "viewer");
      const elsewhere = () => fetch(`${node.url}/v1/operatorService/session/get`, { headers: { cookie: user.cookie } });
      assert.equal((await elsewhere()).status, 200);
      assert.equal((await change(user.userName)).status, 200);
      assert.equal((await elsewhere()).status, 401);
    }
  } finally {
    await node.stop();
  }
});

test("a changed own password: the session continues, the others end, and only the new password signs in", async () => {
  const here = await signIn(server, "viewer");
  const there = await signInAs(server, here.userName, here.password);
  const wanted = "a long walk by the sea";
  const bad = await here.post("/session/changePassword", { currentPassword: "wrong", newPassword: wanted });
  assert.deepEqual([bad.status, bad.body.errors[0].pointer], [422, "#/currentPassword"]);
  const weakOnes = [
    "short",
    "aaaaaaaaaaaaaaaa",
    `${here.userName} and more`,
    "Password123456!",
    "all for Cross-Dock 7",
  ];
  for (const newPassword of [...weakOnes, "the A.L.P.H.A. of it all"]) {
    const body = { currentPassword: here.password, newPassword };
    const weak = await here.post("/session/changePassword", body);
    assert.deepEqual([weak.status, weak.body.errors[0].pointer], [422, "#/newPassword"]);
  }
  const changed = await here.post("/session/changePassword", { currentPassword: here.password, newPassword: wanted });
  assert.deepEqual([changed.status, changed.body.userName], [200, here.userName]);
  assert.deepEqual([await isSignedIn(here), await isSignedIn(there)], [true, false]);
  assert.equal((await tryToSignIn(here.userName, here.password)).status, 401);
  assert.equal((await tryToSignIn(here.userName, wanted)).status, 201);
  // A user who is limited to other clients learns nothing of ALPHA.
  const limited = await signIn(server, "viewer", { clientIds: ["BETA"] });
  const taken = { currentPassword: limited.password, newPassword: "the alpha of it all" };
  assert.equal((await limited.post("/session/changePassword", taken)).status, 200);
});

test("a write needs the CSRF token of the session and comes from the same origin", async () => {
  const user = await signIn(server, "operator");
  const other = await signIn(server, "operator");
  const send = (headers: Record<string, string>) =>
    fetch(`${server.url}/v1/operatorService/session/delete`, {
      method: "DELETE",
      headers: { cookie: user.cookie, ...headers },
    });
  const { csrfToken } = user;
  for (const headers of [
    {},
    { "x-csrf-token": "" },
    { "x-csrf-token": other.csrfToken },
    { "x-csrf-token": csrfToken, "sec-fetch-site": "cross-site" },
    { "x-csrf-token": csrfToken, "sec-fetch-site": "same-site" },
    { "x-csrf-token": csrfToken, origin: "https://elsewhere.example" },
    { "x-csrf-token": csrfToken, origin: "null" },
  ] as Record<string, string>[]) {
    const response = await send(headers);
    assert.equal(response.status, 403, JSON.stringify(headers));
    assert.equal(await typeOf(response), "/problems/csrf-refused");
  }
  const foreign = await tryToSignIn(user.userName, user.password, { "sec-fetch-site": "cross-site" });
  assert.equal(foreign.status, 403);
  const ownHeaders = { "x-csrf-token": csrfToken, "sec-fetch-site": "same-origin", origin: server.url };
  assert.equal((await send(ownHeaders)).status, 204);
});

test("in production a password over plain http is refused; over https the cookie is Secure, and without a mail server the session and health say so", async () => {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "dora", role: "viewer" }));
  assert.ok(made.ok);
  assert.deepEqual(await (await fetch(`${server.url}/healthz`)).json(), { status: "ok" });
  const node = await server.startNode({
    CROSSDOCK_ENVIRONMENT: "production",
    CROSSDOCK_GS1_PREFIX: "0614141",
    CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1",
  });
  try {
    const plain = await tryToSignIn("dora", made.value.password, {}, node.url);
    assert.deepEqual([plain.status, await typeOf(plain)], [403, "/problems/https-required"]);
    const secure = await tryToSignIn("dora", made.value.password, { "x-forwarded-proto": "https" }, node.url);
    assert.equal(secure.status, 201);
    assert.match(
      secure.headers.get("set-cookie") ?? "",
      /^__Host-crossdock_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    // No mail server is configured: session and health say that alerts reach no person.
    const session = (await secure.json()) as { environment: string; isMailMissing: boolean };
    assert.deepEqual([session.environment, session.isMailMissing], ["production", true]);
    const warnings = ["alerts reach no person, because no mail server is configured"];
    const health = await Promise.all(
      ["/healthz", "/readyz"].map(async (path) => (await fetch(node.url + path)).json()),
    );
    assert.deepEqual(health, [
      { status: "ok", warnings },
      { status: "ready", warnings },
    ]);
  } finally {
    await node.stop();
  }
});

test("an admin makes users, sees them, limits them and gives them passwords", async () => {
  const body = { userName: "Emil", role: "viewer", clientIds: ["ALPHA"], facilityCodes: [] };
  const key = { "idempotency-key": "emil" };
  const made = await admin.post("/user/create", body, key);
  assert.equal(made.status, 201);
  assert.equal(made.headers.get("location"), "/v1/operatorService/user/get/Emil");
  assert.deepEqual([made.body.user.clientIds, made.body.user.facilityCodes], [["ALPHA"], null]);
  assert.equal((await admin.post("/user/create", body, key)).body.password, "***");
  const emil = await signInAs(server, "emil", made.body.password);
  assert.equal((await admin.post("/user/create", { userName: "EMIL", role: "viewer" })).status, 409);
  for (const unknown of [{ clientIds: ["NOBODY"] }, { facilityCodes: ["DC9"] }]) {
    assert.equal((await admin.post("/user/create", { userName: "x", role: "viewer", ...unknown })).status, 422);
    assert.equal((await admin.patch("/user/patch/emil", unknown)).status, 422);
  }
  const patched = await admin.patch("/user/patch/emil", { role: "operator", clientIds: [] });
  assert.deepEqual([patched.status, patched.body.role, patched.body.clientIds], [200, "operator", null]);
  assert.equal(await isSignedIn(emil), false);
  const reset = await admin.post("/user/resetPassword/emil");
  assert.equal(reset.status, 200);
  assert.equal((await tryToSignIn("emil", made.body.password)).status, 401);
  await signInAs(server, "emil", reset.body.password);
  assert.notEqual((await admin.get("/user/get/emil")).body.lastSignInAt, null);
  for (const path of ["/user/get/nobody", "/user/patch/nobody", "/user/resetPassword/nobody"]) {
    const answer = path.includes("get")
      ? await admin.get(path)
      : path.includes("patch")
        ? await admin.patch(path, {})
        : await admin.post(path);
    assert.equal(answer.status, 404);
  }
  assert.deepEqual(
    (await audited("Emil")).filter((line) => !line.includes("sign-in")),
    [`user:${admin.userName} create`, `user:${admin.userName} change`, `user:${admin.userName} reset-password`],
  );
  const names: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await admin.get(`/user/list?limit=3${cursor && `&cursor=${cursor}`}`);
    names.push(...page.body.items.map((user: { userName: string }) => user.userName));
    if (page.body.nextCursor === null) break;
    cursor = page.body.nextCursor;
  }
  assert.ok(names.includes("Emil") && new Set(names).size === names.length);
});

test("an admin sees the open sessions of a user and ends one of them or all", async () => {
  const first = await signIn(server, "operator");
  const second = await signInAs(server, first.userName, first.password);
  const third = await signInAs(server, first.userName, first.password);
  const listed = async () => {
    const { status, body } = await admin.get(`/user/sessions/${first.userName.toUpperCase()}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.items as { sessionId: string; origin: string; startedAt: string; isOwn: boolean }[];
  };
  const revoke = (body: object) => admin.post(`/user/revokeSessions/${first.userName}`, body);
  const idOf = ({ cookie }: ConsoleUser) =>
    createHash("sha256")
      .update(cookie.split("=")[1] ?? "")
      .digest("base64url");
  const before = await listed();
  assert.deepEqual(before.map(({ sessionId }) => sessionId).toSorted(), [first, second, third].map(idOf).toSorted());
  assert.ok(before.every(({ origin, isOwn }) => origin === "127.0.0.1" && !isOwn));
  const sessions = (await admin.get(`/user/sessions/${admin.userName}`)).body.items;
  assert.equal(sessions.filter(({ isOwn }: { isOwn: boolean }) => isOwn).length, 1);

  assert.equal((await revoke({ sessionId: idOf(second) })).status, 200);
  assert.deepEqual([await isSignedIn(first), await isSignedIn(second), await isSignedIn(third)], [true, false, true]);
  assert.equal((await listed()).length, 2);
  assert.equal((await revoke({ sessionId: idOf(second) })).status, 404);
  assert.equal((await revoke({ sessionId: idOf(admin) })).status, 404, "it is another user's");
  assert.equal((await revoke({ sessionId: "short" })).status, 400);
  assert.equal((await revoke({})).status, 200);
  assert.deepEqual([await isSignedIn(first), await isSignedIn(third)], [false, false]);
  assert.deepEqual(await listed(), []);
  await signInAs(server, first.userName, first.password);
  assert.equal((await admin.patch(`/user/patch/${first.userName}`, { isSuspended: true })).status, 200);
  assert.deepEqual(await listed(), []);
  assert.deepEqual(
    (await audited(first.userName)).filter((line) => line.includes("revoke")),
    Array(2).fill(`user:${admin.userName} revoke-sessions`),
  );
  const operator = await signIn(server, "operator");
  const limited = await signIn(server, "admin", { facilityCodes: ["DC1"] });
  for (const user of [operator, limited]) {
    assert.equal((await user.get(`/user/sessions/${admin.userName}`)).status, 403);
    assert.equal((await user.post(`/user/revokeSessions/${admin.userName}`, {})).status, 403);
  }
  assert.equal((await admin.get("/user/sessions/nobody")).status, 404);
  assert.equal((await admin.post("/user/revokeSessions/nobody", {})).status, 404);
});

test("the last admin without limits stays one, no one suspends oneself, and an admin with limits makes no users", async () => {
  assert.equal((await admin.patch(`/user/patch/${admin.userName}`, { isSuspended: true })).status, 409);
  const last = await admin.patch(`/user/patch/${admin.userName}`, { role: "viewer" });
  assert.equal(last.status, 409, JSON.stringify(last.body));
  const limited = await signIn(server, "admin", { clientIds: ["ALPHA"] });
  for (const answer of [
    await limited.get("/user/list"),
    await limited.patch(`/user/patch/${limited.userName}`, { clientIds: [] }),
    await limited.post("/user/create", { userName: "y", role: "admin" }),
  ]) {
    assert.deepEqual([answer.status, answer.body.type], [403, "/problems/role-forbidden"]);
  }
});

test("a user's writes are the user's in the audit log, and a suspended client stays visible", async () => {
  const user = await signIn(server, "operator");
  const order = {
    clientId: "BETA",
    facilityCode: "DC1",
    finishedGoodSku: "X",
    qty: 1,
    components: [{ sku: "Y", qtyPer: 1 }],
  };
  assert.equal((await user.post("/client/workOrder/create", order)).status, 422);
  assert.equal((await user.get("/client/order/list")).status, 400);
  assert.equal((await user.get("/client/order/list?clientId=NOBODY")).status, 403);
  assert.equal((await user.get("/client/order/list?clientId=BETA")).status, 200);
  const found = await user.post("/client/findItemBySkuList", { clientId: "BETA", skus: ["X"] });
  assert.equal(found.body.items[0].found, false);
  await server.rows("update client set status = 'SUSPENDED' where client_id = 'BETA'");
  await server.operate(async () => {});
  assert.equal((await user.get("/client/order/list?clientId=BETA")).status, 200);
});
