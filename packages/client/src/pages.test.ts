import assert from "node:assert/strict";
import { test } from "node:test";
import { items, pages } from "./pages.ts";
import { clientWith, type Script, standIn } from "./stand-in.ts";

const service = "/v1/workOrderService/workOrder";

const page = (ids: string[], nextCursor: string | null): Script => [
  200,
  {},
  { items: ids.map((workOrderId) => ({ workOrderId })), nextCursor },
];

/** The items that are read, and the cursors that are sent for them. */
async function readOf(options: object = {}): Promise<{ readonly read: string[]; readonly cursors: (string | null)[] }> {
  const read: string[] = [];
  for await (const { workOrderId } of items(clientWith().workOrders, `${service}/list`, options))
    read.push(workOrderId);
  assert.deepEqual(standIn.scripts, []);
  return { read, cursors: standIn.seen.map(({ url }) => new URL(url, "http://x").searchParams.get("cursor")) };
}

test("a list is read to its end with unchanged query parameters", async () => {
  standIn.scripts = [page(["1", "2"], "a b"), page(["3"], null)];
  const query = { status: "RELEASED", limit: 2 } as const;
  assert.deepEqual((await readOf({ params: { query } })).read, ["1", "2", "3"]);
  const path = `${service}/list?status=RELEASED&limit=2`;
  assert.deepEqual(
    standIn.seen.map(({ url }) => url),
    [path, `${path}&cursor=a%20b`],
  );
});

test("a change feed is read across empty pages until its cursor stops changing", async () => {
  standIn.scripts = [page(["1"], "p1"), page([], "p2"), page(["2"], "p3"), page([], "p3")];
  assert.deepEqual(await readOf(), { read: ["1", "2"], cursors: [null, "p1", "p2", "p3"] });
});

test("a change feed continues from the last cursor", async () => {
  standIn.scripts = [page([], "p3")];
  const options = { params: { query: { cursor: "p3" } } };
  assert.deepEqual(await readOf(options), { read: [], cursors: ["p3"] });
});

test("each page is requested only when it is needed", async () => {
  standIn.scripts = [page(["1"], "p1"), page(["2"], null)];
  for await (const { items } of pages(clientWith().workOrders, `${service}/list`)) {
    assert.equal(items[0]?.workOrderId, "1");
    break;
  }
  assert.deepEqual([standIn.seen.length, standIn.scripts.length], [1, 1]);
});

test("a refused page is thrown after the records of earlier pages", async () => {
  standIn.scripts = [page(["1"], "p1"), [503]];
  const read: string[] = [];
  const reading = (async () => {
    for await (const { workOrderId } of items(clientWith().workOrders, `${service}/list`)) read.push(workOrderId);
  })();
  await assert.rejects(reading, { name: "ProblemError", status: 503 });
  assert.deepEqual(read, ["1"]);
});

test("the compiler accepts only list operations, with their own parameters", async () => {
  const { workOrders, inventory } = clientWith();
  // @ts-expect-error: a work order is not a list.
  const record = pages(workOrders, `${service}/get/{workOrderId}`, { params: { path: { workOrderId: "1" } } });
  // @ts-expect-error: it is a number.
  const wrong = pages(workOrders, `${service}/list`, { params: { query: { limit: "2" } } });
  // @ts-expect-error: the facility and the day must be given.
  const without = pages(inventory, "/v1/inventoryService/snapshot/get/{date}");
  for (const unread of [record, wrong, without]) await unread.return();
  assert.deepEqual(standIn.seen, []);
});
