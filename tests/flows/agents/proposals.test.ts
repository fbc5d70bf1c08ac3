// Proposals of agents (docs/agents.md): a tool that changes something acts only when a person has approved it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { agentToolNames, changeClient, readSettings } from "#/modules/clients/index.ts";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { call } from "../../support/http/call.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await server.onboard("OTHER");
await demo.accept("CAT", catalogue("DEMO", ["MUG"]));
const token = await accessTokenOf(server.url, demo.credentials.oauth);
const anna = await signIn(server);
const ben = await signIn(server);
const viewer = await signIn(server, "viewer");
const stranger = await signIn(server, "operator", { clientIds: ["OTHER"] });

const client = new Client({ name: "helper", version: "2.1" }, { versionNegotiation: { mode: "auto" } });
const requestInit = { headers: { authorization: `Bearer ${token}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));

async function use(name: string, args: Record<string, unknown>) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  const [, data] = /^<data>\n(.*)\n<\/data>$/s.exec(text) ?? [];
  return { isError, text, value: data === undefined ? undefined : JSON.parse(data) };
}

let orders = 0;
async function newOrder(): Promise<string> {
  orders++;
  const orderId = `A-${orders}`;
  await demo.accept("NO", order("DEMO", orderId, ["MUG"], { distributionCentre: "DC1" }));
  // Allocation runs after the receipt and changes the order.
  await until("the allocation", async () => (await orderNow(orderId)).status !== "RECEIVED");
  return orderId;
}
const orderNow = async (orderId: string) => (await anna.get(`/client/order/get/${orderId}?clientId=DEMO`)).body;
const holdsOf = async (orderId: string) =>
  (await orderNow(orderId)).holds.map(({ type }: { readonly type: string }) => type);
const decide = (user: typeof anna, verb: string, proposalId: string, body = {}) =>
  user.post(`/proposal/${verb}/${proposalId}?clientId=DEMO`, body);
const hold = async (orderId: string, more = {}) => {
  const proposalReason = "The customer doubts the address.";
  const { value, text } = await use("hold_order", { orderId, reason: "Address in doubt", proposalReason, ...more });
  assert.equal(value?.status, "PENDING", text);
  return value;
};

test("a proposal does nothing, says what it would change, and acts when a person approves it", async () => {
  const orderId = await newOrder();
  const before = await orderNow(orderId);
  const proposed = await hold(orderId);
  assert.deepEqual(await orderNow(orderId), before);
  const changed = new Map<string, unknown[]>(
    proposed.changes.map((line: { field: string; before: string; after: string }) => [
      line.field,
      [line.before, line.after],
    ]),
  );
  assert.deepEqual(changed.get("status"), [before.status, "ON_HOLD"]);
  assert.deepEqual(changed.get("holds.0.reason"), [null, "Address in doubt"]);
  assert.deepEqual(changed.get("holds.count"), ["0", "1"]);
  assert.equal(changed.has("orderId"), false);

  const list = await anna.get("/proposal/list?status=PENDING");
  assert.deepEqual(
    list.body.items.map((item: typeof proposed) => [item.proposalId, item.tool, item.objectId, item.agent]),
    [[proposed.proposalId, "hold_order", orderId, "helper 2.1"]],
  );
  const approved = await decide(anna, "approve", proposed.proposalId);
  assert.deepEqual([approved.status, approved.body.status], [200, "EXECUTED"], JSON.stringify(approved.body));
  assert.deepEqual(approved.body.result, { status: 200, detail: null });
  assert.deepEqual(await holdsOf(orderId), ["CLIENT_REQUEST"]);

  const shown = await use("get_proposal", { proposalId: proposed.proposalId });
  assert.deepEqual(
    [shown.value.status, shown.value.decidedBy, shown.value.result],
    ["EXECUTED", `user:${anna.userName}`, { status: 200, detail: null }],
  );
});

test("agent and person are in the audit log, and the change has the person", async () => {
  const orderId = await newOrder();
  const { proposalId } = await hold(orderId);
  await decide(anna, "approve", proposalId);
  const entries = await server.rows<{ actor: string; action: string; object_type: string; agent: string | null }>(
    `select actor, action, object_type, detail ->> 'agent' as agent from audit_log
      where client_id = 'DEMO' and (object_id in ($1, $2) or detail ->> 'proposalId' = $1) order by audit_id`,
    proposalId,
    orderId,
  );
  assert.deepEqual(
    entries
      .filter(({ actor }) => !actor.startsWith("feed") && actor !== "worker")
      .map((entry) => Object.values(entry).join(" "))
      .filter((line) => !line.includes("create")),
    [
      "client:DEMO call agentTool helper 2.1",
      `user:${anna.userName} approve agentProposal helper 2.1`,
      `user:${anna.userName} hold order `,
    ],
  );
});

test("it acts at most once: after a crash between the change and its note, and where a person approves twice at once", async () => {
  const orderId = await newOrder();
  const { proposalId } = await hold(orderId);
  await decide(anna, "approve", proposalId);
  await anna.post(`/client/order/release/${orderId}?clientId=DEMO`, {});
  // As a process leaves it that ends between both transactions.
  await server.rows(
    "update agent_proposal set status = 'APPROVED', result = null where client_id = 'DEMO' and proposal_id = $1",
    proposalId,
  );
  const taken = await decide(ben, "approve", proposalId);
  assert.equal(taken.status, 409, JSON.stringify(taken.body));
  const again = await decide(anna, "approve", proposalId);
  assert.deepEqual([again.status, again.body.status], [200, "EXECUTED"]);
  assert.deepEqual(await holdsOf(orderId), [], "the hold was set once, and released since");

  const other = await newOrder();
  const twice = await hold(other);
  const both = await Promise.all([1, 2].map(() => decide(anna, "approve", twice.proposalId)));
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  const [{ count } = { count: 0 }] = await server.rows<{ count: number }>(
    "select count(*)::int as count from audit_log where client_id = 'DEMO' and object_id = $1 and action = 'hold'",
    other,
  );
  assert.equal(count, 1);
});

test("a rejected or expired proposal never acts, and the agent reads why", async () => {
  const orderId = await newOrder();
  const { proposalId } = await hold(orderId);
  const rejected = await decide(anna, "reject", proposalId, { reason: "The address is right." });
  assert.deepEqual([rejected.status, rejected.body.status], [200, "REJECTED"]);
  assert.equal((await decide(ben, "approve", proposalId)).status, 409);
  assert.equal((await decide(ben, "reject", proposalId)).status, 409);
  const shown = await use("get_proposal", { proposalId });
  assert.deepEqual([shown.value.status, shown.value.decisionReason], ["REJECTED", "The address is right."]);

  const late = await hold(orderId, { proposalHours: 1 });
  await server.rows(
    "update agent_proposal set expires_at = now() - interval '1 second' where client_id = 'DEMO' and proposal_id = $1",
    late.proposalId,
  );
  const expired = await decide(anna, "approve", late.proposalId);
  assert.deepEqual([expired.status, expired.body.detail], [409, "The proposal has expired."]);
  const list = await anna.get("/proposal/list?status=EXPIRED&clientId=DEMO");
  assert.deepEqual(
    list.body.items.map((item: { proposalId: string }) => item.proposalId),
    [late.proposalId],
  );
  assert.deepEqual(await holdsOf(orderId), []);
});

test("what the operation refuses is refused at once, and a refusal after the approval is FAILED", async () => {
  const absent = await use("hold_order", { orderId: "none", proposalReason: "why" });
  assert.deepEqual([absent.isError, absent.value.status], [true, 404]);
  assert.match((await use("hold_order", { orderId: "A-1" })).text, /proposalReason is a text/);
  assert.match(
    (await use("hold_order", { orderId: "A-1", proposalReason: "why", proposalHours: 73 })).text,
    /proposalHours is a number from 1 to 72/,
  );
  const orderId = await newOrder();
  const { proposalId } = await hold(orderId);
  await anna.post(`/client/order/cancel/${orderId}?clientId=DEMO`, { reason: "Ordered twice" });
  const failed = await decide(anna, "approve", proposalId);
  assert.deepEqual([failed.status, failed.body.status, failed.body.result.status], [200, "FAILED", 409]);
  assert.match(failed.body.result.detail, /CANCELLED|cancelled/);
  assert.match((await use("get_proposal", { proposalId: "none" })).text, /There is no such proposal/);
});

test("only a person who may change the object decides", async () => {
  const orderId = await newOrder();
  const { proposalId } = await hold(orderId);
  for (const user of [viewer, stranger]) {
    for (const verb of ["approve", "reject"]) assert.equal((await decide(user, verb, proposalId)).status, 403);
  }
  assert.equal((await viewer.get(`/proposal/get/${proposalId}?clientId=DEMO`)).status, 200);
  assert.equal((await stranger.get(`/proposal/get/${proposalId}?clientId=DEMO`)).status, 403);
  assert.deepEqual((await stranger.get("/proposal/list")).body.items, []);
  const none = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";
  for (const verb of ["approve", "reject"]) assert.equal((await decide(anna, verb, none)).status, 404);
  assert.equal((await anna.get(`/proposal/get/${none}?clientId=DEMO`)).status, 404);
  assert.deepEqual(await holdsOf(orderId), []);
});

test("every tool that changes something is a proposal whose dry run leaves no trace", async () => {
  const { tools } = await client.listTools();
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
  assert.deepEqual(writing, agentToolNames);
  const dc1 = await warehouseOf(server);
  await dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: "lot",
    reasonCode: "FOUND",
    lines: [{ sku: "MUG", qty: 2, batchRef: "L-1" }],
  });
  const orderId = await newOrder();
  const marks = () =>
    server.rows(
      `select (select max(version) from sales_order where client_id = 'DEMO' and order_id = $1) as version,
        (select count(*) from stock_movement where client_id = 'DEMO')::int as movements,
        (select count(*) from audit_log where client_id = 'DEMO' and object_id = $1)::int as entries`,
      orderId,
    );
  const before = await marks();
  for (const [name, args] of [
    ["cancel_order", { orderId, reason: "Ordered twice" }],
    ["cancel_order_line", { orderId, lineNumber: 1, reason: "Ordered twice" }],
    ["update_order", { orderId, shipToAddress: { city: "Bath" }, distributionCentre: "DC2" }],
    ["hold_lot", { sku: "MUG", lotNumber: "L-1", reason: "Recall" }],
  ] as const) {
    const proposed = await use(name, { ...args, proposalReason: "why" });
    assert.equal(proposed.value?.status, "PENDING", `${name}: ${proposed.text}`);
    assert.ok(proposed.value.changes.length > 0, name);
  }
  assert.deepEqual(await marks(), before);
  const moved = await use("update_order", { orderId, distributionCentre: "DC2", proposalReason: "why" });
  const approved = await decide(anna, "approve", moved.value.proposalId);
  assert.equal(approved.body.status, "EXECUTED", JSON.stringify(approved.body));
  assert.equal((await orderNow(orderId)).distributionCentre, "DC2");
});

test("a header of the network makes no dry run", async () => {
  const orderId = await newOrder();
  const headers = { "x-injected-dry-run": "1" };
  const held = await call("POST", `${server.url}/v1/orderService/order/hold/${orderId}`, { token, body: {}, headers });
  assert.equal(held.status, 200);
  assert.deepEqual(await holdsOf(orderId), ["CLIENT_REQUEST"]);
});

test("a tool that the client's setting names acts at once", async () => {
  const settings = readSettings(["agentTools=hold_order, release_order"]);
  assert.ok(settings.ok, JSON.stringify(settings));
  assert.equal(readSettings(["agentTools=get_order"]).ok, false);
  await server.operate((tx, change) => changeClient(tx.of("DEMO", change), { settings: settings.value }));
  const orderId = await newOrder();
  const held = await use("hold_order", { orderId, proposalReason: "why" });
  assert.equal(held.value.status, "ON_HOLD", held.text);
  assert.deepEqual(await holdsOf(orderId), ["CLIENT_REQUEST"]);
  const cancelled = await use("cancel_order", { orderId, reason: "Ordered twice", proposalReason: "why" });
  assert.equal(cancelled.value.status, "PENDING");
});

test("proposals beyond the bound are refused", async () => {
  const orderId = await newOrder();
  await server.rows(
    `insert into agent_proposal (client_id, proposal_id, tool, object_type, object_id, method, path, body, reason, agent, credential_id, dry_run, status, created_at, expires_at)
      select 'DEMO', gen_random_uuid(), 'cancel_order', 'order', 'none', 'POST', '/none', '{}', 'why', 'agent', 'none', '[]', 'PENDING', now(), now() + interval '1 hour'
      from generate_series(1, 200)`,
  );
  const refused = await use("cancel_order", { orderId, reason: "Ordered twice", proposalReason: "why" });
  assert.match(refused.text, /200 proposals wait already/);
});
