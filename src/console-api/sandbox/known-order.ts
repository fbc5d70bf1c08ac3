import { findOrderPlace, listLastCodes } from "#/console-api/sandbox/repository.ts";
import { listReservations } from "#/modules/inventory/index.ts";
import { listParcels, listParcelsById } from "#/modules/parcels/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** Final states of a parcel. */
const ends: readonly string[] = ["DELIVERED", "LOST", "RETURNED_TO_SENDER"];

/**
 * An order as stored, for a simulated warehouse that has not followed it from its release: the picked but unpacked
 * goods, and the location of its parcels.
 *
 * @param objectId an order, or one of its parcels.
 * @returns undefined where it is neither.
 */
export async function readKnownOrder(tx: ClientTx, objectId: string): Promise<object | undefined> {
  const [parcel] = await listParcelsById(tx, [objectId]);
  const orderId = parcel?.orderId ?? objectId;
  const place = await findOrderPlace(tx, orderId);
  if (!place) return undefined;
  const [reserved, parcels, lastCodes] = await Promise.all([
    listReservations(tx, "ORDER", [orderId]),
    listParcels(tx, [orderId]),
    listLastCodes(tx, orderId),
  ]);
  return {
    clientId: tx.clientId,
    orderId,
    facilityCode: place.distribution_centre,
    isHeld: place.is_held,
    picked: reserved
      .filter(({ picked }) => picked > 0)
      .map(({ lineNumber, sku, picked, batchRef }) => ({
        lineNumber,
        sku,
        qty: picked / 1000,
        ...(batchRef === "" ? {} : { batchRef }),
      })),
    parcels: parcels
      .filter(({ status }) => status !== "VOIDED")
      .map(({ olpnId, status, contents }) => ({
        olpnId,
        lineNumbers: [...new Set(contents.map(({ lineNumber }) => lineNumber))],
        isLoaded: status === "LOADED",
        hasLeft: status !== "PACKED" && status !== "LOADED",
        hasEnded: ends.includes(status),
        lastCode: lastCodes.get(olpnId) ?? 0,
      })),
  };
}
