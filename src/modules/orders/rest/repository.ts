import Type from "typebox";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import {
  beyondPlace,
  byReceipt,
  type ReceiptColumns,
  type Received,
  readReceiptPage,
  receivedUs,
} from "#/http/requests/receipt-repository.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { capitals } from "#/kernel/values/capitals.ts";
import { readContents } from "#/modules/orders/content.ts";
import type { AddressElement, LineElement, OrderRequest } from "#/modules/orders/intake/contract.ts";
import { type OrderLineRecord, type OrderRecord, order, orderLine } from "#/modules/orders/rest/contract.ts";
import { type OrderState, orderStates } from "#/modules/orders/states.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";

/** An order as it is stored: amounts are exact text, and taxes, addresses and payments those of the feed. */
export interface StoredOrder
  extends Omit<OrderRecord, OrderPart | OrderAmount | "taxes" | "billToAddress" | "shipToAddress" | "payments">,
    Record<OrderAmount, string | null> {
  readonly currency: string | null;
  readonly taxes: NonNullable<OrderRequest["taxes"]> | null;
  readonly billToAddress: AddressElement | null;
  readonly shipToAddress: AddressElement;
  readonly payments: NonNullable<OrderRequest["payments"]> | null;
}

/** A line as it is stored. */
export interface StoredOrderLine
  extends Omit<OrderLineRecord, "status" | "components" | LineAmount | "taxes">,
    Record<LineAmount, string | null> {
  readonly orderId: string;
  /** Null: no part of a kit. 0: the line of a kit. Else a row of it, and its quantity in one kit. */
  readonly kitQty: number | null;
  readonly taxes: NonNullable<LineElement["taxes"]> | null;
}

type OrderAmount = "shippingCost" | "subtotal" | "totalPrice";
type LineAmount = "lineTotal" | "unitNetPrice" | "extendedUnitNetPrice" | "unitGrossPrice";

/** The parts of an order that are in other tables, or derived. */
const orderParts = ["clientId", "doNotShip", "lines", "milestones", "olpns"] as const;
type OrderPart = (typeof orderParts)[number];

const orderColumns = columnsOf(Type.Omit(order, orderParts), "sales_order", {
  personalDataErasedAt: sql`erased_at`,
  distributionCentres: sql`array_prepend(distribution_centre, split_facilities)`,
});
const lineColumns = sql`order_id as "orderId", ${columnsOf(
  Type.Omit(orderLine, ["status", "components"]),
  "sales_order_line",
  {
    distributionCentre: sql`facility_code`,
    qty: sql`feed_qty`,
    qtyUom: sql`feed_uom`,
  },
)}, kit_qty::float8 as "kitQty"`;

export async function findOrder(tx: ClientTx, orderId: string): Promise<StoredOrder | undefined> {
  return (await findOrders(tx, [orderId]))[0];
}

export async function findOrders(tx: ClientTx, orderIds: readonly string[]): Promise<StoredOrder[]> {
  const orders = tx.query<StoredOrder>(
    setOf(
      orderIds,
      (ids) => sql`select ${orderColumns}, currency from sales_order
        where client_id = ${tenant} and order_id = any(${ids}::text[]) limit ${ids.length}`,
      { reads: "sales_order", keys: byColumn("orderId") },
    ),
  );
  const [found, contents] = await Promise.all([orders, readContents(tx, orderIds)]);
  return found.map((stored) => ({ ...stored, ...contents.get(stored.orderId) }));
}

/** The lines of one order. */
export function linesOfOrder(tx: ClientTx, orderId: string): Promise<StoredOrderLine[]> {
  return tx.query(
    setOf(
      [orderId],
      (ids) => sql`select ${lineColumns} from sales_order_line
        where client_id = ${tenant} and order_id = any(${ids}::text[])
        order by order_id, line_number limit 200000`,
      { reads: "sales_order_line", keys: byColumn("orderId") },
    ),
  );
}

export interface OrderFilter {
  readonly status: string | undefined;
  readonly distributionCentre: string | undefined;
  readonly externalOrderReference: string | undefined;
  /** Moments, ISO 8601 UTC. */
  readonly receivedFrom: string | undefined;
  readonly receivedTo: string | undefined;
  readonly updatedSince: string | undefined;
}

export interface OrderPageRequest {
  readonly filter: OrderFilter;
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

const byOrder: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`order_id` };

export async function listOrders(tx: ClientTx, page: OrderPageRequest): Promise<Received<StoredOrder>[]> {
  const orders = await listHeaders(tx, page);
  const contents = await readContents(
    tx,
    orders.map(({ orderId }) => orderId),
  );
  return orders.map((listed) => ({ ...listed, ...contents.get(listed.orderId) }));
}

function listHeaders(tx: ClientTx, page: OrderPageRequest): Promise<Received<StoredOrder>[]> {
  const { distributionCentre: code, externalOrderReference, updatedSince } = page.filter;
  const isThere = code && sql`(distribution_centre = ${code} or ${code} = any(split_facilities))`;
  return readReceiptPage(byOrder, { ...page, updatedSince }, sql`true`, (condition, by) => {
    const index = by === "CHANGE" ? sql`true` : indexOf(page.filter);
    if (code === undefined || by === "CHANGE" || externalOrderReference !== undefined)
      return selectOrders(tx, page, [allOf([index, condition, isThere || undefined])]);
    const ofFacility = sql`${index} and ${condition} and distribution_centre = ${code}`;
    const ofState = (state: OrderState) => sql`${ofFacility} and status = ${state}`;
    return selectOrders(tx, page, [
      ...(page.filter.status === undefined ? orderStates.map(ofState) : [ofFacility]),
      ...splitPlaces.map((place) => sql`${condition} and ${place} is not null and ${place} = ${code}`),
    ]);
  });
}

/**
 * The further facilities of a split order, at most two. Each has an index in the order of the list, which has only split
 * orders.
 */
const splitPlaces = [sql`split_facilities[1]`, sql`split_facilities[2]`];

/** The index of references is that of their beginnings in any case. */
const isReferredToAs = (reference: string) =>
  sql`upper(external_order_reference collate "C") = ${capitals(reference)} and external_order_reference = ${reference}`;

/** The condition that matches only the index for this filter (docs/decisions/0036-statistics.md). */
function indexOf({ status, distributionCentre, externalOrderReference }: OrderFilter): Statement {
  if (externalOrderReference !== undefined) return sql`external_order_reference > ''`;
  if (distributionCentre !== undefined) return sql`order_date < 'infinity'`;
  return status === undefined ? sql`received_at >= '-infinity'` : sql`received_at < 'infinity'`;
}

/** @param places conditions that exclude each other, each served by an index in the order of the list */
function selectOrders(
  tx: ClientTx,
  { filter, sort, after, limit }: OrderPageRequest,
  places: readonly Statement[],
): Promise<Received<StoredOrder>[]> {
  const { status, externalOrderReference, receivedFrom, receivedTo } = filter;
  const conditions = allOf([
    status === undefined ? undefined : sql`status = ${status}`,
    externalOrderReference === undefined ? undefined : isReferredToAs(externalOrderReference),
    receivedFrom === undefined ? undefined : sql`received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`received_at < ${receivedTo}::timestamptz`,
    after === undefined ? undefined : beyondPlace(byOrder, after, sort),
  ]);
  const by = byReceipt(byOrder, sort);
  const columns = sql`${orderColumns}, currency, ${receivedUs}`;
  const [first = sql`true`, ...others] = places;
  const found = (place: Statement) => sql`from sales_order where client_id = ${tenant} and ${place} and ${conditions}
      order by ${by} limit ${limit}`;
  if (others.length === 0) return tx.query(sql`select ${columns} ${found(first)}`);
  const page = (place: Statement) => sql`(select order_id, received_at ${found(place)})`;
  const union = others.reduce((all, place) => sql`${all} union all ${page(place)}`, page(first));
  return tx.query(sql`select ${columns} from sales_order
      where client_id = ${tenant}
        and order_id = any(array(select k.order_id from (${union}) k order by ${by} limit ${limit}))
      order by ${by} limit ${limit}`);
}

/** Lines of these orders in the given order of the orders, at most `limit`. */
export function listLines(tx: ClientTx, orderIds: readonly string[], limit: number): Promise<StoredOrderLine[]> {
  return tx.query(sql`select ${lineColumns} from sales_order_line
      where client_id = ${tenant} and order_id = any(${orderIds}::text[])
      order by array_position(${orderIds}::text[], order_id), line_number limit ${limit}`);
}
