// The parcels that a print names, by their numbers or by their orders.
import type { Tx } from "#/db/database.ts";
import { invalidRequest, type Problem, problem } from "#/http/problems/problem.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { clientsOfParcels, listPackedParcels, listParcelsById, type ParcelFacts } from "#/modules/parcels/index.ts";
import { chooseClient } from "#/modules/warehouse/objects/owners.ts";
import { findOrderOwners } from "#/modules/warehouse/warehouse.cross-client.ts";

/** Some hundred pages: the printing thread is busy with them for about a second. */
export const parcelsMax = 100;

/** Exactly one of the two lists is present. */
export interface PrintRequest {
  readonly olpnIds?: readonly string[];
  readonly orderIds?: readonly string[];
  /** Client of the orders. */
  readonly clientId?: string;
}

export interface WantedParcel {
  readonly clientId: string;
  readonly parcel: ParcelFacts;
  /** The place in the request that names the parcel or its order, a JSON pointer. */
  readonly pointer: string;
}

/** The parcels to print, each once, in the order of the request: those of an order as they were packed. */
export function listWantedParcels(
  tx: Tx,
  facilityCode: string,
  { olpnIds, orderIds, clientId }: PrintRequest,
): Promise<Result<readonly WantedParcel[], Problem>> | Result<never, Problem> {
  if ((olpnIds === undefined) === (orderIds === undefined)) {
    const message = olpnIds === undefined ? "is required, or orderIds" : "is not allowed together with orderIds";
    return refused(invalidRequest([{ pointer: "#/olpnIds", message }]));
  }
  if (orderIds !== undefined) return listParcelsOfOrders(tx, facilityCode, orderIds, clientId);
  if (clientId !== undefined) {
    const message = "is only allowed with orderIds: the number of a parcel names its client";
    return refused(invalidRequest([{ pointer: "#/clientId", message }]));
  }
  return listNamedParcels(tx, facilityCode, olpnIds as readonly string[]);
}

async function listNamedParcels(
  tx: Tx,
  facilityCode: string,
  olpnIds: readonly string[],
): Promise<Result<WantedParcel[], Problem>> {
  const found = new Map<string, Omit<WantedParcel, "pointer">>();
  for (const [clientId, ids] of await clientsOfParcels(tx, [...new Set(olpnIds)])) {
    for (const parcel of await listParcelsById(tx.of(clientId), ids)) {
      if (parcel.facilityCode === facilityCode) found.set(parcel.olpnId, { clientId, parcel });
    }
  }
  const wanted: WantedParcel[] = [];
  for (const [i, olpnId] of olpnIds.entries()) {
    const parcel = found.get(olpnId);
    if (parcel === undefined) return refused(problem("not-found", `The facility has no parcel ${olpnId}.`));
    if (olpnIds.indexOf(olpnId) === i) wanted.push({ ...parcel, pointer: `#/olpnIds/${i}` });
  }
  return ok(wanted);
}

async function listParcelsOfOrders(
  tx: Tx,
  facilityCode: string,
  orderIds: readonly string[],
  clientId: string | undefined,
): Promise<Result<WantedParcel[], Problem>> {
  const distinct = [...new Set(orderIds)];
  const owners = Map.groupBy(await findOrderOwners(tx, facilityCode, distinct, clientId), ({ orderId }) => orderId);
  const clientOf = new Map<string, string>();
  for (const orderId of distinct) {
    const candidates = (owners.get(orderId) ?? []).map((owner) => owner.clientId);
    if (candidates.length === 0) return refused(problem("not-found", `The facility has no order ${orderId}.`));
    const object = { kind: "an order", idName: "orderId", id: orderId };
    const client = chooseClient(candidates, clientId, object, "#/clientId");
    if (!client.ok) return client;
    clientOf.set(orderId, client.value);
  }
  const parcels: ParcelFacts[] = [];
  for (const [owner, ids] of Map.groupBy(distinct, (orderId) => clientOf.get(orderId) as string)) {
    const limit = parcelsMax + 1 - parcels.length;
    parcels.push(...(await listPackedParcels(tx.of(owner), facilityCode, { orderIds: ids, limit })));
    if (parcels.length > parcelsMax) {
      const message = `have more than ${parcelsMax} parcels together: name fewer orders, or print by olpnIds`;
      return refused(problem("unprocessable", "Too many parcels.", { errors: [{ pointer: "#/orderIds", message }] }));
    }
  }
  const byOrder = Map.groupBy(parcels, ({ orderId }) => orderId);
  const errors = orderIds.flatMap((orderId, i) =>
    byOrder.has(orderId)
      ? []
      : { pointer: `#/orderIds/${i}`, message: `order ${orderId} has no parcel: it is not packed` },
  );
  if (errors.length > 0) return refused(problem("unprocessable", "Orders have no parcel.", { errors }));
  return ok(
    distinct.flatMap((orderId) =>
      (byOrder.get(orderId) ?? []).map((parcel) => ({
        clientId: clientOf.get(orderId) as string,
        parcel,
        pointer: `#/orderIds/${orderIds.indexOf(orderId)}`,
      })),
    ),
  );
}
