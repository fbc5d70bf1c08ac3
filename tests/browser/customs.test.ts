// Customs data in the console: what a product lacks for each destination, and an order for its own.
import assert from "node:assert/strict";
import { browserWorld } from "../support/browser/chromium.ts";
import { attributes, leeds, money } from "../support/builders/documents.ts";
import { lifeOf } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const { server } = world;
const port = await warehouseOf(server);
const mug = {
  sku: "MUG-STONE",
  name: "Drinking mug of stoneware",
  weight: "0.35",
  weightUomCode: "KG",
  countryOfOrigin: "GB",
  extendedAttributes: attributes({ HsCode: "6912.00", ManufacturerProductId: "PM-330" }),
};
const acme = await lifeOf(server, port, "ACME", { items: [mug] });
const berlin = { ...leeds, city: "Berlin", zip: "10117", country: "DE" };
await acme.place("ABROAD", [{ sku: "MUG-STONE", qty: 1, unitNetPrice: money("12", "EUR") }], {
  distributionCentre: "DC1",
  shipToAddress: berlin,
  extendedAttributes: attributes({ IncotermName: "DDP" }),
});

world.test("the page of a product says what each destination asks for and since when", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/inventory/ACME/MUG-STONE?at=DC1");
  await page.getByRole("tab", { name: "Customs" }).click();
  const data = page.getByLabel("Customs data");
  await data.getByText("HS 6912.00, origin GB, maker PM-330, no GTIN").waitFor();
  await data.getByText("a GTIN, or NoStandardProductId true (Y081) and no GTIN").waitFor();
  await data.getByText("since 2026-11-01").waitFor();
  await data.getByText("the ten digits of the Harmonized Tariff Schedule of the United States").waitFor();
  assert.equal(await data.getByText("complete", { exact: true }).count(), 3);
  await viewer.checkBoth();
});

world.test("the page of an order says what its goods lack for its destination", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open("/orders/ACME/ABROAD");
  await page.getByText("European Union: eanCode of MUG-STONE missing").waitFor();
  await viewer.checkBoth();
});
