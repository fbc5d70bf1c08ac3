// docs/sizing.md is based on the measurements of `npm run bench sizing -- --keep` and on the current retention.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { partitionedTables } from "#/store/db/schema/partitions.ts";
import { scaleTable } from "../../bench/scale/report.ts";
import { keptByDefault } from "../../bench/sizing/kept.ts";
import { inUnits, withTables } from "../../bench/sizing/page.ts";
import { bytesOf, type Measured, planOf, stages } from "../../bench/sizing/plan.ts";
import { readTables } from "./migrations.ts";

const file = new URL("../../docs/sizing.md", import.meta.url);
const measured = JSON.parse(
  readFileSync(new URL("../../bench/sizing/measured.json", import.meta.url), "utf8"),
) as Measured;

test("the tables of docs/sizing.md are reckoned from what was measured; CROSSDOCK_TEST_UPDATE=1 writes them", () => {
  const page = readFileSync(file, "utf8");
  const wanted = withTables(
    page,
    measured,
    keptByDefault,
    partitionedTables.map(({ table }) => table),
    [scaleTable(measured, keptByDefault)],
  );
  if (process.env.CROSSDOCK_TEST_UPDATE === "1") writeFileSync(file, wanted);
  else assert.equal(page, wanted);
});

test("what was measured is of an order's whole way, in tables that are there", () => {
  const names = new Set(readTables().map(({ name }) => name));
  assert.deepEqual(
    Object.keys(measured.tables).filter((name) => !names.has(name)),
    [],
  );
  for (const table of [
    "sales_order",
    "parcel",
    "event",
    "feed_document",
    "outbound_document",
    "webhook_delivery",
    "stock_movement",
  ])
    assert.ok((measured.tables[table]?.rows ?? 0) > 0.5, `no ${table} was measured`);
  assert.ok((measured.tables.sales_order?.rows ?? 0) < 1.1);
});

test("a year of orders is added up by hand", () => {
  const size = { rows: 2, heapBytes: 600, indexBytes: 400 };
  const measured: Measured = {
    linesOfOrder: 3,
    walBytes: 50_000,
    programMs: 12,
    storeMs: 24,
    tables: { sales_order: size, event: size },
  };
  const plan = planOf({ name: "x", clients: 1, ordersAYear: 31_536_000 }, measured, (table) =>
    table === "event" ? 90 : undefined,
  );
  assert.equal(bytesOf(size), 1_000);
  assert.equal(plan.meanRate, 1);
  assert.equal(plan.peakRate, 12.5);
  assert.equal(plan.yearBytes, 31_536_000_000);
  assert.equal(plan.boundedBytes, 90 * 86_400 * 1_000);
  assert.equal(plan.threeYearBytes, 3 * 31_536_000_000 + 7_776_000_000);
  assert.equal(plan.walBytesADay, 4_320_000_000);
  // 12.5 orders a second at 24 ms need 0.3 of a processor, which may be busy for 0.6 of the time.
  assert.equal(plan.storeProcessors, 1);
  assert.equal(plan.events, 25);
  assert.equal(inUnits(1_234_567), "1.23 MB");
});

test("the stages lead to ten thousand clients and a thousand million orders a year", () => {
  assert.deepEqual(stages.at(-1), { name: "E", clients: 10_000, ordersAYear: 1e9 });
});
