// A token for an agent opens what its user may see of one client at /mcp, and nothing else (docs/agents.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConsoleUser, signIn } from "../support/app/console.ts";
import { testServer } from "../support/app/server.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { call } from "../support/http/call.ts";

const server = await testServer();
const secretOf = (clientId: string) => `origin-of-${clientId}`;
for (const clientId of ["ALPHA", "BETA"]) {
  const client = await server.onboard(clientId);
  await client.accept("CAT", catalogue(clientId, ["MUG"]));
  for (const facility of ["DC1", "DC2"]) {
    const orderId = `${clientId}-${facility}`;
    await client.accept(
      "NO",
      order(clientId, orderId, ["MUG"], { distributionCentre: facility, origin: secretOf(clientId) }),
    );
  }
}
const admin = await signIn(server, "admin");

async function tokenOf(user: ConsoleUser, more: object = {}): Promise<string> {
  const answer = await user.post("/agentToken/create", { name: "agent", clientId: "ALPHA", ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.token;
}

/** The whole answer of a tool, as text. */
async function use(token: string, name: string, args: object, headers: Record<string, string> = {}) {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const accept = "application/json, text/event-stream";
  const answer = await call("POST", `${server.url}/mcp`, { token, body, headers: { accept, ...headers } });
  assert.equal(answer.status, 200, `${answer.bytes}`);
  return `${answer.bytes}`;
}

test("the token of one client reads nothing of another", async () => {
  const token = await tokenOf(admin);
  assert.match(await use(token, "get_order", { orderId: "ALPHA-DC1" }), /origin-of-ALPHA/);
  const attempts: readonly (readonly [string, object])[] = [
    ["get_order", { orderId: "BETA-DC1" }],
    ["get_order", { orderId: "BETA-DC1", clientId: "BETA" }],
    ["get_order", { orderId: "BETA-DC1?clientId=BETA" }],
    ["get_order", { orderId: "BETA-DC1", clientId: ["BETA"] }],
    ["get_order", { orderId: "../../../user/list?clientId=ALPHA&x=" }],
    ["list_orders", { distributionCentre: "DC1", clientId: "BETA" }],
    ["list_orders", { distributionCentre: "DC1" }],
    ["find_items", { skus: ["MUG"], clientId: "BETA" }],
    ["get_proposal", { proposalId: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11", clientId: "BETA" }],
  ];
  for (const [name, args] of attempts) {
    const text = await use(token, name, args);
    assert.ok(!text.includes(secretOf("BETA")), `${name}: ${text}`);
    assert.ok(!text.includes(admin.userName), text);
  }
});

test("the limit to facilities holds", async () => {
  const limited = await signIn(server, "operator", { facilityCodes: ["DC1"] });
  const token = await tokenOf(limited);
  assert.match(await use(token, "get_order", { orderId: "ALPHA-DC1" }), /origin-of-ALPHA/);
  for (const [name, args, said] of [
    ["get_order", { orderId: "ALPHA-DC2" }, /"isError":true|not open to the user/],
    ["list_orders", { distributionCentre: "DC2" }, /not open to the user/],
    ["list_events", {}, /concerns all of them/],
    ["get_proposal", { proposalId: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11" }, /There is no tool/],
  ] as const) {
    assert.match(await use(token, name, args), said, name);
  }
});

test("it changes nothing, whatever headers it sends", async () => {
  const token = await tokenOf(admin, { mayPropose: true });
  const headers = { "x-injected-dry-run": "1", "x-injected-token": "t" };
  for (const path of [
    "/v1/operatorService/client/order/get/ALPHA-DC1?clientId=ALPHA",
    "/v1/operatorService/user/list",
    "/v1/operatorService/session/get",
    "/v1/orderService/order/get/ALPHA-DC1",
    "/v1/warehouseService/task/list",
  ]) {
    assert.equal((await call("GET", `${server.url}${path}`, { token, headers })).status, 401, path);
    const cookie = `crossdock_session=${token}`;
    assert.equal((await call("GET", `${server.url}${path}`, { headers: { ...headers, cookie } })).status, 401, path);
    const body = `crossdock_session=${token.slice("xda_".length)}`;
    assert.equal((await call("GET", `${server.url}${path}`, { headers: { cookie: body } })).status, 401, path);
  }
  const hold = "/v1/operatorService/client/order/hold/ALPHA-DC1?clientId=ALPHA";
  assert.equal((await call("POST", `${server.url}${hold}`, { token, body: {}, headers })).status, 401);
  const before = await server.rows("select version, status from sales_order where order_id = 'ALPHA-DC1'");
  assert.match(await use(token, "hold_order", { orderId: "ALPHA-DC1", proposalReason: "why" }, headers), /PENDING/);
  assert.deepEqual(await server.rows("select version, status from sales_order where order_id = 'ALPHA-DC1'"), before);
});

test("an altered token is refused", async () => {
  const token = await tokenOf(admin);
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  for (const wrong of [
    `${token.slice(0, -1)}${token.endsWith("A") ? "E" : "A"}`,
    token.slice(4),
    "xda_",
    `${token}A`,
  ]) {
    const answer = await call("POST", `${server.url}/mcp`, { token: wrong, body });
    assert.deepEqual([answer.status, answer.body.code ?? answer.body.type], [401, "/problems/token-invalid"], wrong);
    assert.match(answer.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
  }
});
