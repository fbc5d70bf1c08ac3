import type { ClientTx } from "#/db/database.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { pageLimitDefault, type ReceiptPlace } from "#/http/requests/paging.ts";
import { listMilestones } from "#/modules/orders/milestone-repository.ts";
import { type OrderListQuery, type OrderRecord, orderCursors } from "#/modules/orders/rest/contract.ts";
import { orderRecord, orderStatusRecord } from "#/modules/orders/rest/record.ts";
import type { OrderLineRow } from "#/modules/orders/rest/repository.ts";
import * as repository from "#/modules/orders/rest/repository.ts";
import type { OrderStatusRecord } from "#/modules/orders/rest/status-contract.ts";
import { listOlpnIds, listParcels } from "#/modules/parcels/index.ts";

/** An order has at most 1 000 lines (contract feeds.md §2). */
const orderLinesMax = 1_000;
/** A page ends early at this number of lines: 500 orders of 1 000 lines would be an answer of some 300 MB. */
const pageLinesMax = 20_000;
/** For a page of 500 orders; an order has some ten milestones, and ten more for each of its parcels. */
const milestonesMax = 100_000;

/** The record of an order, in one round trip, because its parts do not depend on each other. */
export async function readOrder(tx: ClientTx, orderId: string): Promise<OrderRecord | undefined> {
  const [row, lines, milestones, olpns] = await Promise.all([
    repository.findOrder(tx, orderId),
    repository.listLines(tx, [orderId], orderLinesMax),
    listMilestones(tx, [orderId], milestonesMax),
    listOlpnIds(tx, [orderId]),
  ]);
  return row && orderRecord(tx.clientId, row, { lines, milestones, olpns: olpns.get(orderId) ?? [] });
}

/** The status of an order and its parcels, in one round trip. */
export async function readStatus(tx: ClientTx, orderId: string): Promise<OrderStatusRecord | undefined> {
  const [row, milestones, parcels] = await Promise.all([
    repository.findOrder(tx, orderId),
    listMilestones(tx, [orderId], milestonesMax),
    listParcels(tx, [orderId]),
  ]);
  return row && orderStatusRecord(tx.clientId, row, milestones, parcels);
}

export interface OrderPage {
  readonly items: OrderRecord[];
  readonly nextCursor: string | null;
}

/** A page of orders. @param after place in the list after which the page begins */
export async function readPage(
  tx: ClientTx,
  query: OrderListQuery,
  after: ReceiptPlace | undefined,
): Promise<OrderPage> {
  const { sort = "receivedAt", limit = pageLimitDefault, status, distributionCentre, externalOrderReference } = query;
  const filter = {
    status,
    distributionCentre,
    externalOrderReference,
    receivedFrom: momentOf(query.receivedFrom),
    receivedTo: momentOf(query.receivedTo),
    updatedSince: momentOf(query.updatedSince),
  };
  // One row more than requested shows whether there is a next page.
  const rows = await repository.listOrders(tx, { filter, sort, after, limit: limit + 1 });
  const pageRows = rows.slice(0, limit);
  const orderIds = pageRows.map((row) => row.order_id);
  if (orderIds.length === 0) return { items: [], nextCursor: null };
  const [lines, milestones, olpns] = await Promise.all([
    repository.listLines(tx, orderIds, pageLinesMax + 1),
    listMilestones(tx, orderIds, milestonesMax),
    listOlpnIds(tx, orderIds),
  ]);
  const stepsOf = Map.groupBy(milestones, ({ order_id }) => order_id);
  const { complete, linesByOrder } = splitLines(orderIds, lines);
  const page = pageRows.slice(0, complete);
  const last = page.at(-1);
  const hasMore = last !== undefined && page.length < rows.length;
  return {
    items: page.map((row) =>
      orderRecord(tx.clientId, row, {
        lines: linesByOrder.get(row.order_id) ?? [],
        milestones: stepsOf.get(row.order_id) ?? [],
        olpns: olpns.get(row.order_id) ?? [],
      }),
    ),
    nextCursor: hasMore ? orderCursors[sort].encode({ us: last.received_us, id: last.order_id }) : null,
  };
}

/**
 * Lines come order by order. If there are too many, the incomplete order and all orders after it go to the next page.
 */
function splitLines(orderIds: readonly string[], lines: readonly OrderLineRow[]) {
  const linesByOrder = Map.groupBy(lines, (line) => line.order_id);
  const cut = lines.length > pageLinesMax ? lines.at(-1)?.order_id : undefined;
  const complete = cut === undefined ? orderIds.length : orderIds.indexOf(cut);
  return { complete, linesByOrder };
}

/** The schema has validated the text; the result is in UTC, the format of the store. */
function momentOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDateTime(text);
}
