import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, intakeWorld, refusalOf } from "../../../../tests/support/app/intake.ts";

test("a returned serial number was despatched before", async () => {
  const w = await intakeWorld("RET8");
  await w.items(["S"], { attributes: { CaptureSerial: "true" } });
  await w.purchaseOrder("PO-1", [["S", 1]]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "S", qty: 1, serials: ["HERE"] }] }));
  for (const serial of ["S1", "S2", "S3"]) {
    await w.query(sql`insert into stock_serial (client_id, sku, serial, state, facility_code, stock_pool, condition,
        batch_ref, expiry_date, updated_at)
      values (${tenant}, 'S', ${serial}, 'GONE', 'DC1', 'DEFAULT', 'GOOD', '', 'infinity', '2026-01-01')`);
  }
  await w.despatched("O-1", "P-1", [["S", 3]]);
  await w.authorise("RMA-1", [["S", 3]], "O-1");
  const report = (disposition: "RESELLABLE" | "DAMAGED" | "SCRAP", ...serials: string[]) =>
    w.takeBack({ rmaNumber: "RMA-1", lines: [{ sku: "S", qty: serials.length, disposition, serials }] });
  assert.equal(
    refusalOf(await report("RESELLABLE", "HERE")),
    "409 Serial HERE of SKU S is in stock; it cannot come back.",
  );
  assert.equal(
    refusalOf(await report("RESELLABLE", "NEW")),
    "409 Serial NEW of SKU S is not known; it has not left here.",
  );
  accepted(await report("DAMAGED", "S1"));
  accepted(await report("SCRAP", "S2"));
  assert.deepEqual(await w.serialsOf("S"), ["HERE GOOD", "S1 DAMAGED", "S2 GONE", "S3 GONE"]);
  assert.equal(refusalOf(await report("RESELLABLE", "S1")), "409 Serial S1 of SKU S is in stock; it cannot come back.");
  const lines = [{ sku: "S", qty: 1, disposition: "RESELLABLE" as const, serials: ["OLD"] }];
  accepted(await w.takeBack({ returnId: "RET-1", lines }));
  assert.deepEqual(
    await w.serialsOf("S"),
    ["HERE GOOD", "OLD QUARANTINE", "S1 DAMAGED", "S2 GONE", "S3 GONE"],
    "of what no one expected we need not have known it",
  );
  await w.assertSound();
});
