// The demo from outside: an order to the EU gets a label that was bought from the stand-in of a carrier, its goods have the
// identifiers that customs ask for, the cut-off makes its manifest, and the carrier's webhook tracks it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { order } from "../../support/builders/documents.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer({ CROSSDOCK_SEED_DEMO: "true", CROSSDOCK_DEMO_HISTORY: "false" });
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");

test("an order of the demo to the EU is labelled, identified, manifested at the cut-off, and tracked", async () => {
  const { body: issued } = await admin.post("/credential/issue", { clientId: "DEMO", kind: "feed" });
  const shipToAddress = {
    firstName: "Erika",
    lastName: "Mustermann",
    address1: "Hauptstr. 1",
    city: "Berlin",
    zip: "10115",
    country: "DE",
    phone: "+49 30 901820",
    email: "erika@example.com",
  };
  const lines = [{ sku: "MUG-BLUE-330", qty: 1, unitNetPrice: { "@unit": "GBP", "#": "9.50" } }];
  const more = { shipToAddress, shippingMethod: "AIR", carrierCode: "KEX", distributionCentre: "DC1" };
  const sent = await fetch(`${server.url}/feeds/DEMO/NO`, {
    method: "POST",
    headers: { "x-api-key": issued.feed.apiKey, "content-type": "application/xml" },
    body: order("DEMO", "EU-1", lines, more),
  });
  assert.match(await sent.text(), /<success>true<\/success>/);
  const task = await dc1.task(({ objectId, type }) => type === "PICK" && objectId === "EU-1");
  const [line] = task.lines;
  const identifiers = { gtin: "4006381333931", hasNoStandardId: false, manufacturer: null, merchant: "MUG-BLUE-330" };
  assert.deepEqual(line?.customs?.productIdentifiers, identifiers);

  const report = { clientId: "DEMO", orderId: "EU-1" };
  await dc1.report("pick", { ...report, lines: [{ lineNumber: 1, qtyPicked: 1 }] });
  const olpn = { weight: 0.5, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 1 }] };
  const { olpns } = await dc1.report("pack", { ...report, olpns: [olpn] });
  const [{ olpnId }] = olpns as [{ olpnId: string }];
  const purchase = await until("the label", async () => {
    const { body } = await admin.get("/labelPurchase/list?clientId=DEMO&status=BOUGHT&sourceCode=DEMO-CARRIER");
    return body.items.find((item: { olpnId: string }) => item.olpnId === olpnId);
  });
  assert.match(purchase.trackingNumber, /^DC[0-9A-F]{12}GB$/);
  assert.match((await dc1.get(`/label/get/${olpnId}`)).bytes.toString(), new RegExp(purchase.trackingNumber));
  await dc1.report("despatch", { clientId: "DEMO", olpnIds: [olpnId] });

  // The next full minute in London.
  const cutOffTime = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/London",
    hour: "2-digit",
    minute: "2-digit",
  }).format(Date.now() + 60_000);
  const settings = { cutOffTime, operatingDays: "MON-SUN", holidays: "" };
  assert.equal((await admin.patch("/facilityDirectory/patch/DC1", { settings })).status, 200);
  const manifest = await until(
    "the manifest",
    async () => (await admin.get("/labelManifest/list?clientId=DEMO&status=MADE")).body.items[0],
    150_000,
  );
  assert.deepEqual([manifest.sourceCode, manifest.carrierCode, manifest.parcels], ["DEMO-CARRIER", "KEX", 1]);
  const document = await admin.get(`/labelManifest/document/${manifest.manifestId}?clientId=DEMO`);
  assert.match(String(document.body), new RegExp(`^%PDF-1\\.4[^]*${purchase.trackingNumber}`));
  await until("the webhook of the carrier", async () => {
    const { body } = await admin.get(`/client/olpn/get/${olpnId}?clientId=DEMO`);
    return body.status === "IN_TRANSIT";
  });
});
