// Store rows of the history's orders, in the form that the statements take.

import { minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { KnownService } from "#/modules/carriers/index.ts";
import { defaultPool, lotOf } from "#/modules/inventory/index.ts";
import { orderMilestone, salesOrder, salesOrderLine } from "#/modules/orders/index.ts";
import { endStates } from "#/modules/orders/states.ts";
import { parcel } from "#/modules/parcels/index.ts";
import type { HistoryItem } from "#/sandbox/history/items.ts";
import type { OrderLife } from "#/sandbox/history/order-life.ts";
import { amountText, type PlannedOrder, pricesOf } from "#/sandbox/history/order-plan.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

/** Item columns that the history fills, each listed once with its type. */
export const item = table("item", ["sku"], {
  sku: "text",
  name: "text",
  ean_code: "text",
  product_type: "text",
  country_of_origin: "text",
  weight: "numeric",
  weight_uom_code: "text",
  length: "numeric",
  width: "numeric",
  height: "numeric",
  dimensions_uom_code: "text",
  dated_at: "timestamptz",
  feed_token: "uuid",
  created_at: "timestamptz",
  updated_at: "timestamptz",
});

const iso = (atMs: number) => new Date(atMs).toISOString();

/** An order with its simulated life. */
export interface LivedOrder {
  readonly order: PlannedOrder;
  readonly life: OrderLife;
  /** Its parcel, if it was packed. */
  readonly packed?: PackedParcel | undefined;
}

export interface PackedParcel {
  readonly olpnId: string;
  readonly decisionId: string;
  readonly carrierCode: string;
  readonly service: KnownService | undefined;
}

/** One parcel with all ordered goods, completely filled: kilograms, and centimetres with the longest side first. */
export function parcelOf({ lines }: Pick<PlannedOrder, "lines">) {
  const grams = lines.reduce((sum, { item, pieces }) => sum + item.weight * pieces, 80);
  const longest = (place: 0 | 1 | 2) => Math.max(...lines.map(({ item }) => item.sides[place]));
  const volume = lines.reduce((sum, { item, pieces }) => sum + item.sides.reduce((a, b) => a * b, pieces), 0);
  const [length, width] = [longest(0), longest(1)];
  const height = Math.max(longest(2), Math.ceil(volume / (length * width)));
  const units = { weightUomCode: "KG", dimensionsUomCode: "CM" };
  return { weight: grams / 1_000, length: length / 10, width: width / 10, height: height / 10, ...units };
}

export function orderRow({ order, life }: LivedOrder, ids: Ids) {
  const { subtotal, shipping, total } = pricesOf(order);
  const receivedAt = iso(order.receivedMs);
  const updatedAt = iso(life.milestones.at(-1)?.atMs ?? order.receivedMs);
  const hasEnded = (endStates as readonly string[]).includes(life.status);
  const { hold } = life;
  return {
    order_id: order.orderId,
    status: life.status,
    status_reason: life.reason,
    cancel_reason: life.reason,
    external_order_reference: `EXT-${order.orderId}`,
    origin: "WEB",
    language: order.language,
    order_date: iso(order.receivedMs - minuteMs),
    shipping_method: order.shippingMethod,
    currency: order.currency,
    shipping_cost: amountText(shipping),
    subtotal: amountText(subtotal),
    total_price: amountText(total),
    bill_to_address: order.address,
    ship_to_address: order.address,
    distribution_centre: order.facilityCode,
    is_routed: true,
    routed_by: "FILLS",
    holds: hold ? [{ ...hold, since: updatedAt, by: "seed" }] : [],
    feed_token: ids.next(order.receivedMs),
    received_at: receivedAt,
    updated_at: updatedAt,
    despatch_by: life.despatchBy,
    pick_accepted_at: life.parcel && iso(life.parcel.packedMs - 30 * minuteMs),
    backordered_since: life.status === "BACKORDERED" ? receivedAt : undefined,
    ended_at: hasEnded ? updatedAt : undefined,
  };
}

export function lineRows({ order, life }: LivedOrder) {
  const isOut = life.parcel !== undefined;
  return order.lines.map(({ lineNumber, item, pieces }) => {
    const qtyIf = (isSo: boolean) => (isSo ? String(pieces) : "0");
    return {
      order_id: order.orderId,
      line_number: lineNumber,
      sku: item.sku,
      stock_pool: "DEFAULT",
      uom: "EA",
      feed_qty: String(pieces),
      line_total: amountText(item.price * pieces),
      unit_net_price: amountText(item.price),
      qty_ordered: String(pieces),
      qty_open: qtyIf(life.status === "ON_HOLD"),
      qty_backordered: qtyIf(life.status === "BACKORDERED"),
      qty_despatched: qtyIf(isOut),
      qty_cancelled: qtyIf(life.status === "CANCELLED"),
      qty_delivered: qtyIf(life.status === "DELIVERED"),
      facility_code: order.facilityCode,
      priority: 5,
      accepted_at: iso(order.receivedMs),
    };
  });
}

export function parcelRow({ order, life: { parcel, milestones }, packed }: LivedOrder) {
  if (!parcel || !packed) return [];
  const { olpnId, decisionId, carrierCode, service } = packed;
  const { weight, length, width, height, weightUomCode, dimensionsUomCode } = parcelOf(order);
  const contents = order.lines.map(({ lineNumber, item, pieces }) => ({
    lineNumber,
    sku: item.sku,
    qty: pieces,
    ...lotOf({ stockPool: defaultPool }),
    serials: [],
  }));
  return [
    {
      olpn_id: olpnId,
      order_id: order.orderId,
      facility_code: order.facilityCode,
      status: parcel.status,
      carrier_code: carrierCode,
      carrier_service_code: service?.code,
      decision_id: decisionId,
      tracking_number: olpnId,
      is_generated_tracking_number: true,
      tracking_url: service?.trackingUrlOf(olpnId),
      weight: String(weight),
      weight_uom_code: weightUomCode,
      length: String(length),
      width: String(width),
      height: String(height),
      dimensions_uom_code: dimensionsUomCode,
      contents,
      packed_at: iso(parcel.packedMs),
      loaded_at: iso(parcel.despatchedMs),
      despatched_at: iso(parcel.despatchedMs),
      status_at: parcel.statusMs === undefined ? undefined : iso(parcel.statusMs),
      is_delivered: parcel.status === "DELIVERED",
      updated_at: iso(milestones.at(-1)?.atMs ?? parcel.despatchedMs),
    },
  ];
}

export function milestoneRows({ order, life, packed }: LivedOrder, ids: Ids) {
  return life.milestones.map(({ code, atMs, isOfParcel }) => ({
    order_id: order.orderId,
    milestone_id: ids.next(atMs),
    olpn_id: isOfParcel ? packed?.olpnId : undefined,
    code,
    at: iso(atMs),
    received_at: iso(atMs),
  }));
}

/** @param at ISO 8601 UTC: since when the item is known. @param token replaces the token of its catalogue */
export function itemRow(item: HistoryItem, { at, token }: { readonly at: string; readonly token: string }) {
  const [length, width, height] = item.sides;
  return {
    sku: item.sku,
    name: item.name,
    ean_code: item.ean,
    product_type: item.type,
    country_of_origin: item.origin,
    weight: String(item.weight / 1_000),
    weight_uom_code: "KG",
    length: String(length / 10),
    width: String(width / 10),
    height: String(height / 10),
    dimensions_uom_code: "CM",
    dated_at: at,
    feed_token: token,
    created_at: at,
    updated_at: at,
  };
}

export type HistoryOrderRow = ReturnType<typeof orderRow>;

// Inserts rows of the history set-wise: the state after a year of work, not the writes of that work.

export const insertHistoryItems = insertInto(item);
export const insertHistoryOrders = insertInto(salesOrder, {
  except: ["extended_attributes", "priority", "ship_partial", "version"],
});
export const insertHistoryLines = insertInto(salesOrderLine, {
  except: ["extended_attributes", "qty_allocated", "qty_picked", "qty_packed", "qty_returned", "qty_cancel_requested"],
});
export const insertHistoryParcels = insertInto(parcel, { except: ["is_returning", "version"] });
export const insertHistoryMilestones = insertInto(orderMilestone);

/** More rows than any batch has. */
const rowsMax = 10_000;

/** Which of these SKUs exist. */
export async function findHistorySkus(tx: ClientTx, skus: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ sku: string }>(sql`select i.sku from item i
      where i.client_id = ${tenant} and i.sku = any(${skus}::text[]) limit ${rowsMax}`);
  return new Set(rows.map(({ sku }) => sku));
}

/** Which of these orders exist. */
export async function findHistoryOrders(tx: ClientTx, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ order_id: string }>(sql`select o.order_id from sales_order o
      where o.client_id = ${tenant} and o.order_id = any(${orderIds}::text[]) limit ${rowsMax}`);
  return new Set(rows.map(({ order_id }) => order_id));
}
