// What the store holds of orders of the history, as their statements take it.
import type { Ids } from "#/kernel/ids.ts";
import type { KnownService } from "#/modules/carriers/index.ts";
import type { HistoryItem } from "#/roles/seed-history/items.ts";
import type { OrderLife } from "#/roles/seed-history/order-life.ts";
import { amountText, type PlannedOrder, pricesOf } from "#/roles/seed-history/order-plan.ts";

const iso = (atMs: number) => new Date(atMs).toISOString();

/** An order that has lived. */
export interface LivedOrder {
  readonly order: PlannedOrder;
  readonly life: OrderLife;
  /** Where it was packed. */
  readonly packed?: PackedParcel | undefined;
}

export interface PackedParcel {
  readonly olpnId: string;
  readonly decisionId: string;
  readonly carrierCode: string;
  readonly service: KnownService | undefined;
}

/** One parcel with all that was ordered, filled to the brim: kilograms, and centimetres with the longest side first. */
export function parcelOf({ lines }: Pick<PlannedOrder, "lines">) {
  const grams = lines.reduce((sum, { item, pieces }) => sum + item.weight * pieces, 80);
  const longest = (place: 0 | 1 | 2) => Math.max(...lines.map(({ item }) => item.sides[place]));
  const volume = lines.reduce((sum, { item, pieces }) => sum + item.sides.reduce((a, b) => a * b, pieces), 0);
  const [length, width] = [longest(0), longest(1)];
  const height = Math.max(longest(2), Math.ceil(volume / (length * width)));
  return { weight: grams / 1_000, length: length / 10, width: width / 10, height: height / 10 };
}

export function orderRow({ order, life }: LivedOrder, ids: Ids) {
  const { subtotal, shipping, total } = pricesOf(order);
  const receivedAt = iso(order.receivedMs);
  const updatedMs = life.milestones.at(-1)?.atMs ?? order.receivedMs;
  const hasEnded = ["DELIVERED", "RETURNED_TO_SENDER", "CANCELLED"].includes(life.status);
  const { hold } = life;
  return {
    ...{ o: order.orderId, s: life.status, sr: life.reason },
    ...{ xr: `EXT-${order.orderId}`, la: order.language, od: iso(order.receivedMs - 60_000), sm: order.shippingMethod },
    ...{ cu: order.currency, sc: amountText(shipping), st: amountText(subtotal), tp: amountText(total) },
    ...{ ad: order.address, dc: order.facilityCode, k: ids.next(order.receivedMs) },
    ho: hold ? [{ ...hold, since: iso(updatedMs), by: "seed" }] : [],
    ...{ r: receivedAt, u: iso(updatedMs), db: life.despatchBy },
    ta: life.parcel && iso(life.parcel.packedMs - 30 * 60_000),
    bs: life.status === "BACKORDERED" ? receivedAt : undefined,
    ea: hasEnded ? iso(updatedMs) : undefined,
  };
}

export function lineRows({ order, life }: LivedOrder) {
  const isOut = life.parcel !== undefined;
  return order.lines.map(({ lineNumber, item, pieces }) => ({
    ...{ o: order.orderId, n: lineNumber, s: item.sku, q: pieces },
    ...{ un: amountText(item.price), lt: amountText(item.price * pieces) },
    ...{ qo: life.status === "ON_HOLD" ? pieces : 0, qb: life.status === "BACKORDERED" ? pieces : 0 },
    ...{ qd: isOut ? pieces : 0, qc: life.status === "CANCELLED" ? pieces : 0 },
    qe: life.status === "DELIVERED" ? pieces : 0,
    ...{ f: order.facilityCode, r: iso(order.receivedMs) },
  }));
}

export function parcelRow({ order, life: { parcel, ...life }, packed }: LivedOrder) {
  if (!parcel || !packed) return [];
  const { olpnId, decisionId, carrierCode, service } = packed;
  const { weight, length, width, height } = parcelOf(order);
  const contents = order.lines.map(({ lineNumber, item, pieces }) => ({
    ...{ lineNumber, sku: item.sku, qty: pieces, stockPool: "DEFAULT", batchRef: "", expiryDate: "infinity" },
    serials: [],
  }));
  return [
    {
      ...{ i: olpnId, o: order.orderId, f: order.facilityCode, s: parcel.status, cc: carrierCode, cs: service?.code },
      ...{ di: decisionId, tr: service?.trackingUrlOf(olpnId), w: weight, l: length, b: width, h: height, c: contents },
      ...{ p: iso(parcel.packedMs), d: iso(parcel.despatchedMs) },
      sa: parcel.statusMs === undefined ? undefined : iso(parcel.statusMs),
      ...{ e: parcel.status === "DELIVERED", u: iso(life.milestones.at(-1)?.atMs ?? parcel.despatchedMs) },
    },
  ];
}

export function milestoneRows({ order, life, packed }: LivedOrder, ids: Ids) {
  return life.milestones.map(({ code, atMs, isOfParcel }) => ({
    ...{ o: order.orderId, i: ids.next(atMs), p: isOfParcel ? packed?.olpnId : undefined, c: code, a: iso(atMs) },
  }));
}

export function itemRow(item: HistoryItem) {
  const { sku, name, ean, productType, countryOfOrigin, weight, sides } = item;
  const [length, width, height] = sides.map((side) => side / 10);
  return {
    ...{
      s: sku,
      n: name,
      e: ean,
      t: productType,
      c: countryOfOrigin,
      w: weight / 1_000,
      l: length,
      b: width,
      h: height,
    },
  };
}

export type HistoryItemRow = ReturnType<typeof itemRow>;
export type HistoryOrderRow = ReturnType<typeof orderRow>;
export type HistoryLineRow = ReturnType<typeof lineRows>[number];
export type HistoryParcelRow = ReturnType<typeof parcelRow>[number];
export type HistoryMilestoneRow = ReturnType<typeof milestoneRows>[number];
