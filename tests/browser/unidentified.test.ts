// Goods without a purchase order in the console: found under Inbound, bound to a purchase order, or closed.
import assert from "node:assert/strict";
import { browserWorld } from "../support/browser/chromium.ts";
import { purchaseOrder } from "../support/builders/documents.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const dc1 = await warehouseOf(world.server);
const acme = await lifeOf(world.server, dc1, "ACME", { items: ["CUP-RED"] });
await acme.client.accept("PO", purchaseOrder("ACME", "PO-1", [{ sku: "CUP-RED", qty: 12 }]));
const came = (receiptId: string, more: object) =>
  dc1.report("unidentifiedReceipt", { clientId: "ACME", receiptId, packages: 2, ...more });
await came("RCV-1", { marks: "Oak & Sons 1180", carrierCode: "HAULIER" });
await came("RCV-2", { lines: [{ sku: "CUP-RED", qty: 3 }] });

world.test("goods without a purchase order are counted and bound to one, or closed with a reason", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  const dialog = page.getByRole("dialog");
  await operator.open("/inbound?tab=unidentified");
  await page.getByRole("link", { name: "RCV-1", exact: true }).waitFor();
  await operator.checkBoth();
  await operator.shoot("unidentified-list");
  await page.getByRole("link", { name: "RCV-1", exact: true }).click();
  await page.getByText("Oak & Sons 1180").waitFor();
  await operator.checkBoth();
  await page.getByRole("button", { name: "Bind to purchase order" }).click();
  await dialog.getByRole("textbox", { name: "Purchase order" }).fill("PO-1");
  operator.expectStatuses(422);
  await dialog.getByRole("button", { name: "Bind to purchase order" }).click();
  await dialog.getByText(/were not counted; name them in lines/).waitFor();
  await operator.check();
  await dialog.getByRole("textbox", { name: "Products" }).fill("CUP-RED 12");
  await dialog.getByRole("button", { name: "Bind to purchase order" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "PO-1", exact: true }).waitFor();
  assert.equal(await acme.stockOf("CUP-RED"), "GOOD 12/0");
  assert.ok(await page.getByRole("button", { name: "Close goods" }).isDisabled());
  await operator.shoot("unidentified-bound");
  await operator.shoot("unidentified-bound", { width: 390, height: 900 });
  await page.setViewportSize({ width: 1440, height: 900 });

  await operator.open("/exceptions?type=RECEIPT_UNIDENTIFIED");
  await page.getByText("Unidentified goods").first().waitFor();
  await operator.open("/inbound?tab=unidentified");
  await page.getByRole("link", { name: "RCV-2", exact: true }).click();
  await page.getByRole("button", { name: "Close goods" }).click();
  await dialog.getByRole("combobox", { name: "What became of them" }).click();
  await page.getByRole("option", { name: "Returned to the sender" }).click();
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Delivered to the wrong house");
  await dialog.getByRole("button", { name: "Close goods" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Delivered to the wrong house").waitFor();
  await operator.check();
});
