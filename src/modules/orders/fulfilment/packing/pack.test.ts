import assert from "node:assert/strict";
import { test } from "node:test";
import { isSscc } from "#/kernel/values/gtin.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { resolveSettings } from "#/modules/clients/index.ts";
import { listSerials } from "#/modules/inventory/index.ts";
import { reportDespatch } from "#/modules/orders/fulfilment/despatch.ts";
import { reportPack } from "#/modules/orders/fulfilment/packing/pack.ts";
import { reportPick } from "#/modules/orders/fulfilment/pick.ts";
import { createSsccMint, listParcels } from "#/modules/parcels/index.ts";
import { at, changeAt, database, feedsOf } from "../../../../../tests/support/builders/stocked-orders.ts";
import { anyCarrier } from "../../../../../tests/support/carriers/carriers.ts";
import { patient } from "../../../../../tests/support/postgres/database.ts";
import {
  accepted,
  assertRefused,
  eventsBy,
  floor,
  packTerms,
  parcelOf,
} from "../../../../../tests/support/warehouse/floor.ts";

const sscc = "106141412345678908";

interface Packed {
  readonly olpnId: string;
  readonly decisionId: string | null;
  readonly documents: readonly { readonly type: string; readonly contentType: string; readonly warnings: string[] }[];
}

test("picked units become parcels, each with a separate number", async () => {
  const { clientId, items, stock, picked, pack, buckets, holdings, clean } = await floor("PACK");
  await items(["A"]);
  await stock([{ sku: "A", qty: 5 }]);
  await picked("1", "A", 3);
  const first = await pack({ orderId: "1", olpns: [parcelOf(1)] });
  assert.deepEqual(eventsBy(first), ["1 parcel:packed", "1 70"]);
  const second = await pack({
    orderId: "1",
    olpns: [
      parcelOf(1, { olpnId: sscc, carrierCode: "RM", carrierServiceCode: "RM48", trackingNumber: "RM1GB" }),
      parcelOf(1, { length: 30, width: 20, height: 10, dimensionsUomCode: "cmt" }),
    ],
  });
  assert.deepEqual(eventsBy(second), [
    ...["1 parcel:packed", "1 parcel:packed", "1 order:packed", "1 60", "1 70", "1 70", "1 75"],
  ]);
  const [status] = feedsOf(accepted(second).events);
  assert.equal((status?.content as { shipments: object[] } | undefined)?.shipments.length, 3);
  const { olpns } = accepted(second).answer as { olpns: Packed[] };
  const [preset, chosen] = olpns.map(({ documents: _, ...olpn }) => olpn);
  assert.deepEqual(preset, {
    olpnId: sscc,
    carrierCode: "RM",
    carrierServiceCode: "RM48",
    trackingNumber: "RM1GB",
    decisionId: null,
  });
  const minted = String(chosen?.olpnId);
  assert.ok(isSscc(minted));
  assert.deepEqual(chosen, { olpnId: minted, ...anyCarrier, trackingNumber: minted, decisionId: chosen?.decisionId });
  assert.ok(isUuidV7(String(chosen?.decisionId)));
  for (const { documents } of olpns) {
    assert.deepEqual(
      documents.map(({ type, contentType, warnings }) => [type, contentType, warnings]),
      [
        ["PACKING_SLIP", "application/pdf", []],
        ["SHIPPING_LABEL", "application/pdf", []],
        ["SHIPPING_LABEL", "application/zpl", []],
      ],
    );
  }
  assert.deepEqual(await buckets("1"), { ordered: 3, packed: 3 });
  assert.deepEqual(await holdings("1"), ["1 -: a0 p0 k3 FIFO"]);
  const stored = await listParcels(database.of(clientId), ["1"]);
  const parcel = stored.find(({ olpnId }) => olpnId === minted);
  assert.deepEqual(
    [
      parcel?.isGeneratedTrackingNumber,
      parcel?.weight,
      parcel?.weightUomCode,
      parcel?.length,
      parcel?.dimensionsUomCode,
      parcel?.status,
    ],
    [true, 1.25, "KG", 30, "CM", "PACKED"],
  );
  assert.deepEqual(parcel?.contents, [
    { lineNumber: 1, sku: "A", qty: 1000, stockPool: "DEFAULT", batchRef: "", expiryDate: "infinity", serials: [] },
  ]);
  await clean();
});

test("a pack with wrong content is refused, and names the errors", async () => {
  const { items, stock, picked, pack, clean } = await floor("PACKNO");
  const other = await floor("PACKNO2");
  for (const client of [{ items, stock }, other]) {
    await client.items(["A"]);
    await client.stock([{ sku: "A", qty: 5 }]);
  }
  await picked("1", "A", 2);
  await other.picked("1", "A", 1);
  accepted(await other.pack({ orderId: "1", olpns: [parcelOf(1, { olpnId: "006141411234567890" })] }));
  const packOne = (fields: object) => pack({ orderId: "1", olpns: [parcelOf(1, fields)] });
  assertRefused(await packOne({ olpnId: "106141412345678909" }), "unprocessable", /not an SSCC-18/);
  assertRefused(await packOne({ olpnId: "P-1" }), "unprocessable", /OLPN P-1 is not an SSCC-18/);
  assertRefused(
    await packOne({ olpnId: "006141411234567890" }),
    "conflict",
    /OLPN 006141411234567890 is already in use/,
  );
  const twice = [parcelOf(1, { olpnId: sscc.replace(/^1/, "1") }), parcelOf(1, { olpnId: sscc })];
  assertRefused(await pack({ orderId: "1", olpns: twice }), "conflict", /is present twice/);
  assertRefused(await packOne({ weight: 0 }), "unprocessable", /weight of OLPN 1 of the report is 0/);
  assertRefused(await packOne({ weightUomCode: "stone" }), "unprocessable", /'stone'; allowed: KG/);
  assertRefused(await packOne({ length: 3 }), "unprocessable", /sides of .* are in ''; allowed: CM/);
  assertRefused(await packOne({ length: -1, dimensionsUomCode: "CM" }), "unprocessable", /Each side/);
  assertRefused(await packOne({ contents: [] }), "unprocessable", /has no contents/);
  assertRefused(await packOne({ contents: [{ lineNumber: 9, qty: 1 }] }), "unprocessable", /no line 9/);
  assertRefused(
    await packOne({ contents: [{ lineNumber: 1, qty: 3 }] }),
    "conflict",
    /3 of SKU A are packed, 2 are picked/,
  );
  assertRefused(
    await packOne({ contents: [{ lineNumber: 1, qty: 1, batchRef: "X" }] }),
    "conflict",
    /batch X are packed, 0/,
  );
  assertRefused(await packOne({ contents: [{ lineNumber: 1, qty: 0.5 }] }), "unprocessable", /not a whole number/);
  assertRefused(await pack({ orderId: "7", olpns: [parcelOf(1)] }), "notFound", /no order 7/);
  await clean();
  await other.clean();
});

test("a held order is not packed", async () => {
  const { items, stock, picked, pack, hold } = await floor("PACKHELD");
  await items(["A"]);
  await stock([{ sku: "A", qty: 1 }]);
  await picked("1", "A", 1);
  await hold("1");
  assertRefused(await pack({ orderId: "1", olpns: [parcelOf(1)] }), "conflict", /on hold: OTHER/);
});

test("contents name the batches and serials of each parcel", async () => {
  const { items, stock, serials, captureBatch, released, pick, pack, parcels, clean } = await floor("PACKLOT");
  await items(["S"], { attributes: { CaptureSerial: "true" } });
  await captureBatch("S");
  await stock([
    { sku: "S", qty: 1, batchRef: "B1", at: "2026-09-01T00:00:00.000Z" },
    { sku: "S", qty: 1, batchRef: "B2", at: "2026-09-02T00:00:00.000Z" },
  ]);
  await serials([
    { sku: "S", serial: "1", batchRef: "B1" },
    { sku: "S", serial: "2", batchRef: "B2" },
  ]);
  await released("1", "S", 2);
  accepted(
    await pick({
      orderId: "1",
      lines: [
        { lineNumber: 1, qtyPicked: 1, batchRef: "B1", serials: ["1"] },
        { lineNumber: 1, qtyPicked: 1, batchRef: "B2", serials: ["2"] },
      ],
    }),
  );
  const of = (batchRef: string, ...named: string[]) =>
    pack({
      orderId: "1",
      olpns: [{ ...parcelOf(1), contents: [{ lineNumber: 1, qty: 1, batchRef, serials: named }] }],
    });
  assertRefused(await of("B1"), "unprocessable", /kept by serial number/);
  assertRefused(await of("B1", "2"), "conflict", /serial 2 of SKU S is not picked/);
  accepted(await of("B2", "2"));
  assertRefused(await of("B2", "2"), "conflict", /serial 2 of SKU S is not picked/);
  accepted(await of("B1", "1"));
  assert.deepEqual(
    (await parcels("1")).map(({ contents }) => contents.map(({ batchRef, serials: numbers }) => [batchRef, numbers])),
    [[["B2", ["2"]]], [["B1", ["1"]]]],
  );
  await clean();
});

test("the units of a voided parcel are picked again, and can be packed again", async () => {
  const { items, stock, picked, packOne, voidParcel, buckets, read, parcels, despatch, clean } = await floor("VOID");
  await items(["A"]);
  await stock([{ sku: "A", qty: 3 }]);
  await picked("1", "A", 2);
  const olpnId = await packOne("1", 2);
  const voided = await voidParcel(olpnId);
  assert.deepEqual(eventsBy(voided), ["1 parcel:voided", "1 order:picking"]);
  assert.deepEqual(await buckets("1"), { ordered: 2, picked: 2 });
  assert.equal((await parcels("1"))[0]?.status, "VOIDED");
  assertRefused(await voidParcel(olpnId), "conflict", /is VOIDED: only a PACKED or LOADED one/);
  assertRefused(await voidParcel("106141412345678908"), "notFound", /no parcel/);
  assertRefused(await voidParcel(olpnId, "DC2"), "notFound", /at facility DC2/);
  await clean();
  const again = await packOne("1", 2);
  assert.notEqual(again, olpnId);
  accepted(await despatch({ olpnIds: [again] }));
  assertRefused(await voidParcel(again), "conflict", /is DESPATCHED/);
  assert.equal((await read("1")).status, "DESPATCHED");
  await clean();
});

test("after a partial cancellation of a pick, the warehouse may pack another unit", async () => {
  const made = await floor("EXCHANGE");
  const { clientId, items, stock, serials, released, pick, askCancel, cancel, pack, clean } = made;
  await items(["S"], { attributes: { CaptureSerial: "true" } });
  await stock([{ sku: "S", qty: 3 }]);
  await serials(["1", "2", "3"].map((serial) => ({ sku: "S", serial, batchRef: "" })));
  await released("1", "S", 2);
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 2, serials: ["1", "2"] }] }));
  await askCancel("1", 1);
  accepted(await cancel({ orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] }));
  const owned = async () =>
    (await listSerials(database.of(clientId), "S", ["1", "2", "3"])).filter(({ ownerId }) => ownerId === "1");
  const [kept] = await owned();
  const freed = kept?.serial === "1" ? "2" : "1";
  const packSerials = (...named: string[]) =>
    pack({ orderId: "1", olpns: [parcelOf(1, { contents: [{ lineNumber: 1, qty: 1, serials: named }] })] });
  assertRefused(await packSerials("4"), "conflict", /serial 4 of SKU S is not picked/);
  accepted(await packSerials(freed));
  assert.deepEqual(
    (await owned()).map(({ serial }) => serial),
    [freed],
  );
  await clean();
});

test("concurrent packs, picks and loads of many orders keep the ledger consistent", async () => {
  const made = await floor("MANY");
  const { clientId, items, stock, released, allocate, order, clean } = made;
  await items(["A"]);
  await stock([
    { sku: "A", qty: 6, batchRef: "B1", at: "2026-09-01T00:00:00.000Z" },
    { sku: "A", qty: 6, batchRef: "B2", at: "2026-09-02T00:00:00.000Z" },
  ]);
  const orderIds = ["a", "b", "c", "d", "e", "f"];
  for (const orderId of orderIds) await order(orderId, [{ sku: "A", qty: 2 }]);
  await allocate({ orderIds });
  // Each order picks from the lot that is allocated to the other half.
  const results = await Promise.all(
    orderIds.map(async (orderId, i) => {
      const batchRef = i < 3 ? "B2" : "B1";
      const lines = [{ lineNumber: 1, qtyPicked: 2, batchRef }];
      const picked = await database.transaction(
        (tx) => reportPick(tx.of(clientId, changeAt()), "DC1", { orderId, lines }),
        patient,
      );
      assert.ok(picked.ok);
      const mint = createSsccMint(database, "0614141", { blockSize: 3 });
      const olpns = [parcelOf(1), parcelOf(1)];
      const body = { orderId, olpns };
      const pack = {
        clientId,
        seller: { name: clientId, customs: resolveSettings({}) },
        facilityCode: "DC1",
        body,
        at,
      };
      const terms = { ...packTerms, ssccs: mint };
      const report = await database.transaction((tx) => reportPack(tx, changeAt(), terms, pack), patient);
      assert.ok(report.answer.ok);
      const olpnIds = (report.answer.value as { olpns: { olpnId: string }[] }).olpns.map(({ olpnId }) => olpnId);
      return database.transaction((tx) => reportDespatch(tx.of(clientId, changeAt()), "DC1", { olpnIds }), patient);
    }),
  );
  assert.ok(results.every(({ ok }) => ok));
  await clean();
  await released("g", "A", 1);
  assert.deepEqual(await made.buckets("g"), { ordered: 1, backordered: 1 });
});
