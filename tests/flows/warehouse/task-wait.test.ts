// warehouse.md: task/list with `wait`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { issueWarehouseCredential } from "#/modules/clients/index.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import type { Answer } from "../../support/http/call.ts";
import { scrape } from "../../support/http/scrape.ts";
import { type PortTask, portOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer({ CROSSDOCK_DB_POOL: "1" });
const demo = await server.onboard("DEMO");
const { oauth } = await server.operate((tx, change) =>
  issueWarehouseCredential(tx, change, { facilityCode: "DC1", environment: "sandbox" }),
);
const dc1 = await portOf(server.url, oauth);
await demo.accept("CAT", catalogue("DEMO", ["A"]));
await dc1.report("adjustment", {
  clientId: "DEMO",
  adjustmentId: "OPENING",
  reasonCode: "INITIAL",
  lines: [{ sku: "A", qty: 1_000 }],
});

const toDc1 = { distributionCentre: "DC1" };
const objectsOf = ({ body }: Answer) => (body.items as PortTask[]).map(({ objectId }) => objectId);
const cursorOf = ({ body }: Answer) => String(body.nextCursor);

/** The cursor after everything that exists. */
async function atEnd(): Promise<string> {
  return cursorOf(await dc1.get("/task/list?limit=500"));
}

test("a list that waits answers a task as soon as it exists, from each node", async () => {
  const node = await server.startNode({ CROSSDOCK_ROLES: "api,auth" });
  const remote = await portOf(node.url, oauth);
  const cursor = await atEnd();
  const waiting = [dc1, remote].map((port) => port.get(`/task/list?wait=20&cursor=${cursor}`));
  await demo.accept("NO", order("DEMO", "WAIT-1", ["A"], toDc1));
  for (const answer of await Promise.all(waiting)) {
    assert.equal(answer.status, 200);
    assert.deepEqual(objectsOf(answer), ["WAIT-1"]);
  }
  // Existing tasks are answered at once, with the same parameters.
  assert.deepEqual(objectsOf(await dc1.get(`/task/list?wait=20&cursor=${cursor}`)), ["WAIT-1"]);
  await node.stop();
});

test("after its time the page is empty, and its cursor continues", async () => {
  const cursor = await atEnd();
  const answer = await dc1.get(`/task/list?wait=1&cursor=${cursor}`);
  assert.deepEqual([answer.status, answer.body], [200, { items: [], nextCursor: cursor }]);
  // Work of another type moves the cursor, and is not answered.
  const receipts = dc1.get(`/task/list?wait=20&type=PURCHASE_ORDER&cursor=${cursor}`);
  await demo.accept("NO", order("DEMO", "WAIT-2", ["A"], toDc1));
  await dc1.task(({ objectId }) => objectId === "WAIT-2");
  await demo.accept("PO", purchaseOrder("DEMO", "WAIT-PO", [{ sku: "A", qty: 1 }]));
  assert.deepEqual(objectsOf(await receipts), ["WAIT-PO"]);
});

test("a wait has a bound", async () => {
  for (const wait of ["21", "-1", "1.5", "long"]) {
    const { status, body } = await dc1.get(`/task/list?wait=${wait}`);
    assert.equal(status, 400, wait);
    assert.deepEqual(
      (body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
      ["/query/wait"],
    );
  }
});

test("lists that wait hold no connection to the database", async () => {
  const cursor = await atEnd();
  const left = new AbortController();
  const url = `${server.url}/v1/warehouseService/task/list?wait=20&cursor=${cursor}`;
  const headers = { authorization: `Bearer ${dc1.token}` };
  const waiting = Array.from({ length: 40 }, () => fetch(url, { headers, signal: left.signal }));
  const inProgress = async () =>
    (await scrape(server.url)).get("crossdock_http_requests_in_progress")?.samples[0]?.value;
  await until("forty requests wait", async () => ((await inProgress()) ?? 0) > 40);
  // Far more than the pool has connections: the others' requests and the worker go on.
  await demo.accept("NO", order("DEMO", "WAIT-3", ["A"], { distributionCentre: "DC2" }));
  assert.equal((await dc1.get("/item/list")).status, 200);
  left.abort();
  const ends = await Promise.allSettled(waiting);
  assert.ok(ends.every(({ status }) => status === "rejected"));
  // The server detects the disconnections: only the request of the metrics is in progress.
  await until("no request waits", async () => (await inProgress()) === 1);
});

test("a server that stops answers the lists that wait", async () => {
  const node = await server.startNode();
  const port = await portOf(node.url, oauth);
  const cursor = await atEnd();
  const waiting = port.get(`/task/list?wait=20&cursor=${cursor}`);
  await until("the request waits", async () => {
    const family = (await scrape(node.url)).get("crossdock_http_requests_in_progress");
    return (family?.samples[0]?.value ?? 0) > 1;
  });
  await node.stop();
  const answer = await waiting;
  assert.deepEqual([answer.status, answer.body], [200, { items: [], nextCursor: cursor }]);
});
