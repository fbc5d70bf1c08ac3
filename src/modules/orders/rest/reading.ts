import { readDateTime } from "#/http/requests/date-time.ts";
import { readPage, wholeRows } from "#/http/requests/paging.ts";
import { listMilestones } from "#/modules/orders/milestone-repository.ts";
import { type OrderListQuery, type OrderRecord, orderCursors } from "#/modules/orders/rest/contract.ts";
import { orderRecord, orderStatusRecord } from "#/modules/orders/rest/record.ts";
import * as repository from "#/modules/orders/rest/repository.ts";
import type { OrderStatusRecord } from "#/modules/orders/rest/status-contract.ts";
import { listOlpnIds, listParcels } from "#/modules/parcels/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

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

/** A page of orders. */
export function listOrders(tx: ClientTx, query: OrderListQuery) {
  const { sort = "receivedAt", status, distributionCentre, externalOrderReference } = query;
  const filter = {
    status,
    distributionCentre,
    externalOrderReference,
    receivedFrom: query.receivedFrom && readDateTime(query.receivedFrom),
    receivedTo: query.receivedTo && readDateTime(query.receivedTo),
    updatedSince: query.updatedSince && readDateTime(query.updatedSince),
  };
  return readPage(query, {
    cursors: orderCursors[sort],
    read: (after, limit) => repository.listOrders(tx, { filter, sort, after, limit }),
    placeOf: ({ receivedUs, orderId }) => ({ us: receivedUs, id: orderId }),
    async itemsOf(rows) {
      if (rows.length === 0) return [];
      const orderIds = rows.map(({ orderId }) => orderId);
      const [lines, milestones, olpns] = await Promise.all([
        repository.listLines(tx, orderIds, pageLinesMax + 1),
        listMilestones(tx, orderIds, milestonesMax),
        listOlpnIds(tx, orderIds),
      ]);
      const linesOf = Map.groupBy(lines, ({ orderId }) => orderId);
      const stepsOf = Map.groupBy(milestones, ({ orderId }) => orderId);
      return wholeRows(rows, lines, { key: "orderId", max: pageLinesMax }).map((row) =>
        orderRecord(tx.clientId, row, {
          lines: linesOf.get(row.orderId) ?? [],
          milestones: stepsOf.get(row.orderId) ?? [],
          olpns: olpns.get(row.orderId) ?? [],
        }),
      );
    },
  });
}
