import type { Database } from "#/db/database.ts";
import { readOneState } from "#/db/one-state.ts";
import { clientIdOf } from "#/http/bearer.ts";
import { readDateTime } from "#/http/date-time.ts";
import { entityTag } from "#/http/if-match.ts";
import { answers } from "#/http/openapi.ts";
import type { ServiceContext } from "#/http/operation.ts";
import { pageLimitDefault, placeOf, type ReceiptPlace } from "#/http/paging.ts";
import { problem, sendProblem } from "#/http/problem.ts";
import type { HttpServer } from "#/http/server.ts";
import { listMilestones } from "#/modules/orders/milestone-repository.ts";
import {
  type OrderListQuery,
  type OrderRecord,
  order,
  orderCursors,
  orderListQuery,
  orderPage,
  orderPath,
  orderQuery,
} from "#/modules/orders/rest-contract.ts";
import { orderRecord } from "#/modules/orders/rest-record.ts";
import type { OrderLineRow } from "#/modules/orders/rest-repository.ts";
import * as repository from "#/modules/orders/rest-repository.ts";
import { listOlpnIds } from "#/modules/parcels/index.ts";

/** An order has at most 1 000 lines (contract feeds.md §2). */
const orderLinesMax = 1_000;
/** A page ends early here: 500 orders of 1 000 lines would be an answer of some 300 MB. */
const pageLinesMax = 20_000;
/** Of a page of 500 orders; an order has some ten, and ten more for each of its parcels. */
const milestonesMax = 100_000;

/** Reading orders (contract rest.md §3). */
export function addOrderRoutes(service: HttpServer, { database }: ServiceContext): void {
  service.get(
    "/order/get/:orderId",
    {
      schema: {
        operationId: "getOrder",
        summary: "One order with its lines",
        params: orderPath,
        querystring: orderQuery,
        response: { 200: order },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { orderId } = request.params;
      const found = await findOrder(database, clientIdOf(request), orderId);
      if (!found) return sendProblem(reply, problem("not-found", "The client has no order of this orderId."));
      return reply.header("ETag", entityTag(found.version)).send(found);
    },
  );

  service.get(
    "/order/list",
    {
      schema: {
        operationId: "listOrders",
        summary: "Orders by receipt, oldest first unless sorted the other way",
        querystring: orderListQuery,
        response: { 200: orderPage },
      } as const,
    },
    async (request, reply) => {
      const { query } = request;
      const after = placeOf(orderCursors[query.sort ?? "receivedAt"], query.cursor);
      if (!after.ok) return sendProblem(reply, after.fault);
      return listOrders(database, clientIdOf(request), query, after.value);
    },
  );
}

function findOrder(database: Database, clientId: string, orderId: string): Promise<OrderRecord | undefined> {
  return database.transaction(async (tx) => {
    // None waits for another: header and lines come in one round trip, and of one state of the store.
    const [, row, lines, milestones, olpns] = await Promise.all([
      readOneState(tx),
      repository.findOrder(tx, clientId, orderId),
      repository.listLines(tx, clientId, [orderId], orderLinesMax),
      listMilestones(tx, clientId, [orderId], milestonesMax),
      listOlpnIds(tx, clientId, [orderId]),
    ]);
    return row && orderRecord(clientId, row, { lines, milestones, olpns: olpns.get(orderId) ?? [] });
  });
}

interface OrderPage {
  readonly items: OrderRecord[];
  readonly nextCursor: string | null;
}

function listOrders(
  database: Database,
  clientId: string,
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
  return database.transaction(async (tx) => {
    const [, rows] = await Promise.all([
      readOneState(tx),
      // One more than asked for tells whether there is a next page.
      repository.listOrders(tx, clientId, { filter, sort, after, limit: limit + 1 }),
    ]);
    const asked = rows.slice(0, limit);
    const orderIds = asked.map((row) => row.order_id);
    const [lines, milestones, olpns] =
      orderIds.length === 0
        ? [[], [], new Map<string, string[]>()]
        : await Promise.all([
            repository.listLines(tx, clientId, orderIds, pageLinesMax + 1),
            listMilestones(tx, clientId, orderIds, milestonesMax),
            listOlpnIds(tx, clientId, orderIds),
          ]);
    const stepsOf = Map.groupBy(milestones, ({ order_id }) => order_id);
    const { complete, linesByOrder } = splitLines(orderIds, lines);
    const page = asked.slice(0, complete);
    const last = page.at(-1);
    const hasMore = last !== undefined && page.length < rows.length;
    return {
      items: page.map((row) =>
        orderRecord(clientId, row, {
          lines: linesByOrder.get(row.order_id) ?? [],
          milestones: stepsOf.get(row.order_id) ?? [],
          olpns: olpns.get(row.order_id) ?? [],
        }),
      ),
      nextCursor: hasMore ? orderCursors[sort].encode({ us: last.received_us, id: last.order_id }) : null,
    };
  });
}

/** Lines come order by order; where there are too many, the order that was cut, and those behind it, are left to the next page. */
function splitLines(orderIds: readonly string[], lines: readonly OrderLineRow[]) {
  const linesByOrder = Map.groupBy(lines, (line) => line.order_id);
  const cut = lines.length > pageLinesMax ? lines.at(-1)?.order_id : undefined;
  const complete = cut === undefined ? orderIds.length : orderIds.indexOf(cut);
  return { complete, linesByOrder };
}

/** The schema has judged it; what comes out is UTC, as the store takes it. */
function momentOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDateTime(text);
}
