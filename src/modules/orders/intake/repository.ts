import { capitals } from "#/kernel/values/capitals.ts";
import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { formatQuantity, parseQuantity } from "#/kernel/values/quantity.ts";
import { hasOwnContent } from "#/modules/orders/content.ts";
import type { OrderContent, OrderLine } from "#/modules/orders/intake/check-order.ts";
import { rowsOfNew } from "#/modules/orders/kits.ts";
import { atRiskBeforeMs, type Hold, type Order, releaseAtOf } from "#/modules/orders/order.ts";
import type { RoutingCandidate } from "#/modules/orders/routing/router.ts";
import type { OrderState } from "#/modules/orders/states.ts";
import {
  contentOfOrder,
  lineContent,
  orderContent,
  orderFields,
  salesOrder,
  salesOrderLine,
} from "#/modules/orders/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { deleteFrom, insertInto, selectFrom, updateOf } from "#/store/db/table.ts";

const findTokens = selectFrom(salesOrder, { by: "order_id", select: ["order_id", "feed_token"], limit: 1_000 });

/** Finds existing orders without a lock: a new order has no row to lock. */
export function findOrders(
  tx: ClientTx,
  orderIds: readonly string[],
): Promise<{ order_id: string; feed_token: string }[]> {
  return findTokens.query(tx, orderIds);
}

/** The customers among these who have an order that was accepted while a rule asked for first orders. */
export function findCustomers(tx: ClientTx, customers: readonly string[]): Promise<{ customer: string }[]> {
  return tx.query(sql`select distinct customer from sales_order
      where client_id = ${tenant} and customer = any(${customers}::text[]) limit 10000`);
}

export interface OrderWrite {
  readonly orderId: string;
  readonly token: string;
  readonly receivedAt: string;
  readonly status: OrderState;
  readonly statusReason?: string | undefined;
  /** By whom the hold rules know the customer's later orders; undefined if no rule of the client asks for it. */
  readonly customer?: string | undefined;
  readonly distributionCentre: string;
  readonly isRouted: boolean;
  readonly routedBy?: Order["routedBy"];
  /** Where a rule of the client chose the facility. */
  readonly candidates?: readonly RoutingCandidate[] | undefined;
  /** The lines of a split order that another facility fulfils, with its code. */
  readonly split?: ReadonlyMap<number, string> | undefined;
  readonly holds: readonly Hold[];
  /** When a hold PRE_ORDER ends, ISO 8601 UTC. */
  readonly availableAt?: string | undefined;
  readonly revision: number | undefined;
  /** The moment by which the order must leave the facility, ISO 8601 UTC. */
  readonly despatchBy?: string | undefined;
  readonly content: OrderContent;
}

function headerOf({ content, ...order }: OrderWrite) {
  return {
    ...orderFields.rowOf(content),
    order_id: order.orderId,
    status: order.status,
    status_reason: order.statusReason,
    customer: order.customer,
    distribution_centre: order.distributionCentre,
    is_routed: order.isRouted,
    routed_by: order.routedBy,
    holds: order.holds,
    revision: order.revision,
    feed_token: order.token,
    received_at: order.receivedAt,
    updated_at: order.receivedAt,
    despatch_by: order.despatchBy,
    release_at: releaseOf(order, content),
    at_risk_at: order.despatchBy && new Date(Date.parse(order.despatchBy) - atRiskBeforeMs).toISOString(),
  };
}

const contentOf = ({ orderId, content }: OrderWrite) => ({ ...orderContent.rowOf(content), order_id: orderId });
/** The content in the own row of an order that has it in order_content. */
const noContent = { ship_to_address: {}, extended_attributes: {} };

/** The end of the last hold that ends at a moment. */
function releaseOf({ holds, availableAt }: Omit<OrderWrite, "content">, { shipAfter }: OrderContent) {
  const ends = holds.flatMap(({ type }) => {
    if (type === "SHIP_AFTER") return releaseAtOf(shipAfter as string);
    return type === "PRE_ORDER" ? (availableAt ?? []) : [];
  });
  return ends.toSorted().at(-1);
}

const insertHeaders = insertInto(salesOrder, {
  columns: [
    ...orderFields.names,
    ...orderContent.names,
    "order_id",
    "status",
    "status_reason",
    "distribution_centre",
    "is_routed",
    "routed_by",
    "holds",
    "customer",
    "revision",
    "feed_token",
    "received_at",
    "updated_at",
    "despatch_by",
    "at_risk_at",
    "release_at",
  ],
});

const insertContents = insertInto(contentOfOrder);

/**
 * The primary key resolves races: if another transaction inserts the order first, this transaction fails and runs
 * again.
 */
export function insertOrders(tx: ClientTransaction, orders: readonly OrderWrite[]): void {
  insertHeaders.send(
    tx,
    orders.map((order) => ({ ...headerOf(order), ...(tx.writesPacked ? noContent : contentOf(order)) })),
  );
  if (tx.writesPacked) insertContents.send(tx, orders.map(contentOf));
}

const isDueAsBefore = sql`sales_order.distribution_centre = given.distribution_centre
  and sales_order.ship_after is not distinct from given.ship_after and sales_order.ship_by is not distinct from given.ship_by`;
const replaceHeaders = updateOf(salesOrder, {
  set: [...orderFields.names, "distribution_centre", "is_routed", "routed_by", "release_at"],
  with: { despatch_by: "timestamptz?", at_risk_at: "timestamptz?" },
  also: {
    despatch_by: sql`case when ${isDueAsBefore} then sales_order.despatch_by else given.despatch_by end`,
    at_risk_at: sql`case when ${isDueAsBefore} then sales_order.at_risk_at else given.at_risk_at end`,
  },
});

const replaceContents = updateOf(contentOfOrder, { set: orderContent.names });
const replaceOwnContents = updateOf(salesOrder, { set: orderContent.names, where: hasOwnContent });

/**
 * Replaces the stored feed content of the orders on an UPDATE; each order keeps its receipt. The settlement writes its
 * state. An order that moves to another facility, or gets other dates, has a new despatch time and can be at risk again.
 */
export function replaceOrders(tx: ClientTransaction, orders: readonly OrderWrite[]): void {
  replaceHeaders.send(tx, orders.map(headerOf));
  replaceContents.send(tx, orders.map(contentOf));
  replaceOwnContents.send(tx, orders.map(contentOf));
}

const insertOpenLines = insertInto(salesOrderLine, {
  columns: [
    ...lineContent.names,
    "order_id",
    "kit_qty",
    "qty_ordered",
    "qty_open",
    "facility_code",
    "priority",
    "accepted_at",
  ],
});

/** Inserts the lines of the document, all open. */
export function insertLines(tx: ClientTransaction, orders: readonly OrderWrite[]): void {
  const rows = orders.flatMap((order) =>
    order.content.lines.flatMap(rowsOfLine).map(({ line, kitQty }) => ({
      ...lineContent.rowOf(line),
      order_id: order.orderId,
      kit_qty: kitQty,
      qty_ordered: formatQuantity(line.qty),
      qty_open: formatQuantity(line.qty),
      facility_code: order.split?.get(lineNumberOf(line.lineNumber)) ?? order.distributionCentre,
      priority: order.content.priority,
      accepted_at: order.receivedAt,
    })),
  );
  insertOpenLines.send(tx, rows);
}

/** The rows of a line: of a kit also those of its components, which have no prices. */
function rowsOfLine(line: OrderLine): { readonly line: OrderLine; readonly kitQty?: string }[] {
  if (line.components === undefined) return [{ line }];
  const rows = rowsOfNew(line, line.components, line.qty).map(({ lineNumber, sku, uom, buckets, kitQty = 0 }) => {
    const { path, stockPool, extendedAttributes } = line;
    const prices = {
      lineTotal: undefined,
      unitNetPrice: undefined,
      extendedUnitNetPrice: undefined,
      unitGrossPrice: undefined,
      taxes: undefined,
    };
    const { ordered: qty } = buckets;
    const row = { path, lineNumber, sku, uom, stockPool, extendedAttributes, feedQty: qty, feedUom: undefined, qty };
    return { line: { ...row, ...prices }, kitQty: formatQuantity(kitQty) };
  });
  return [{ line, kitQty: "0" }, ...rows];
}

const setSplits = updateOf(salesOrder, { set: ["split_facilities"] });

/** A statement beside that of the headers, so that orders that are not split pay nothing. */
export function markSplits(tx: ClientTransaction, orders: readonly Pick<OrderWrite, "orderId" | "split">[]): void {
  setSplits.send(
    tx,
    orders.map(({ orderId, split }) => ({
      order_id: orderId,
      split_facilities: split?.size ? [...new Set(split.values())].sort() : null,
    })),
  );
}

const deleteLinesOf = deleteFrom(salesOrderLine, { by: "order_id" });

export function deleteLines(tx: ClientTransaction, orderIds: readonly string[]): void {
  deleteLinesOf.send(tx, orderIds);
}

/** Matches the orderReference of an RMA: an orderId, else an externalOrderReference, of the same client. */
export function matchReferences(
  tx: ClientTx,
  references: readonly string[],
): Promise<{ reference: string; order_id: string }[]> {
  return tx.query(sql`select order_id as reference, order_id from sales_order
        where client_id = ${tenant} and order_id = any(${references}::text[])
      union all
      select external_order_reference, order_id from sales_order
        where client_id = ${tenant} and external_order_reference > ''
          and upper(external_order_reference collate "C") = any(${references.map(capitals)}::text[])
          and external_order_reference = any(${references}::text[])
      limit 10000`);
}

/** Despatched and returned quantities of an order's SKUs, in integer thousandths: what a return can bring back. */
export async function listDespatched(
  tx: ClientTx,
  orderIds: readonly string[],
): Promise<{ orderId: string; sku: string; despatched: number; returned: number }[]> {
  const rows = await tx.query<{
    order_id: string;
    sku: string;
    despatched: string;
    returned: string;
  }>(sql`select order_id, sku, sum(qty_despatched) as despatched, sum(qty_returned) as returned from sales_order_line
      where client_id = ${tenant} and order_id = any(${orderIds}::text[])
        -- A kit from stock is also in the line of its kit.
        and line_number / 1000000 <> 1
      group by order_id, sku limit 100000`);
  return rows.map((row) => ({
    orderId: row.order_id,
    sku: row.sku,
    despatched: parseQuantity(row.despatched) as number,
    returned: parseQuantity(row.returned) as number,
  }));
}
