// carriers.md, Invoiced costs: the invoice of a carrier beside the prices of the kept decisions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { carrierDataOf, serviceOf } from "../../support/carriers/carriers.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");
const life = await packingWorld({ server, dc1 }, "COSTS", carrierDataOf(serviceOf("RM48", "RM", 3)));
await life.picked("1", 4);
await life.pack("1", { trackingNumber: "T-1" }, { trackingNumber: "T-2" });
await life.pack("1", { trackingNumber: "T-3" });
await life.pack("1", { trackingNumber: "T-4", carrierCode: "RM", carrierServiceCode: "RM48" });

const check = (csv: string, more: object = {}) =>
  admin.post("/carrierInvoice/check", { clientId: "COSTS", csv, ...more });

test("charges are added up by tracking number and compared with the price of the parcel's decision", async () => {
  const csv = [
    "Currency;trackingNumber;amount;weight",
    "gbp;T-1;2,50;0.5",
    "GBP;T-1;0,50;",
    "GBP;T-2;3,02;",
    "EUR;T-3;3.00;",
    "GBP;T-9;1.00;",
  ].join("\n");
  const { status, body } = await check(csv);
  assert.equal(status, 200, JSON.stringify(body));
  const shown = (
    items: { line: number; trackingNumber: string; result: string; invoiced: number; decided: number }[],
  ) =>
    items.map(({ line, trackingNumber, result, invoiced, decided }) =>
      [line, trackingNumber, result, invoiced, decided].join(" "),
    );
  assert.deepEqual(shown(body.items), [
    "2 T-1 MATCHED 3 3",
    "4 T-2 MATCHED 3.02 3",
    "5 T-3 DIFFERENT 3 3",
    "6 T-9 UNKNOWN 1 ",
  ]);
  const exact = await check(csv, { tolerancePercent: 0 });
  assert.equal(exact.body.items[1].result, "DIFFERENT");
});

test("a parcel whose service the warehouse named has no decided price; that of another client is unknown", async () => {
  const other = await packingWorld({ server, dc1 }, "OTHER", carrierDataOf(serviceOf("RM48", "RM", 3)));
  await other.picked("1", 1);
  await other.packOne("1", { trackingNumber: "O-1" });
  const { body } = await check("trackingNumber,amount,currency\nT-4,3,GBP\nO-1,3,GBP\n");
  assert.deepEqual(
    body.items.map(({ result, olpnId }: { result: string; olpnId: string | null }) => [result, olpnId !== null]),
    [
      ["UNPRICED", true],
      ["UNKNOWN", false],
    ],
  );
});

test("faults name line and column, and a file that is too long is refused", async () => {
  const faulty = await check("trackingNumber,amount,currency\nT-1,x,GBP\n,1,GBP\nT-2,1,POUND\n");
  assert.deepEqual(
    [faulty.status, ...faulty.body.errors.map(({ pointer }: { pointer: string }) => pointer)],
    [422, "#/csv/2/amount", "#/csv/3/trackingNumber", "#/csv/4/currency"],
  );
  const headless = await check("number,amount\nT-1,1\n");
  assert.match(headless.body.detail, /line 1, trackingNumber: the column is missing/);
  const long = await check(`trackingNumber,amount,currency\n${"T-1,1,GBP\n".repeat(5_001)}`);
  assert.deepEqual([long.status, long.body.detail], [422, "line 5002: there are more than 5000 charges."]);
  const twice = await check("trackingNumber,amount,currency\nT-1,1,GBP\nT-1,1,EUR\n");
  assert.match(twice.body.detail, /line 3, currency: differs from an earlier charge/);
});
