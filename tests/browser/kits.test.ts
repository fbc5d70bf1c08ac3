// Kits in the console: components on the page of a product, and below their line on the page of an order.
import assert from "node:assert/strict";
import { browserWorld } from "../support/browser/chromium.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const { server } = world;
const port = await warehouseOf(server);
const component = [
  { sku: "CUP-RED", qty: 2 },
  { sku: "TRAY-OAK", qty: 1 },
];
const acme = await lifeOf(server, port, "ACME", {
  items: ["CUP-RED", "TRAY-OAK", { sku: "SET-CUPS", components: { component } }],
});
await acme.stock([
  { sku: "CUP-RED", qty: 9 },
  { sku: "TRAY-OAK", qty: 4 },
]);
await acme.place("ACME-1", [{ sku: "SET-CUPS", qty: 2 }]);

world.test("the page of a kit has its components, and what they allow", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/inventory/ACME/SET-CUPS?at=DC1");
  await page.getByText("2 kits: TRAY-OAK has 2").waitFor();
  await page.getByRole("link", { name: "TRAY-OAK" }).waitFor();
  await viewer.checkBoth();
});

world.test("the page of an order has the components below the line of a kit", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders/ACME/ACME-1");
  const row = page.getByRole("row", { name: /CUP-RED/ });
  await row.waitFor();
  await viewer.checkBoth();
  assert.match(await row.innerText(), /2 EA in a kit[\s\S]*4 EA/);
});
