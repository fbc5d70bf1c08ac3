// The cartons of a purchase order in the console: which are expected, and which came with which receipt.
import assert from "node:assert/strict";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { browserWorld } from "../support/browser/chromium.ts";
import { purchaseOrder } from "../support/builders/documents.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const dc1 = await warehouseOf(world.server);
const acme = await lifeOf(world.server, dc1, "ACME", { items: ["CUP-RED", "TRAY-OAK"] });
const [come, expected] = [ssccOf("4012345", 1), ssccOf("4012345", 2)];
const lines = [
  { sku: "CUP-RED", qty: 20 },
  { sku: "TRAY-OAK", qty: 8 },
];
const cartons = { carton: [{ sscc: come, trackingNumber: "CN-1", lines: { line: lines } }, { sscc: expected }] };
const delivery = { carrierCode: "HAULIER", trackingNumber: "CN-88120", expectedDate: "2026-11-20", cartons };
await acme.client.accept("PO", purchaseOrder("ACME", "PO-1", lines, delivery));
await acme.client.accept("PO", purchaseOrder("ACME", "PO-2", ["CUP-RED"]));
await dc1.report("goodsReceipt", { clientId: "ACME", sscc: come, receiptId: "RCV-815" });

world.test(
  "the page of a purchase order shows its delivery, and each carton with its content and its receipt",
  async (open) => {
    const operator = await open("operator");
    const { page } = operator;
    await operator.open("/inbound/ACME/PO-1");
    await page.getByText("CN-88120").waitFor();
    await page.getByText("HAULIER").waitFor();
    await page.getByRole("tab", { name: /^Cartons/ }).click();
    const rows = page.getByRole("region", { name: "Cartons", exact: true }).locator("tbody tr[aria-rowindex]");
    await rows.first().waitFor();
    const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
    assert.deepEqual(texts, [
      `${come} CN-1 20 × CUP-RED, 8 × TRAY-OAK RCV-815`,
      `${expected} none not announced expected`,
    ]);
    await operator.checkBoth();
    await operator.shoot("purchase-order-cartons");
    await operator.shoot("purchase-order-cartons", { width: 390, height: 900 });
    await operator.open("/inbound/ACME/PO-2");
    await page.getByRole("tab", { name: /^Receipts/ }).waitFor();
    assert.equal(await page.getByRole("tab", { name: /^Cartons/ }).count(), 0);
  },
);
