import assert from "node:assert/strict";
import { test } from "node:test";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { listOlpnIds, listParcelMilestones, listParcels, olpnRecord } from "#/modules/parcels/index.ts";
import { database } from "../../../tests/support/builders/stocked-orders.ts";
import { anyCarrier } from "../../../tests/support/carriers/carriers.ts";
import { accepted, floor, parcelOf } from "../../../tests/support/warehouse/floor.ts";

test("the record of a parcel has its contents and its events", async () => {
  const { clientId, items, stock, captureBatch, released, pick, pack, load, carrier, voidParcel } = await floor("OLPN");
  const view = database.of(clientId);
  await items(["A"]);
  await captureBatch("A");
  await stock([{ sku: "A", qty: 2, batchRef: "B1" }]);
  await released("1", "A", 2);
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 2, batchRef: "B1" }] }));
  const contents = [{ lineNumber: 1, qty: 1, batchRef: "B1" }];
  const olpns = [
    parcelOf(1, { olpnId: "106141412345678908", length: 3, width: 2, dimensionsUomCode: "m", contents }),
    parcelOf(1, { olpnId: "006141411234567890", contents, trackingNumber: "T1", carrierCode: "RM" }),
  ];
  accepted(await pack({ orderId: "1", olpns }));
  accepted(await load({ loadId: "L", olpnIds: ["106141412345678908"], occurredAt: "2026-11-02T13:00:00Z" }));
  const occurredAt = "2026-11-02T14:00:00.000Z";
  accepted(await carrier({ olpnId: "106141412345678908", eventCode: 110, occurredAt, location: "Leeds" }));
  const [parcels, milestones] = await Promise.all([listParcels(view, ["1"]), listParcelMilestones(view, ["1"])]);
  const records = parcels.map((parcel) => olpnRecord(parcel, milestones));
  const record = records.find(({ olpnId }) => olpnId === "106141412345678908");
  assert.deepEqual(
    { ...record, events: record?.events.map(({ receivedAt: _, ...event }) => event) },
    {
      olpnId: "106141412345678908",
      orderId: "1",
      distributionCentre: parcels[0]?.facilityCode,
      status: "LOADED",
      ...anyCarrier,
      trackingNumber: "106141412345678908",
      trackingUrl: null,
      weight: { value: 1.25, uom: "KG" },
      dimensions: { length: 3, width: 2, height: null, uom: "M" },
      contents: [{ lineNumber: 1, sku: "A", qty: 1, batchRef: "B1", expiryDate: null, serials: [] }],
      events: [
        { code: 70, name: "Label Produced", at: "2026-11-02T10:02:00.000Z", location: null, text: null },
        { code: 80, name: "Parcel Loaded", at: "2026-11-02T13:00:00.000Z", location: null, text: null },
        { code: 110, name: "Collected by Carrier", at: occurredAt, location: "Leeds", text: null },
      ],
      decisionId: record?.decisionId,
    },
  );
  assert.ok(isUuidV7(String(record?.decisionId)));
  accepted(await voidParcel("006141411234567890"));
  assert.deepEqual(await listOlpnIds(view, ["1"]), new Map([["1", ["106141412345678908"]]]));
});
