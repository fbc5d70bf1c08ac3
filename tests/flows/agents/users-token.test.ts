// Tokens by which an agent acts for a user of the console (docs/agents.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import { type ConsoleUser, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { call } from "../../support/http/call.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
for (const [client, clientId] of [
  [demo, "DEMO"],
  [other, "OTHER"],
] as const) {
  await client.accept("CAT", catalogue(clientId, ["MUG"]));
  for (const facility of ["DC1", "DC2"]) {
    await client.accept("NO", order(clientId, `${clientId}-${facility}`, ["MUG"], { distributionCentre: facility }));
  }
}
const admin = await signIn(server, "admin");
const anna = await signIn(server);
const orderNow = async () => (await anna.get("/client/order/get/DEMO-DC1?clientId=DEMO")).body;
await until("the allocation", async () => (await orderNow()).status !== "RECEIVED");

async function issue(user: ConsoleUser, more: object = {}) {
  const answer = await user.post("/agentToken/create", { name: "Order desk", clientId: "DEMO", ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: "helper", version: "2.1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  return client;
}

async function use(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  const [, data] = /^<data>\n(.*)\n<\/data>$/s.exec(text) ?? [];
  return { isError, text, value: data === undefined ? undefined : JSON.parse(data) };
}

/** The status of a call with a token at `/mcp`. */
async function statusOf(token: string): Promise<number> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { accept: "application/json, text/event-stream" };
  return (await call("POST", `${server.url}/mcp`, { token, body, headers })).status;
}

test("a token is shown once, stored as its hash, listed, and limited in time and number", async () => {
  const key = { "idempotency-key": "first" };
  const wanted = { name: "Order desk", clientId: "DEMO" };
  const first = await anna.post("/agentToken/create", wanted, key);
  const { agentToken, token } = first.body;
  assert.match(token, /^xda_[\w-]{43}$/);
  const hours = (Date.parse(agentToken.expiresAt) - Date.parse(agentToken.startedAt)) / hourMs;
  assert.deepEqual([agentToken.mayPropose, agentToken.lastUsedAt, hours], [false, null, 8]);
  const again = await anna.post("/agentToken/create", wanted, key);
  assert.deepEqual(again.body, { agentToken, token: "***" });
  const stored = await server.rows<{ row: string }>("select s::text as row from console_session s");
  assert.ok(!stored.some(({ row }) => row.includes(token.slice(4))));
  assert.deepEqual((await anna.get("/agentToken/list")).body, { items: [agentToken] });
  assert.deepEqual((await admin.get("/agentToken/list")).body, { items: [] });
  const seen = (await admin.get(`/user/sessions/${anna.userName}`)).body.items;
  assert.deepEqual(
    seen.map(({ agentName }: { readonly agentName: string | null }) => agentName),
    ["Order desk", null],
  );

  const long = await issue(anna, { hours: 24 });
  assert.equal(Date.parse(long.agentToken.expiresAt) - Date.parse(long.agentToken.startedAt), dayMs);
  assert.equal((await anna.post("/agentToken/create", { ...wanted, hours: 25 })).status, 400);
  assert.equal((await anna.post("/agentToken/create", { ...wanted, clientId: "NONE" })).status, 422);
  const viewer = await signIn(server, "viewer");
  const ofDc1 = await signIn(server, "operator", { facilityCodes: ["DC1"] });
  for (const user of [viewer, ofDc1]) {
    const refused = await user.post("/agentToken/create", { ...wanted, mayPropose: true });
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, "#/mayPropose"]);
  }
  const stranger = await signIn(server, "operator", { clientIds: ["OTHER"] });
  assert.equal((await stranger.post("/agentToken/create", wanted)).status, 403);
  for (let issued = 0; issued < 20; issued++) await issue(viewer);
  assert.equal((await viewer.post("/agentToken/create", wanted)).status, 409);
});

test("an agent reads with the limits of its user, and what it proposes names both", async () => {
  const { token, agentToken } = await issue(anna, { mayPropose: true });
  const client = await connect(token);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 37);
  const explained = await use(client, "explain_order", { orderId: "DEMO-DC1" });
  assert.match(explained.value.summary, /^Line 1 waits for 1 EA of MUG/, explained.text);
  const stock = await use(client, "find_stock", { distributionCentre: "DC1", products: ["MUG"] });
  assert.equal(stock.value.items[0].sku, "MUG", stock.text);
  const before = await orderNow();
  const held = await use(client, "hold_order", { orderId: "DEMO-DC1", reason: "Doubt", proposalReason: "why" });
  assert.deepEqual(
    [held.value?.status, held.value?.agent, held.value?.proposedBy],
    ["PENDING", "helper 2.1", `user:${anna.userName}`],
    held.text,
  );
  assert.deepEqual(await orderNow(), before);
  const { proposalId } = held.value;
  const shown = await admin.get(`/proposal/get/${proposalId}?clientId=DEMO`);
  assert.deepEqual([shown.body.credentialId, shown.body.proposedBy], [agentToken.tokenId, `user:${anna.userName}`]);
  const approved = await admin.post(`/proposal/approve/${proposalId}?clientId=DEMO`, {});
  assert.equal(approved.body.status, "EXECUTED", JSON.stringify(approved.body));
  assert.equal((await use(client, "get_proposal", { proposalId })).value.status, "EXECUTED");
  const absent = await use(client, "cancel_order", { orderId: "none", reason: "why", proposalReason: "why" });
  assert.deepEqual([absent.isError, absent.value.status], [true, 404]);
  await client.close();

  const lines = await server.rows<{ actor: string; object_id: string; agent: string; credential: string }>(
    `select actor, object_id, detail ->> 'agent' as agent, detail ->> 'credentialId' as credential from audit_log
      where client_id = 'DEMO' and object_type = 'agentTool' order by audit_id`,
  );
  assert.deepEqual(
    lines,
    ["explain_order", "find_stock", "hold_order", "get_proposal", "cancel_order"].map((object_id) => ({
      actor: `user:${anna.userName}`,
      object_id,
      agent: "helper 2.1",
      credential: agentToken.tokenId,
    })),
  );
});

test("a setting by which the client's agents act at once does not hold for a user's agent", async () => {
  const settings = { settings: { agentTools: "hold_order" } };
  const set = await admin.patch("/clientDirectory/patch/OTHER", settings);
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const { token } = await issue(anna, { mayPropose: true, clientId: "OTHER" });
  const client = await connect(token);
  const held = await use(client, "hold_order", { orderId: "OTHER-DC1", proposalReason: "why" });
  assert.equal(held.value?.status, "PENDING", held.text);
  await client.close();
});

test("a token for reading proposes nothing, and a viewer's agent reads", async () => {
  const viewer = await signIn(server, "viewer");
  const { token } = await issue(viewer);
  const client = await connect(token);
  const { tools } = await client.listTools();
  assert.deepEqual([tools.length, tools.filter(({ annotations }) => annotations?.readOnlyHint).length], [27, 27]);
  const refused = await use(client, "hold_order", { orderId: "DEMO-DC1", proposalReason: "why" });
  assert.match(refused.text, /The token is for reading/);
  const page = await use(client, "list_orders", { distributionCentre: "DC1" });
  assert.equal(page.value.items.length, 1, page.text);
  const basket = await use(client, "validate_order", { orderId: "NEW" });
  assert.equal(basket.value.status, 400, basket.text);
  await client.close();
});

test("a token ends by its revocation, its time, and every change of its user's rights", async () => {
  const users = new Map<string, { user: ConsoleUser; token: string }>();
  for (const name of ["revoked", "expired", "suspended", "narrowed", "signed out"]) {
    const user = await signIn(server, "operator", { clientIds: ["DEMO", "OTHER"] });
    const { token, agentToken } = await issue(user);
    users.set(name, { user, token });
    assert.equal(await statusOf(token), 200);
    if (name === "revoked") {
      assert.equal((await anna.delete(`/agentToken/delete/${agentToken.tokenId}`)).status, 404);
      assert.equal((await user.delete(`/agentToken/delete/${agentToken.tokenId}`)).status, 204);
      assert.deepEqual((await user.get("/agentToken/list")).body, { items: [] });
    } else if (name === "expired") {
      await server.rows(
        "update console_session set expires_at = now() where agent_name is not null and user_name = $1",
        user.userName,
      );
    } else if (name === "signed out") await admin.post(`/user/revokeSessions/${user.userName}`, {});
    else {
      const change = name === "suspended" ? { isSuspended: true } : { clientIds: ["OTHER"] };
      assert.equal((await admin.patch(`/user/patch/${user.userName}`, change)).status, 200);
    }
    assert.equal(await statusOf(token), 401, name);
  }
  assert.equal(users.size, 5);
});
