// The promise for a basket in the console: what leaves when and from where, with which service, and why lines wait.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { dayMs } from "#/kernel/values/durations.ts";
import { browserWorld } from "../support/browser/chromium.ts";
import { attributes, purchaseOrder } from "../support/builders/documents.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const { server } = world;
const port = await warehouseOf(server);
const weighed = (sku: string) => ({ sku, weight: "1", weightUomCode: "KG" });
const acme = await lifeOf(server, port, "ACME", { items: ["CUP-RED", "TRAY-OAK", "VASE-BLUE"].map(weighed) });
await acme.stock([{ sku: "CUP-RED", qty: 9 }]);
const expectedOn = new Date(Date.now() + 9 * dayMs).toISOString().slice(0, 10);
await acme.client.accept(
  "PO",
  purchaseOrder("ACME", "PO-1", [{ sku: "TRAY-OAK", qty: "5" }], {
    extendedAttributes: attributes({ ExpectedDate: expectedOn }),
  }),
);

async function promise(page: Page, lines: string): Promise<void> {
  await page.getByRole("textbox", { name: "Products" }).fill(lines);
  await page.getByRole("textbox", { name: "Postcode" }).fill("BS1 5TY");
  const answered = page.waitForResponse("**/client/order/promise*");
  await page.getByRole("button", { name: "Promise", exact: true }).click();
  await answered;
}

world.test("a basket gets its day, service and price, and each line that waits has its reason", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders?client=ACME");
  await page.getByRole("link", { name: "Promise a basket" }).click();
  await viewer.settled();
  await promise(page, "CUP-RED 2");
  await page
    .getByRole("alert")
    .getByText(/^Arrives on \d{4}-\d\d-\d\d$/)
    .waitFor();
  const shipments = page.getByRole("region", { name: "Shipments of the promise" });
  await viewer.shoot("promise-whole");
  const shipment = await shipments.locator("tbody tr[aria-rowindex]").innerText();
  assert.match(shipment, /2 × CUP-RED[\s\S]*DC1[\s\S]*£\d/);

  await promise(page, "CUP-RED 12\nTRAY-OAK 3\nVASE-BLUE 1");
  await page.getByText("Not known when all of it leaves").waitFor();
  const rows = page.getByRole("region", { name: "Lines of the promise" }).locator("tbody tr[aria-rowindex]");
  const reasonOf = async (sku: string) => rows.filter({ hasText: sku }).innerText();
  assert.match(await reasonOf("CUP-RED"), /12\s+3[\s\S]*No purchase order says when 3 EA come\./);
  assert.match(await reasonOf("TRAY-OAK"), new RegExp(`${expectedOn}[\\s\\S]*Purchase orders bring 3 EA by this day`));
  await viewer.checkBoth();
  await viewer.shoot("promise");
  await viewer.shoot("promise", { scheme: "dark" });
  await viewer.shoot("promise", { width: 390, height: 2_000 });
  await viewer.setScheme("light");
  assert.equal((await server.rows("select from sales_order where client_id = 'ACME'")).length, 0);
});

world.test("a refused basket names the SKU that the catalogue lacks", async (open) => {
  const viewer = await open("viewer");
  viewer.expectStatuses(422);
  await viewer.open("/orders/promise?client=ACME");
  await promise(viewer.page, "CUP-RED 1\nNO-SUCH-SKU 1");
  await viewer.page.getByRole("alert").getByText("NO-SUCH-SKU").first().waitFor();
  await viewer.check();
});

world.test("a user who is limited to a client and a facility asks for these alone", async (open) => {
  const operator = await open("operator", { limits: { clientIds: ["ACME"], facilityCodes: ["DC1"] } });
  const { page } = operator;
  await operator.open("/orders/promise");
  const form = page.getByRole("form", { name: "Basket" });
  await form.getByRole("combobox", { name: "Client" }).click();
  assert.deepEqual(
    (await page.getByRole("option").allInnerTexts()).map((text) => text.split(" ")[0]),
    ["ACME"],
  );
  await page.keyboard.press("Escape");
  await form.getByRole("combobox", { name: "Facility" }).click();
  assert.deepEqual(
    (await page.getByRole("option").allInnerTexts()).map((text) => text.split(" ")[0]),
    ["DC1"],
  );
  await page.keyboard.press("Escape");
  await promise(page, "CUP-RED 2");
  await page
    .getByRole("alert")
    .getByText(/^Arrives on /)
    .waitFor();
  const answer = await operator.user?.post("/client/order/promise?clientId=ACME", {
    shipToAddress: { country: "GB" },
    lines: [{ sku: "CUP-RED", qty: 1 }],
  });
  assert.equal(answer?.status, 403, "the routing compares all facilities");
  await operator.check();
});
