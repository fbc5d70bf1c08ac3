import assert from "node:assert/strict";
import { test } from "node:test";
import { listReceivingWork } from "#/modules/purchasing/index.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, contents, intakeWorld, refusalOf } from "../../../../tests/support/app/intake.ts";
import { database } from "../../../../tests/support/builders/stocked-orders.ts";

test("a receiptId is booked once", async () => {
  const w = await intakeWorld("RCV6");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  const report = { poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 1 }] };
  accepted(await w.receive(report));
  assert.match(refusalOf(await w.receive(report)), /^409 Receipt R-1 is already booked/);
  assert.deepEqual(await w.stockOf(), ["A GOOD: 1"]);
});

test("vendorOrderId may be left out while the order has one notice", async () => {
  const w = await intakeWorld("RCV7");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]], "ASN-1");
  const report = (receiptId: string, vendorOrderId?: string) =>
    w.receive({
      poNumber: "PO-1",
      receiptId,
      lines: [{ sku: "A", qty: 1 }],
      ...(vendorOrderId ? { vendorOrderId } : {}),
    });
  assert.equal(accepted(await report("R-1")).answer.vendorOrderId, "ASN-1");
  await w.purchaseOrder("PO-1", [["A", 10]], "ASN-2");
  const several = "422 Purchase order PO-1 has several vendorOrderIds; name one of them: ASN-1, ASN-2.";
  assert.equal(refusalOf(await report("R-2")), several);
  assert.equal(accepted(await report("R-2", "ASN-2")).answer.vendorOrderId, "ASN-2");
  await w.purchaseOrder("PO-1", [["A", 10]]);
  assert.equal(accepted(await report("R-3")).answer.vendorOrderId, null, "the one without a notice is meant");
});

test("a received serial number is new or has left the stock", async () => {
  const w = await intakeWorld("RCV8");
  await w.items(["S"], { attributes: { CaptureSerial: "true" } });
  await w.purchaseOrder("PO-1", [["S", 3]]);
  const report = (receiptId: string, ...serials: string[]) =>
    w.receive({ poNumber: "PO-1", receiptId, lines: [{ sku: "S", qty: serials.length, serials }] });
  const first = accepted(await report("R-1", "S1", "S2"));
  assert.deepEqual((contents(first.events)[0] as { lines: { serials: string[] }[] }).lines[0]?.serials, ["S1", "S2"]);
  assert.equal(refusalOf(await report("R-2", "S2", "S3")), "409 Serial S2 of SKU S is in stock already.");
  const twice = await w.receive({
    poNumber: "PO-1",
    receiptId: "R-2",
    lines: [
      { sku: "S", qty: 1, serials: ["S3"] },
      { sku: "S", qty: 1, serials: ["S3"] },
    ],
  });
  assert.equal(refusalOf(twice), "422 Serial S3 of SKU S is on two lines.");
  await w.query(sql`insert into stock_serial (client_id, sku, serial, state, facility_code, stock_pool, condition, batch_ref,
      expiry_date, updated_at)
    values (${tenant}, 'S', 'S9', 'GONE', 'DC1', 'DEFAULT', 'GOOD', '', 'infinity', '2026-01-01')`);
  accepted(await report("R-2", "S9", "S8"));
  assert.deepEqual(await w.serialsOf("S"), ["S1 GOOD", "S2 GOOD", "S8 ON_HOLD", "S9 GOOD"], "the excess is on hold");
  await w.assertSound();
});

test("the warehouse task has the outstanding quantities of an open order", async () => {
  const w = await intakeWorld("RCV9");
  await w.items(["A", "B"]);
  await w.query(sql`update item set stock_uom = 'KG' where client_id = ${tenant} and sku = 'B' returning sku`);
  await w.purchaseOrder("PO-1", [
    ["A", 10],
    ["B", 5],
  ]);
  await w.purchaseOrder("PO-1", [["A", 1]], "ASN-1");
  const work = async () =>
    (await listReceivingWork(database.of(w.clientId), ["PO-1", "PO-9"])).map(({ objectId, isWanted, lines }) => [
      objectId,
      isWanted,
      lines.map(({ lineNumber, sku, qty, uom, stockPool }) => `${lineNumber} ${sku} ${qty} ${uom} ${stockPool}`),
    ]);
  assert.deepEqual(await work(), [
    ["PO-1", true, ["1 A 10000 EA DEFAULT", "2 B 5000 KG DEFAULT"]],
    ["PO-1/ASN-1", true, ["1 A 1000 EA DEFAULT"]],
  ]);
  const report = {
    poNumber: "PO-1",
    receiptId: "R-1",
    lines: [
      { lineNumber: 1, sku: "A", qty: 12 },
      { sku: "B", qty: 1.25 },
    ],
  };
  accepted(await w.receive({ ...report, vendorOrderId: "" }));
  assert.deepEqual((await work())[0], ["PO-1", true, ["2 B 3750 KG DEFAULT"]]);
  accepted(
    await w.receive({ poNumber: "PO-1", vendorOrderId: "", receiptId: "R-2", lines: [{ sku: "B", qty: 3.75 }] }),
  );
  assert.deepEqual((await work())[0], ["PO-1", false, []]);
  await w.assertSound();
});
