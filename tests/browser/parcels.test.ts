// The page of a parcel in the console: found by its numbers, with its carrier, contents, papers and events.
import assert from "node:assert/strict";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";
import { attributes } from "../support/builders/documents.ts";
import { lifeOf, parcel, withLots } from "../support/builders/life.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const world = await browserWorld();
const port = await warehouseOf(world.server);
const clientId = "ACME";
const phone = { width: 390, height: 844 } as const;
const serum = { ...withLots("SERUM"), extendedAttributes: attributes({ CaptureSerial: "true" }) };
const acme = await lifeOf(world.server, port, clientId, { items: ["MUG", { ...serum, name: "Night serum, 30 ml" }] });
const lot = { batchRef: "L-7", expiryDate: "2099-06-30" };
const serials = ["SN-1", "SN-2"];
await port.report("adjustment", acme.adjust([{ sku: "SERUM", qty: 2, ...lot, serials }]).body);
await acme.stock([{ sku: "MUG", qty: 9 }]);

const lines = [
  { sku: "SERUM", qty: 2 },
  { sku: "MUG", qty: 3 },
];
const orderId = "ACME-1";
await acme.place(orderId, lines);
await port.report("pick", {
  clientId,
  orderId,
  lines: [
    { lineNumber: 1, qtyPicked: 2, batchRef: lot.batchRef, serials },
    { lineNumber: 2, qtyPicked: 3 },
  ],
});
const contents = [
  { lineNumber: 1, qty: 2, batchRef: lot.batchRef, serials },
  { lineNumber: 2, qty: 3 },
];
const trackingNumber = "HB00012345GB";
const size = { length: 30, width: 20, height: 10, dimensionsUomCode: "CM" };
const { olpns } = await port.report("pack", {
  clientId,
  orderId,
  olpns: [parcel(contents, { ...size, trackingNumber })],
});
const [{ olpnId }] = olpns as [{ olpnId: string }];
await acme.despatch(olpnId);
for (const event of [
  { eventCode: 110, location: "Leeds" },
  { eventCode: 110, location: "Leeds", text: "Van 4" },
  { eventCode: 200, location: "Bristol", text: "delivered" },
])
  await port.report("carrierEvent", { clientId, olpnId, occurredAt: new Date().toISOString(), ...event });
await acme.place("ACME-2", [{ sku: "MUG", qty: 1 }]);
await acme.pick("ACME-2", 1);
const [packedId = ""] = await acme.pack("ACME-2", 1);
await acme.quiet();
const address = `/orders/parcels/${clientId}/${olpnId}`;

/** The record of the parcel. */
async function packed({ user }: ConsolePage) {
  const answer = await user?.get(`/client/olpn/get/${olpnId}?clientId=${clientId}`);
  assert.equal(answer?.status, 200);
  return answer.body;
}

world.test("a parcel is found by its tracking number, and its label opens", async (open) => {
  const operator = await open("operator");
  const { page } = operator;
  await operator.open("/overview");
  for (const number of [trackingNumber, olpnId]) {
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search" }).fill(number);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `Parcel ${olpnId} of ${clientId}` }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/console${address}`);
  }
  await page.getByRole("tab", { name: "Documents" }).click();
  const row = page.getByRole("row").filter({ hasText: "Shipping label" }).filter({ hasText: olpnId });
  const href = await row.getByRole("link", { name: "Open shipping label" }).getAttribute("href");
  const label = await operator.user?.get((href ?? "").replace("/v1/operatorService", ""));
  assert.equal(label?.status, 200);
  assert.equal(label.headers.get("content-type"), "application/pdf");
  await operator.checkBoth();
  await operator.shoot("parcel-documents");
  await operator.shoot("parcel-documents", phone);
});

world.test("the page of a parcel has its carrier, price, measures, contents and each event once", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open(address);
  const body = await packed(viewer);
  const decision = await viewer.user?.get(`/client/carrier/decision/${body.decisionId}?clientId=${clientId}`);
  const { amount, currency } = decision?.body.chosen.price.total ?? {};
  const price = new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
  await page.getByText(price).waitFor();
  const facts = await page.locator("dl").first().innerText();
  for (const text of [clientId, orderId, "DC1", body.carrierCode, body.carrierServiceCode, trackingNumber, price])
    assert.ok(facts.includes(text), `${text} in ${facts}`);
  assert.match(facts, /0\.5 KG/);
  assert.match(facts, /30 × 20 × 10 CM/);
  const link = page.getByRole("link", { name: trackingNumber });
  assert.equal(await link.getAttribute("href"), body.trackingUrl);
  const row = page.getByRole("row").filter({ hasText: "SERUM" });
  await row.getByText("Night serum, 30 ml").waitFor();
  assert.match(await row.innerText(), /2 EA\s+L-7\s+2099-06-30\s+SN-1, SN-2/);
  const steps = await page
    .getByRole("listitem")
    .filter({ has: page.locator("time") })
    .allInnerTexts();
  const ofCarrier = steps.map((text) => text.replace(/\s+/g, " ")).filter((text) => / (?:110|200) ?/.test(text));
  assert.deepEqual(
    ofCarrier.map((text) => text.replace(/^.*? (?=110|200)/, "")),
    ["110Collected by Carrier · Leeds · Van 4", "200Delivered · Bristol"],
  );
  for (const text of [olpnId, trackingNumber]) {
    await page
      .getByRole("button", { name: `Copy ${text}`, exact: true })
      .first()
      .click();
    await page.waitForFunction(`navigator.clipboard.readText().then((text) => text === ${JSON.stringify(text)})`);
  }
  await viewer.checkBoth();
  await viewer.shoot("parcel");
  await viewer.shoot("parcel", { scheme: "dark" });
  await viewer.shoot("parcel", { ...phone, height: 1_600 });
  await viewer.shoot("parcel", { ...phone, height: 1_600, scheme: "dark" });
  await page.getByRole("link", { name: "Carrier decision" }).click();
  await page.getByRole("heading", { name: `Carrier decision ${olpnId}` }).waitFor();
  await page.getByRole("link", { name: olpnId, exact: true }).click();
  await page.getByRole("link", { name: `Parcels of order ${orderId}` }).click();
  const box = page.getByRole("region", { name: `Parcel ${olpnId}` });
  await box.getByRole("link", { name: olpnId, exact: true }).click();
  await page.getByRole("heading", { name: `Parcel ${olpnId} of ${clientId}` }).waitFor();
});

world.test("on a phone no part of the page of a parcel is wider than the window", async (open) => {
  const viewer = await open("viewer");
  await viewer.page.setViewportSize(phone);
  await viewer.open(address);
  await viewer.page.getByText("Night serum, 30 ml").waitFor();
  const beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  assert.equal(await viewer.page.evaluate(beyond), 0);
  await viewer.checkBoth();
});

world.test("a parcel that has not left says so, and leads to its order", async (open) => {
  const viewer = await open("viewer");
  const { page } = viewer;
  await viewer.open(`/orders/parcels/${clientId}/${packedId}`);
  await page.getByText("The carrier has reported nothing yet.").waitFor();
  await viewer.checkBoth();
  await viewer.shoot("parcel-packed");
  await page.getByRole("link", { name: "What the order waits for" }).click();
  await page.getByRole("heading", { name: /^Order ACME-2 / }).waitFor();
});

world.test("a user reads the parcels of the own facilities only", async (open) => {
  const operator = await open("operator", { limits: { facilityCodes: ["DC1"] } });
  await operator.open(address);
  await operator.page.getByText("Night serum, 30 ml").waitFor();
  await operator.page.getByRole("tab", { name: "Documents" }).click();
  await operator.page.getByRole("link", { name: "Open shipping label" }).waitFor();
  await operator.check();
  const stranger = await open("operator", { limits: { facilityCodes: ["DC2"] } });
  stranger.expectStatuses(403, 404);
  await stranger.open(address);
  await stranger.page.getByRole("alert").waitFor();
  assert.equal(await stranger.page.getByText("Night serum").count(), 0);
});
