// Parcels from pack to delivery, for the workload of plans.test.ts.

import {
  insertParcelKeys,
  insertParcels,
  listOlpnIds,
  listPackedParcels,
  listParcelMilestones,
  listParcels,
  listParcelsById,
  listParcelsOfLoad,
  type ParcelFacts,
  updateParcels,
} from "#/modules/parcels/index.ts";
import type { Database } from "#/store/db/database.ts";

const at = "2026-11-20T10:00:00.000Z";

const parcel: ParcelFacts = {
  olpnId: "106141412345678908",
  orderId: "WEB-100045",
  facilityCode: "DC1",
  status: "PACKED",
  statusAt: undefined,
  isDelivered: false,
  isReturning: false,
  carrierCode: "RM",
  carrierServiceCode: undefined,
  decisionId: undefined,
  trackingNumber: "RM123456785GB",
  trackingUrl: undefined,
  isGeneratedTrackingNumber: false,
  weight: 1,
  weightUomCode: "KG",
  length: undefined,
  width: undefined,
  height: undefined,
  dimensionsUomCode: undefined,
  contents: [],
  loadId: undefined,
  packedAt: at,
  loadedAt: undefined,
  despatchedAt: undefined,
  version: 1,
};

/** Sends every statement of the parcels that names a client. */
export async function runFloor(database: Database, clientId: string): Promise<void> {
  const { olpnId, orderId, trackingNumber = "" } = parcel;
  await database.transaction(async (tx) => {
    insertParcels(tx.of(clientId), at, [parcel]);
    insertParcelKeys(tx, clientId, [
      { kind: "OLPN", key: olpnId, olpnId },
      { kind: "TRACKING", key: trackingNumber, olpnId },
    ]);
    updateParcels(tx.of(clientId), at, [{ ...parcel, status: "LOADED", loadId: "L", loadedAt: at }]);
  });
  await listParcels(database.of(clientId), [orderId]);
  await listPackedParcels(database.of(clientId), ["DC1"], { orderIds: [orderId], limit: 101 });
  await listOlpnIds(database.of(clientId), [orderId]);
  await listParcelsById(database.of(clientId), [olpnId]);
  await listParcelsOfLoad(database.of(clientId), "DC1", "L");
  await listParcelMilestones(database.of(clientId), [orderId]);
}
