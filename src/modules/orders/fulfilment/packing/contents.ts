// Assigns picked lots and serials to parcels. Pure: the caller holds the lock on the order.

import { conflict, type Refusal, unprocessable, unprocessableFields } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { faultsOfLot, type ItemRules } from "#/modules/catalogue/index.ts";
import { type Lot, lotKey, type SerialPlace } from "#/modules/inventory/index.ts";
import { qtyText, type ReservationBook } from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import type { PackedContent, PackedOlpn } from "#/modules/orders/fulfilment/packing/report.ts";
import type { Order } from "#/modules/orders/order.ts";
import type { ParcelContent, ParcelFacts } from "#/modules/parcels/index.ts";

export interface PackStock {
  readonly order: Order;
  /** The facility that packs. */
  readonly facilityCode: string;
  readonly reservations: ReservationBook;
  readonly rules: ReadonlyMap<string, ItemRules>;
  /** The places of the serials that the report names. */
  readonly places: readonly SerialPlace[];
  /** All serials that the order has picked of the SKUs of these serials. */
  readonly taken: readonly SerialPlace[];
  /** The order's existing parcels. */
  readonly parcels: readonly ParcelFacts[];
}

export interface PackedContents {
  /** The contents of each parcel by lot, in the order of the report. */
  readonly contents: readonly (readonly ParcelContent[])[];
  /**
   * Serials that changed owner. After a part of a pick is cancelled, another unit than the recorded one may have gone
   * back.
   */
  readonly exchanged: readonly SerialPlace[];
}

/** Processes the report parcel by parcel and updates the reservations. */
export function planContents(stock: PackStock, olpns: readonly PackedOlpn[]): Result<PackedContents, Refusal> {
  const serials = serialsOf(stock, olpns);
  const contents: ParcelContent[][] = [];
  for (const [i, olpn] of olpns.entries()) {
    const planned: ParcelContent[] = [];
    for (const [j, content] of olpn.contents.entries()) {
      const taken = takeContent(stock, serials, content, `#/olpns/${i}/contents/${j}`);
      if (!taken.ok) return taken;
      planned.push(...taken.value);
    }
    contents.push(planned);
  }
  return ok({ contents, exchanged: serials.exchanged });
}

interface Serials {
  /** The place of a unit that is picked for the order or can be taken in exchange. Each unit is returned once. */
  take(sku: string, serial: string): SerialPlace | undefined;
  readonly exchanged: SerialPlace[];
}

function serialsOf({ order, facilityCode, places, taken, parcels }: PackStock, olpns: readonly PackedOlpn[]): Serials {
  const keyOf = (sku: string, serial: string) => JSON.stringify([sku, serial]);
  const gone = new Set(
    parcels
      .filter(({ status }) => status !== "VOIDED")
      .flatMap(({ contents }) => contents.flatMap(({ sku, serials }) => serials.map((serial) => keyOf(sku, serial)))),
  );
  const skuOf = new Map(order.lines.map(({ lineNumber, sku }) => [lineNumber, sku]));
  const named = new Set(
    olpns.flatMap(({ contents }) =>
      contents.flatMap(({ lineNumber, serials = [] }) =>
        serials.map((serial) => keyOf(skuOf.get(lineNumber) ?? "", serial)),
      ),
    ),
  );
  const known = new Map(places.map((place) => [keyOf(place.sku, place.serial), place]));
  const exchanged: SerialPlace[] = [];
  const isGiven = ({ sku, serial }: SerialPlace) => gone.has(keyOf(sku, serial)) || named.has(keyOf(sku, serial));
  const owner = { ownerType: "ORDER", ownerId: order.orderId };
  return {
    exchanged,
    take(sku, serial) {
      const place = known.get(keyOf(sku, serial));
      if (place?.state !== "IN_STOCK" || gone.has(keyOf(sku, serial))) return undefined;
      if (place.ownerId === undefined) {
        const alike = taken.find((serialPlace) => lotKey(serialPlace) === lotKey(place) && !isGiven(serialPlace));
        const isThere = place.facilityCode === facilityCode && place.condition === "GOOD";
        if (!alike || !isThere) return undefined;
        gone.add(keyOf(alike.sku, alike.serial));
        exchanged.push({ ...place, ...owner }, { ...alike, ownerType: undefined, ownerId: undefined });
      } else if (place.ownerType !== "ORDER" || place.ownerId !== order.orderId) {
        return undefined;
      }
      gone.add(keyOf(sku, serial));
      return place;
    },
  };
}

function takeContent(
  { order, reservations, rules }: PackStock,
  packable: Serials,
  content: PackedContent,
  pointer: string,
): Result<ParcelContent[], Refusal> {
  const { lineNumber, batchRef, serials = [] } = content;
  const line = order.lines.find((candidate) => candidate.lineNumber === lineNumber);
  const sku = line?.sku ?? "";
  const name = `order ${order.orderId}, line ${lineNumber}`;
  const qty = quantityOf(content.qty);
  if (qty <= 0) return refused(unprocessable(`Of ${name}, ${qtyText(qty)} are packed: the quantity must be above 0.`));
  const rule = rules.get(sku);
  // A content names its batch and serials but no expiry date: the pick recorded the expiry date with the batch.
  const faults = rule === undefined ? [] : faultsOfLot({ ...rule, captureExpiry: false }, qty, { batchRef, serials });
  if (faults.length > 0) return refused(unprocessableFields(`Of ${name}`, pointer, faults));

  const fits = (lot: Lot) => batchRef === undefined || lot.batchRef === batchRef;
  const serialsByLot = new Map<string, string[]>();
  for (const serial of serials) {
    const place = packable.take(sku, serial);
    if (!place || !fits(place)) {
      return refused(conflict(`Of ${name}: serial ${serial} of SKU ${sku} is not picked for it.`));
    }
    serialsByLot.set(lotKey(place), [...(serialsByLot.get(lotKey(place)) ?? []), serial]);
  }
  const taken: ParcelContent[] = [];
  let missing = qty;
  for (const reservation of reservations.ofLine(order.orderId, lineNumber)) {
    const lotSerials = serialsByLot.get(lotKey(reservation)) ?? [];
    const most =
      serials.length > 0
        ? Math.min(reservation.picked, lotSerials.length * 1000)
        : fits(reservation)
          ? reservation.picked
          : 0;
    const part = Math.min(missing, most);
    if (part === 0) continue;
    missing -= part;
    reservations.put({ ...reservation, picked: reservation.picked - part, packed: reservation.packed + part });
    const { stockPool, expiryDate } = reservation;
    taken.push({
      lineNumber,
      sku,
      qty: part,
      stockPool,
      batchRef: reservation.batchRef,
      expiryDate,
      serials: lotSerials,
    });
  }
  if (missing > 0) {
    const what = batchRef === undefined ? `SKU ${sku}` : `SKU ${sku}, batch ${batchRef}`;
    const there = `${qtyText(qty - missing)} are picked`;
    return refused(conflict(`Of ${name}, ${qtyText(qty)} of ${what} are packed, ${there}.`));
  }
  return ok(taken);
}
