// An agent on the MCP client of another vendor (docs/agents.md): it finds why an order waits, and a person approves
// what it proposes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMCPClient } from "@ai-sdk/mcp";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const anna = await signIn(server);
await demo.accept("CAT", catalogue("DEMO", ["MUG"]));
await demo.accept("NO", order("DEMO", "WEB-1", ["MUG"], { distributionCentre: "DC1" }));
// Allocation runs after the receipt and changes the order.
const orderNow = async () => (await anna.get("/client/order/get/WEB-1?clientId=DEMO")).body;
await until("the allocation", async () => (await orderNow()).status !== "RECEIVED");
const token = await accessTokenOf(server.url, demo.credentials.oauth);

const agent = await createMCPClient({
  name: "other",
  transport: { type: "http", url: `${server.url}/mcp`, headers: { authorization: `Bearer ${token}` } },
});

async function use(name: string, args: Record<string, unknown>) {
  const tool = (await agent.tools())[name];
  assert.ok(tool?.execute, `the tool ${name} is listed`);
  const answer = await tool.execute(args, { toolCallId: name, messages: [], context: undefined });
  const text = JSON.stringify(answer);
  const [, data] = /<data>\n(.*)\n<\/data>/s.exec((answer as Answer).content[0]?.text ?? "") ?? [];
  assert.ok(data !== undefined, text);
  return JSON.parse(data);
}
interface Answer {
  readonly content: readonly { readonly text?: string }[];
}

test("why has order WEB-1 not shipped? A hold is proposed, and a person approves it", async () => {
  const { summary, lines } = await use("explain_order", { orderId: "WEB-1" });
  assert.match(summary, /^Line 1 waits for 1 EA of MUG at DC1: pool DEFAULT has no stock at DC1\./);
  assert.equal(lines[0].sku, "MUG");
  const proposed = await use("hold_order", {
    orderId: "WEB-1",
    reason: "No stock before Monday",
    proposalReason: summary,
  });
  assert.equal(proposed.status, "PENDING");
  assert.deepEqual((await orderNow()).holds, []);
  const approved = await anna.post(`/proposal/approve/${proposed.proposalId}?clientId=DEMO`, {});
  assert.equal(approved.body.status, "EXECUTED", JSON.stringify(approved.body));
  assert.equal((await orderNow()).holds[0].reason, "No stock before Monday");
  assert.equal((await use("get_proposal", { proposalId: proposed.proposalId })).status, "EXECUTED");
  await agent.close();
});
