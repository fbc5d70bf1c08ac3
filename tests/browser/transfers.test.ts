// Transfers in the console: created from the tab of Inventory or the page of a product, cancelled, and followed until received or lost.
import assert from "node:assert/strict";
import { until } from "../support/app/until.ts";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const { server } = world;
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const acme = await lifeOf(server, dc1, "ACME", { items: ["CUP-RED", "TRAY-OAK"] });
await acme.stock([
  { sku: "CUP-RED", qty: 20 },
  { sku: "TRAY-OAK", qty: 8 },
]);

const rowsOf = ({ page }: ConsolePage, label: string) =>
  page.getByRole("region", { name: label, exact: true }).locator("tbody tr[aria-rowindex]");

async function choose({ page }: ConsolePage, label: string, option: RegExp): Promise<void> {
  await page.getByRole("dialog").getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

/** Waits for ordered, allocated, shipped, in transit, received, damaged and lost of a line; the page reads them every ten seconds. */
const line = (visitor: ConsolePage, sku: string, ...quantities: readonly number[]) =>
  until(`the line of ${sku} has ${quantities}`, async () => {
    const text = await rowsOf(visitor, "Lines").filter({ hasText: sku }).first().innerText();
    return text.includes(`\t${quantities.join("\t")}\tEA`) || undefined;
  });

/** The transfer whose page is open. */
const shownId = ({ page }: ConsolePage) => decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");

world.test("a transfer is created, refused where goods are missing, and cancelled", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  const dialog = page.getByRole("dialog");
  await operator.open("/inventory?tab=transfers&client=ACME");
  await page.getByRole("button", { name: "Create transfer" }).click();
  await choose(operator, "From facility", /^DC1/);
  await choose(operator, "To facility", /^DC2/);
  await dialog.getByRole("textbox", { name: "Products" }).fill("CUP-RED 30\nTRAY-OAK 2");
  await operator.checkBoth();
  await operator.shoot("transfer-create");
  await operator.shoot("transfer-create", { width: 390, height: 900 });
  await page.setViewportSize({ width: 1440, height: 900 });
  operator.expectStatuses(422);
  await dialog.getByRole("button", { name: "Create transfer" }).click();
  await dialog.getByText(/20 of SKU CUP-RED are free in DC1/).waitFor();
  await operator.check();
  await dialog.getByRole("textbox", { name: "Products" }).fill("CUP-RED 5\nTRAY-OAK 2");
  await dialog.getByRole("textbox", { name: "Notes for the warehouse" }).fill("Tuesday truck");
  await dialog.getByRole("button", { name: "Create transfer" }).click();
  await page.getByText(/^Transfer .* was created\.$/).waitFor();
  await page.waitForURL(/\/inventory\/transfers\/ACME\//);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await operator.settled();
  await line(operator, "CUP-RED", 5, 5, 0, 0, 0, 0, 0);
  await page.getByText("Tuesday truck").waitFor();
  await operator.checkBoth();
  assert.equal(await acme.stockOf("CUP-RED"), "GOOD 20/5");
  await page.getByRole("button", { name: "Cancel transfer" }).click();
  await dialog.getByRole("button", { name: "Cancel transfer" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Cancelled", { exact: true }).first().waitFor();
  assert.equal(await acme.stockOf("CUP-RED"), "GOOD 20/0");
  assert.ok(await page.getByRole("button", { name: "Cancel transfer" }).isDisabled());
  await operator.check();
});

world.test("a transfer from the page of a product is followed until it is closed with a loss", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  const dialog = page.getByRole("dialog");
  await operator.open("/inventory/ACME/TRAY-OAK?at=DC1");
  await page.getByRole("button", { name: "Create transfer" }).click();
  await choose(operator, "To facility", /^DC2/);
  await dialog.getByRole("textbox", { name: "Products" }).fill("TRAY-OAK 6");
  await dialog.getByRole("button", { name: "Create transfer" }).click();
  await page.getByText(/^Transfer .* was created\.$/).waitFor();
  await page.getByRole("button", { name: "Cancel transfer" }).waitFor();
  const transferId = shownId(operator);
  await dc1.report("transfer", {
    clientId: "ACME",
    transferId,
    lines: [{ sku: "TRAY-OAK", qty: 6 }],
    carrierCode: "HAULIER",
    trackingNumber: "CN-1",
  });
  await line(operator, "TRAY-OAK", 6, 0, 6, 6, 0, 0, 0);
  await page.getByText("CN-1").waitFor();
  await operator.checkBoth();
  await operator.shoot("transfer");
  await operator.shoot("transfer", { scheme: "dark" });
  await operator.shoot("transfer", { width: 390, height: 1_800 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await operator.setScheme("light");

  const receipt = { clientId: "ACME", poNumber: transferId, receiptId: "R-1" };
  await dc2.report("goodsReceipt", { ...receipt, lines: [{ sku: "TRAY-OAK", qty: 4 }] });
  await line(operator, "TRAY-OAK", 6, 0, 6, 2, 4, 0, 0);
  await page.getByText("Receiving", { exact: true }).first().waitFor();
  await page.getByRole("link", { name: `Purchase order ${transferId}` }).click();
  await page.getByRole("heading", { level: 1 }).getByText(transferId).waitFor();
  await operator.settled();
  await operator.check();
  await page.getByRole("button", { name: "Close purchase order" }).click();
  await dialog.getByRole("button", { name: "Close purchase order" }).click();
  await page.getByText("Closed", { exact: true }).first().waitFor();
  await page.goBack();
  await line(operator, "TRAY-OAK", 6, 0, 6, 0, 4, 0, 2);
});

world.test("a user who is limited to a facility follows what it sends, and creates nothing", async (open) => {
  const [transfer] = await server.rows<{ id: string }>(
    "select transfer_id as id from transfer where client_id = 'ACME' and status = 'CLOSED'",
  );
  const path = `/inventory/transfers/ACME/${transfer?.id}`;
  const sender = await open("admin", { limits: { facilityCodes: ["DC1"] } });
  await sender.open("/inventory?tab=transfers&client=ACME");
  await rowsOf(sender, "Transfers").first().waitFor();
  assert.equal(await sender.page.getByRole("button", { name: "Create transfer" }).count(), 0);
  await sender.open(path);
  await rowsOf(sender, "Lines").first().waitFor();
  await sender.check();
  const receiver = await open("admin", { limits: { facilityCodes: ["DC2"] } });
  receiver.expectStatuses(404);
  await receiver.open("/inventory?tab=transfers&client=ACME");
  await receiver.page.getByText("No rows for client ACME.").waitFor();
  await receiver.open(path);
  await receiver.page.getByText(/^The transfer cannot be shown/).waitFor();
});
