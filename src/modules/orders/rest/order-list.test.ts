import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import {
  type Draft,
  database,
  get,
  idsOf,
  insert,
  list,
  listAll,
} from "../../../../tests/support/builders/order-service.ts";

for (const clientId of ["MANY", "TIED", "LARGE"]) await insertClient(database, { clientId });

const minute = (n: number) => new Date(Date.UTC(2026, 10, 3, 10, n)).toISOString();

await insert(
  "MANY",
  ...Array.from(
    { length: 7 },
    (_, i): Draft => ({
      orderId: `o${i}`,
      receivedAt: minute(i),
      status: i % 2 === 0 ? "RECEIVED" : "BACKORDERED",
      distributionCentre: i < 3 ? "DC1" : "DC2",
      content: { externalOrderReference: i < 2 ? "same" : undefined },
    }),
  ),
);

test("lists go by receipt, either way, page by page, and end with a null cursor", async () => {
  const all = ["o0", "o1", "o2", "o3", "o4", "o5", "o6"];
  assert.deepEqual(await listAll("MANY", { limit: "3" }), all);
  assert.deepEqual(await listAll("MANY", { limit: "7" }), all);
  assert.deepEqual(await listAll("MANY", { limit: "2", sort: "-receivedAt" }), [...all].reverse());
  assert.deepEqual(idsOf(await list("MANY", { limit: "1", sort: "-receivedAt" })), ["o6"]);
  assert.deepEqual(await list("TIED"), { items: [], nextCursor: null });
});

test("filters limit the list, alone and combined", async () => {
  const of = async (query: Record<string, string>) => idsOf(await list("MANY", query));
  assert.deepEqual(await of({ status: "BACKORDERED" }), ["o1", "o3", "o5"]);
  assert.deepEqual(await of({ distributionCentre: "DC1" }), ["o0", "o1", "o2"]);
  assert.deepEqual(await of({ externalOrderReference: "same" }), ["o0", "o1"]);
  assert.deepEqual(await of({ receivedFrom: minute(2), receivedTo: minute(4) }), ["o2", "o3"]);
  assert.deepEqual(await of({ receivedFrom: "2026-11-03T11:05:00+01:00" }), ["o5", "o6"]);
  assert.deepEqual(await of({ status: "RECEIVED", distributionCentre: "DC2", clientId: "MANY" }), ["o4", "o6"]);
  await database.query(
    sql`update sales_order set updated_at = ${"2026-12-01T00:00:00Z"}::timestamptz, version = 2
      where client_id = ${"MANY"} and order_id = ${"o2"}`,
  );
  assert.deepEqual(await of({ updatedSince: "2026-12-01T00:00:00Z" }), ["o2"]);
  assert.deepEqual(await of({ updatedSince: "2026-12-01T00:00:00.001Z" }), []);
});

test("orders received in the same microsecond, or parted by less than a millisecond, are each listed once", async () => {
  const drafts = Array.from({ length: 6 }, (_, i): Draft => ({ orderId: `t${i}`, receivedAt: minute(0) }));
  await insert("TIED", ...drafts);
  await database.query(
    sql`update sales_order set received_at = received_at + interval '3 microseconds'
      where client_id = ${"TIED"} and order_id in ('t1', 't2')`,
  );
  const expected = ["t0", "t3", "t4", "t5", "t1", "t2"];
  assert.deepEqual(await listAll("TIED", { limit: "1" }), expected);
  assert.deepEqual(await listAll("TIED", { limit: "1", sort: "-receivedAt" }), [...expected].reverse());
});

test("an order inserted while a client pages is not missed and shifts no other order", async () => {
  const first = await list("MANY", { limit: "3" });
  await insert("MANY", { orderId: "early", receivedAt: minute(1) });
  const second = await list("MANY", { limit: "3", cursor: first.nextCursor as string });
  assert.deepEqual(idsOf(second), ["o3", "o4", "o5"]);
});

test("all errors of a query are reported", async () => {
  const { status, body } = await get(
    "MANY",
    "/order/list?limit=0&status=LOST&sort=orderId&receivedFrom=yesterday&size=2&distributionCentre=a%00b",
  );
  assert.equal(status, 400);
  const pointers = (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
  assert.deepEqual(
    new Set(pointers),
    new Set(["limit", "status", "sort", "receivedFrom", "size", "distributionCentre"].map((name) => `/query/${name}`)),
  );
});

test("a cursor of another list is a 400", async () => {
  const { nextCursor } = await list("MANY", { limit: "1" });
  const far = Buffer.from('{"v":1,"k":"orders:receivedAt","p":{"us":9000000000000000,"id":"a"}}').toString("base64url");
  const wrong = [`cursor=x`, `cursor=${nextCursor}&sort=-receivedAt`, `cursor=${far}`, "cursor="];
  for (const query of wrong) {
    const { status, body } = await get("MANY", `/order/list?${query}`);
    assert.equal(status, 400, query);
    assert.equal((body.errors as { pointer: string }[])[0]?.pointer, "/query/cursor");
  }
  const last = Buffer.from('{"v":1,"k":"orders:receivedAt","p":{"us":8000000000000000,"id":"a"}}').toString(
    "base64url",
  );
  assert.deepEqual(await list("MANY", { cursor: last }), { items: [], nextCursor: null });
});

test("a page of very large orders ends early, and the next one continues without a gap", async () => {
  const drafts = Array.from(
    { length: 45 },
    (_, i): Draft => ({
      orderId: `l${String(i).padStart(2, "0")}`,
      receivedAt: minute(i),
    }),
  );
  await insert("LARGE", ...drafts);
  await database.query(
    sql`insert into sales_order_line (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, facility_code, qty_ordered, qty_open)
      select client_id, order_id, n, 'MUG', 'DEFAULT', 'EA', 1, distribution_centre, 1, 1
      from sales_order cross join generate_series(2, 1000) n where client_id = ${"LARGE"}`,
  );
  const first = await list("LARGE", { limit: "500" });
  assert.equal(first.items.length, 20);
  assert.ok(first.items.every(({ lines }) => (lines as unknown[]).length === 1_000));
  assert.deepEqual(
    await listAll("LARGE", { limit: "500" }),
    drafts.map(({ orderId }) => orderId),
  );
});
