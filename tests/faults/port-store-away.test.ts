// The warehouse port while the store is unavailable: a report gets a 503 in time and leaves nothing partial. The same
// report is accepted when the store is back (warehouse.md; a repeat answers the first result).
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { issueWarehouseCredential } from "#/modules/clients/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order, purchaseOrder } from "../support/builders/documents.ts";
import { brokenRules } from "../support/builders/stock.ts";
import type { Answer } from "../support/http/call.ts";
import { type Port, portOf } from "../support/warehouse/warehouse-port.ts";
import { startStoreProxy } from "./nodes/store-proxy.ts";

const answerMsMax = 5_000;
const resumeMsMax = 5_000;
const clientId = "DEMO";
const stretch = watchMachine();

const server = await testServer();
const client = await server.onboard(clientId);
const proxy = await startStoreProxy(server.config.database.url as string);
const node = await server.startNode({ DATABASE_URL: proxy.url });
atEnd(async () => {
  await node.stop();
  await proxy.close();
});
let port: Port;

before(async () => {
  const { oauth } = await server.operate((tx, change) =>
    issueWarehouseCredential(tx, change, { facilityCode: "DC1", environment: "sandbox" }),
  );
  port = await portOf(node.url, oauth);
  await client.accept("CAT", catalogue(clientId, ["A"]));
  await client.accept("PO", purchaseOrder(clientId, "PO-1", [{ sku: "A", qty: 1_000 }]));
  await port.report("adjustment", adjustment("BEFORE", 100));
  await client.accept("NO", order(clientId, "O-1", [{ sku: "A", qty: 5 }], { distributionCentre: "DC1" }));
  await port.task(({ type, objectId }) => type === "PICK" && objectId === "O-1");
});

function adjustment(adjustmentId: string, qty: number): object {
  return { clientId, adjustmentId, reasonCode: "FOUND", lines: [{ sku: "A", qty }] };
}

function receipt(receiptId: string): object {
  return { clientId, poNumber: "PO-1", receiptId, lines: [{ lineNumber: 1, sku: "A", qty: 10 }] };
}

/** Everything that a report could have changed. */
async function traces(): Promise<unknown> {
  const [row] = await server.rows(
    `select (select count(*) from stock_movement)::int as movements, (select count(*) from warehouse_report)::int as reports,
      (select count(*) from goods_receipt)::int as receipts, (select count(*) from operator_exception)::int as exceptions,
      (select sum(qty) from stock_balance)::float8 as on_hand`,
  );
  return row;
}

async function assertUnavailable(what: string, ask: () => Promise<Answer>): Promise<void> {
  const beganMs = performance.now();
  const answer = await ask();
  const ms = performance.now() - beganMs;
  assert.equal(answer.status, 503, `${what}: ${JSON.stringify(answer.body)}`);
  assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/, what);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/);
  assert(ms < answerMsMax * stretch(), `${what} was answered after ${Math.round(ms)} ms`);
}

for (const [name, leave] of [
  ["refuses connections", () => proxy.refuse()],
  ["is silent", async () => proxy.hang()],
] as const) {
  test(`while the database ${name} the port answers 503 in time, and continues afterwards`, async (t) => {
    const sent = await traces();
    const pick = { clientId, orderId: "O-1", reportId: `pick ${name}`, lines: [{ lineNumber: 1, qtyPicked: 1 }] };
    const batch = { reports: [1, 2, 3].map((n) => adjustment(`${name} ${n}`, 1)) };
    await leave();
    try {
      for (let i = 0; i < 2; i++) {
        await Promise.all([
          assertUnavailable("goodsReceipt", () => port.post("/goodsReceipt/report", receipt(name))),
          assertUnavailable("pick", () => port.post("/pick/report", pick)),
          assertUnavailable("a batch", () => port.post("/adjustment/report", batch)),
          assertUnavailable("task/list", () => port.get("/task/list")),
          assertUnavailable("item/list", () => port.get("/item/list")),
        ]);
      }
      assert.deepEqual(await traces(), sent, "nothing is kept of what was answered 503");
    } finally {
      await proxy.back();
    }
    const backMs = performance.now();
    const received = await until(
      "the port to resume",
      async () => {
        const answer = await port.post("/goodsReceipt/report", receipt(name));
        return answer.status === 200 ? answer : undefined;
      },
      resumeMsMax * stretch(),
    );
    t.diagnostic(`resumed ${Math.round(performance.now() - backMs)} ms after the return`);
    assert.equal(received.headers.get("idempotent-replayed"), null);
    await port.report("pick", pick);
    const answers = (await port.report("adjustment", batch)) as { results: { status: string }[] };
    assert.deepEqual(
      answers.results.map(({ status }) => status),
      ["ACCEPTED", "ACCEPTED", "ACCEPTED"],
    );
    assert.deepEqual(await brokenRules(server.database, clientId), []);
  });
}

for (const when of ["delivered", "lost"] as const) {
  test(`a report whose commit was cut (${when}) is answered 503, and its repeat answers the result`, async () => {
    const body = adjustment(`cut ${when}`, 7);
    const before = (await traces()) as { on_hand: number };
    proxy.cutAtCommit(when);
    await assertUnavailable("a report", () => port.post("/adjustment/report", body));
    await proxy.back();
    const again = await until(
      "the port to resume",
      async () => {
        const answer = await port.post("/adjustment/report", body);
        return answer.status === 200 ? answer : undefined;
      },
      resumeMsMax * stretch(),
    );
    assert.equal(again.headers.get("idempotent-replayed"), when === "delivered" ? "true" : null);
    assert.equal(((await traces()) as { on_hand: number }).on_hand, before.on_hand + 7);
    assert.deepEqual(await brokenRules(server.database, clientId), []);
  });
}
