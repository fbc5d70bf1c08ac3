// warehouse.md: packing a parcel creates its papers, and the end of the parcel ends them.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, money, type Parts } from "../../support/builders/documents.ts";
import { problemOf } from "../../support/builders/order-operations.ts";
import { carrierDataOf, serviceOf } from "../../support/carriers/carriers.ts";
import { carriers, packingWorld } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const worldOf = packingWorld.bind(undefined, { server, dc1 });

test("each parcel has a slip and a label in two forms, listed and fetched as they are", async () => {
  const life = await worldOf("PAPERS");
  await life.picked("1", 3, {
    language: "nl-NL",
    extendedAttributes: attributes({ PackingSlipLanguage: "de-AT", PrintPricesOnPackingSlip: "true" }),
    totalPrice: money("30.00", "EUR"),
  });
  const [first, second] = await life.pack("1", {}, {});
  const kinds = [
    "PACKING_SLIP application/pdf de",
    "SHIPPING_LABEL application/pdf en",
    "SHIPPING_LABEL application/zpl en",
  ];
  const listed = await life.papers("1");
  assert.deepEqual(
    listed.map(({ olpnId, type, contentType, language }) => [olpnId, `${type} ${contentType} ${language}`]),
    [...kinds.map((kind) => [first?.olpnId, kind]), ...kinds.map((kind) => [second?.olpnId, kind])],
  );
  assert.deepEqual(
    [first, second].flatMap((parcel) => parcel?.documents.map(({ documentId }) => documentId)),
    listed.map(({ documentId }) => documentId),
  );
  for (const { documentId, contentType, sha256, size } of listed) {
    const { status, headers, bytes } = await life.orders.get(`/document/get/${documentId}`);
    assert.deepEqual([status, headers.get("content-type")], [200, contentType]);
    assert.deepEqual([hash("sha256", bytes), bytes.length], [sha256, size]);
    const text = bytes.toString("latin1");
    assert.ok(contentType === "application/pdf" ? text.startsWith("%PDF-") : text.startsWith("^XA"), text.slice(0, 20));
  }
  const zpl = listed.filter(({ contentType }) => contentType === "application/zpl");
  const texts = await Promise.all(
    zpl.map(async (document) => `${(await life.orders.get(`/document/get/${document.documentId}`)).bytes}`),
  );
  assert.ok(texts.every((text) => text.includes("NOT A CARRIER") && text.includes("Service RM48")));
  assert.ok(texts[0]?.includes(`>;>800${first?.olpnId}`) && texts[1]?.includes(`>;>800${second?.olpnId}`));
  // The parcel of the third piece is not yet known; once it is packed, all are counted.
  const third = await life.packOne("1", { carrierCode: "RM", carrierServiceCode: "RM48", trackingNumber: "RM1GB" });
  const label = third.documents.find(({ contentType }) => contentType === "application/zpl");
  const last = `${(await life.orders.get(`/document/get/${label?.documentId}`)).bytes}`;
  assert.ok(last.includes("^FD3 of 3^FS") && !last.includes("NOT A CARRIER") && last.includes("RM1GB"), last);
  assert.ok(texts[0]?.includes("^FD1^FS"));
  const { milestones } = (await life.shown("1")) as unknown as { milestones: { code: number; name: string }[] };
  assert.equal(milestones.filter(({ code, name }) => code === 70 && name === "Label Produced").length, 2);
  assert.equal((await life.signals("1")).filter((signal) => signal === 70).length, 3);
});

test("an invoice goes with what crosses a customs border, and says what it lacks; within it there is none", async () => {
  const described: Parts = { sku: "A", name: "Mug", countryOfOrigin: "PT", weight: 0.35, weightUomCode: "KG" };
  const life = await worldOf("CUSTOMS", carriers, [described]);
  const berlin = { lastName: "Maier", address1: "Am Markt 1", city: "Berlin", zip: "10117", country: "DE" };
  const belfast = { lastName: "Boyle", address1: "1 Quay", city: "Belfast", zip: "BT1 1AA", country: "GB" };
  const toBerlin = { shipToAddress: berlin, extendedAttributes: attributes({ IncotermName: "DAP" }) };
  await life.picked("ABROAD", 2, toBerlin, { unitNetPrice: money("10.08", "GBP") });
  const packed = await life.pack("ABROAD", {}, {});
  for (const { documents, olpnId } of packed) {
    assert.deepEqual(documents.map(({ type }) => type).slice(3), ["COMMERCIAL_INVOICE"], olpnId);
    assert.deepEqual(documents.at(-1)?.warnings, ["Line 1, SKU A: the item has no HsCode."]);
  }
  const sample = { ...toBerlin, extendedAttributes: attributes({ IncotermName: "DAP", ReasonForExport: "SAMPLE" }) };
  const ofLine = { unitNetPrice: money("10.08", "GBP"), extendedAttributes: attributes({ HsCode: "6912.00" }) };
  await life.picked("SAMPLE", 1, sample, ofLine);
  assert.deepEqual((await life.packOne("SAMPLE")).documents.at(-1)?.warnings, []);
  await life.picked("IRISH", 1, { shipToAddress: belfast });
  assert.equal((await life.packOne("IRISH")).documents.at(-1)?.type, "COMMERCIAL_INVOICE");
  await life.picked("HOME");
  assert.equal((await life.packOne("HOME")).documents.length, 3);
});

test("by post a parcel across a customs border has a CN22, or a CN23 beside its invoice, by the exchange rates", async () => {
  const { services, rateCards } = carrierDataOf(serviceOf("POST", "RM", 3, { postal: true }));
  const rates = [{ from: "XDR", to: "GBP", date: "2026-01-01", rate: 1.05 }];
  const mug: Parts = { sku: "A", name: "Mug", countryOfOrigin: "PT", weight: 0.35, weightUomCode: "KG" };
  const life = await worldOf("BY-POST", { services, rateCards, rates }, [mug]);
  const shipToAddress = { lastName: "Maier", address1: "Am Markt 1", city: "Berlin", zip: "10117", country: "DE" };
  const price = (amount: string) => ({ unitNetPrice: money(amount, "GBP") });
  await life.picked("SMALL", 1, { shipToAddress }, price("315.00"));
  const small = await life.packOne("SMALL", { weight: 1.2 });
  assert.deepEqual(
    small.documents.slice(3).map(({ type, contentType }) => `${type} ${contentType}`),
    ["CN22 application/pdf", "CN22 application/zpl"],
  );
  assert.deepEqual(small.documents.at(-1)?.warnings, ["Line 1, SKU A: the item has no HsCode."]);
  const zpl = `${(await life.orders.get(`/document/get/${small.documents.at(-1)?.documentId}`)).bytes}`;
  assert.ok(zpl.startsWith("^XA") && zpl.includes("^FDCN 22^FS"), zpl);
  await life.picked("DEAR", 1, { shipToAddress }, price("315.01"));
  const dear = await life.packOne("DEAR", { weight: 1.2 });
  assert.deepEqual(
    dear.documents.slice(3).map(({ type }) => type),
    ["COMMERCIAL_INVOICE", "CN23"],
  );
  assert.deepEqual((await life.papers("DEAR")).map(({ type }) => type).slice(3), ["COMMERCIAL_INVOICE", "CN23"]);
  await life.picked("HEAVY", 1, { shipToAddress }, price("1.00"));
  assert.equal((await life.packOne("HEAVY", { weight: 2.1 })).documents.at(-1)?.type, "CN23");
  await life.picked("HOME");
  assert.equal((await life.packOne("HOME")).documents.length, 3);
});

test("a voided parcel's papers are gone with it; packed again it has its own", async () => {
  const life = await worldOf("VOIDED");
  await life.picked("1", 2);
  const [first, second] = await life.pack("1", {}, {});
  assert.ok(first && second);
  await dc1.report("parcel/void", { clientId: "VOIDED", olpnId: second.olpnId });
  assert.deepEqual(new Set((await life.papers("1")).map(({ olpnId }) => olpnId)), new Set([first.olpnId]));
  for (const { documentId } of second.documents) problemOf(await life.orders.get(`/document/get/${documentId}`), 404);
  const again = await life.packOne("1");
  assert.notEqual(again.olpnId, second.olpnId);
  assert.notEqual(again.decisionId, second.decisionId);
  assert.deepEqual(
    (await life.papers("1")).map(({ documentId }) => documentId),
    [first, again].flatMap(({ documents }) => documents.map(({ documentId }) => documentId)),
  );
  const { body: voided } = await life.orders.get(`/olpn/get/${second.olpnId}`);
  assert.deepEqual([voided.status, voided.decisionId], ["VOIDED", second.decisionId]);
  await life.assertSound();
});

test("another client's decisions and papers are not there", async () => {
  const life = await worldOf("MINE");
  await life.picked("1");
  const parcel = await life.packOne("1");
  const stranger = await worldOf("THEIRS");
  const { status } = await stranger.rest("GET", `/carrierDeterminationService/carrier/decision/${parcel.decisionId}`);
  assert.equal(status, 404);
  problemOf(await stranger.orders.get(`/document/get/${parcel.documents[0]?.documentId}`), 404);
});
