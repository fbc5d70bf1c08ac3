import type { OperatorContext } from "#/console-api/context.ts";
import {
  orderCount,
  orderCountQuery,
  orderFigures,
  orderFiguresQuery,
  orderListQuery,
  orderPage,
  orderPath,
} from "#/console-api/orders/contract.ts";
import { countPage, readFigures, readOrderPage } from "#/console-api/orders/list.ts";
import { addPrintRoute } from "#/console-api/orders/print-route.ts";
import {
  type EntryKind,
  entryKinds,
  feedList,
  feedQuery,
  type OrderFeed,
  type TimelineEntry,
  type TimelinePlace,
  type TimelineQuery,
  timelineCursor,
  timelinePage,
  timelineQuery,
} from "#/console-api/orders/timeline-contract.ts";
import * as repository from "#/console-api/orders/timeline-repository.ts";
import { findOrderHead, type OrderHead } from "#/console-api/orders/timeline-repository.ts";
import * as words from "#/console-api/orders/timeline-words.ts";
import { addOrderActionRoutes } from "#/console-api/orders/write-routes.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { operatorOf, scopeOf } from "#/http/access/operator.ts";
import type { Operator } from "#/http/access/operator-role.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { placeOf, readPage } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const unknownOrder = problem("not-found", "The client has no order of this orderId.");

/** Orders over clients, and the history of one order (contract rest.md §3, operator). */
export function addOrderListRoutes(service: HttpServer, context: OperatorContext): void {
  const { across, clock, database } = context;

  service.get(
    "/order/list",
    {
      schema: {
        operationId: "listOrdersOverClients",
        summary: "Orders of several clients, newest first unless sorted another way",
        querystring: orderListQuery,
        response: { 200: orderPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) => readOrderPage(across, request.query, scopeOf(request), clock.now()),
  );

  service.get(
    "/order/count",
    {
      schema: {
        operationId: "countOrdersOverClients",
        summary: "Number of orders that match a filter, up to 1 000",
        querystring: orderCountQuery,
        response: { 200: orderCount },
      } as const,
      config: { partition: "scope" },
    },
    (request) => countPage(across, request.query, scopeOf(request), clock.now()),
  );

  service.get(
    "/order/figures",
    {
      schema: {
        operationId: "readOrderFigures",
        summary: "Counts of orders to leave, at risk, late, held and waiting for stock",
        querystring: orderFiguresQuery,
        response: { 200: orderFigures },
      } as const,
      config: { partition: "scope" },
    },
    (request) => readFigures(across, scopeOf(request), clock.now()),
  );

  /** Reads an existing order in one snapshot of the store. */
  const ofOrder = <T>(
    clientId: string,
    orderId: string,
    read: (tx: ClientTx, head: OrderHead) => Promise<T>,
  ): Promise<T | undefined> =>
    readSnapshot(database, async (tx) => {
      const view = tx.of(clientId);
      const head = await findOrderHead(view, orderId);
      return head && read(view, head);
    });

  service.get(
    "/order/timeline/:orderId",
    {
      schema: {
        operationId: "getOrderTimeline",
        summary: "History of an order, oldest first",
        description:
          "Milestones, events, changes with their actors, feed documents, allocations with the reason for the lot, carrier decisions, documents and webhook deliveries: all that are still stored. A developer of a brand gets no changes, notes and exceptions.",
        params: orderPath,
        querystring: timelineQuery,
        response: { 200: timelinePage },
      } as const,
      config: { ...answers(404), partition: "order" },
    },
    async (request) => {
      const { orderId } = request.params;
      const place = placeOf(timelineCursor, request.query.cursor);
      if (!place.ok) return place;
      const page = await ofOrder(clientIdOf(request), orderId, (tx, head) =>
        readTimeline(tx, { ...request.query, kind: kindsFor(operatorOf(request), request.query.kind), orderId, head }),
      );
      return page ?? refused(unknownOrder);
    },
  );

  service.get(
    "/order/feeds/:orderId",
    {
      schema: {
        operationId: "listFeedsOfOrder",
        summary: "The feed documents about an order, oldest first",
        params: orderPath,
        querystring: feedQuery,
        response: { 200: feedList },
      } as const,
      config: { ...answers(404), partition: "order" },
    },
    async (request) => {
      const { orderId } = request.params;
      const clientId = clientIdOf(request);
      const items = await ofOrder(clientId, orderId, (tx, head) => readFeeds(tx, orderId, head));
      return items ? { items } : refused(unknownOrder);
    },
  );

  addOrderActionRoutes(service, context);
  addPrintRoute(service, context);
}

/** They name the operator's people, or are notes among them. */
const internalKinds: ReadonlySet<EntryKind> = new Set(["CHANGE", "NOTE", "EXCEPTION"]);

const kindsFor = ({ role }: Operator, kinds: readonly EntryKind[] | undefined) =>
  role === "developer" ? (kinds ?? entryKinds).filter((kind) => !internalKinds.has(kind)) : kinds;

const feedsMax = 200;

interface Placed {
  readonly place: TimelinePlace;
  readonly entry: TimelineEntry;
}

interface TimelineAsk extends Pick<TimelineQuery, "cursor" | "limit"> {
  /** Default: all. */
  readonly kind?: readonly EntryKind[] | undefined;
  readonly orderId: string;
  readonly head: repository.OrderHead;
}

/**
 * A page of the history of an order, oldest first, and within one moment by kind: each source returns its first entries
 * after the position, and they are merged.
 */
export function readTimeline(tx: ClientTx, { orderId, head, kind: kinds, ...page }: TimelineAsk) {
  const fromMs = Date.parse(head.received_at);
  const isListed = (kind: EntryKind) => kinds === undefined || kinds.includes(kind);
  const routing = isListed("ROUTING") ? [placed(words.routingEntry(head), "")] : [];
  return readPage(page, {
    cursors: timelineCursor,
    async read(after, limit) {
      const from = async <Row extends { readonly id: string }>(
        kind: EntryKind,
        list: (tx: ClientTx, ask: repository.HistoryAsk) => Promise<Row[]>,
        say: (row: Row) => TimelineEntry,
      ): Promise<Placed[]> => {
        if (!isListed(kind)) return [];
        const rows = await list(tx, { orderId, fromMs, ...placeIn(kind, after), limit });
        return rows.map((row) => placed(say(row), row.id));
      };
      const parts = await Promise.all([
        from("FEED", repository.listFeeds, words.feedEntry),
        routing.filter(({ place }) => after === undefined || compared(place, after) > 0),
        from("CHANGE", repository.listAudit, words.auditEntry),
        from("NOTE", repository.listNotes, words.noteEntry),
        from("EVENT", repository.listEvents, words.eventEntry),
        from("MILESTONE", repository.listMilestones, (row) => words.milestoneEntry(row, head)),
        from("ALLOCATION", repository.listAllocations, words.allocationEntry),
        from("DECISION", repository.listDecisions, words.decisionEntry),
        from("EXCEPTION", repository.listExceptions, words.exceptionEntry),
        from("OUTBOUND", repository.listOutbound, words.outboundEntry),
        from("DELIVERY", repository.listDeliveries, words.deliveryEntry),
      ]);
      return parts.flat().sort((left, right) => compared(left.place, right.place));
    },
    placeOf: ({ place }) => place,
    itemOf: ({ entry }) => entry,
  });
}

const placed = (entry: TimelineEntry, id: string): Placed => ({
  entry,
  place: { ms: Date.parse(entry.at), rank: entryKinds.indexOf(entry.kind), id },
});

/** The start position within a kind for a position that may belong to another kind. */
function placeIn(kind: EntryKind, place: TimelinePlace | undefined): Pick<repository.HistoryAsk, "atMs" | "id"> {
  if (place === undefined) return { atMs: 0, id: "" };
  const rank = entryKinds.indexOf(kind);
  if (rank === place.rank) return { atMs: place.ms, id: place.id };
  return { atMs: place.ms, id: rank > place.rank ? "" : null };
}

function compared(left: TimelinePlace, right: TimelinePlace): number {
  if (left.ms !== right.ms) return left.ms - right.ms;
  if (left.rank !== right.rank) return left.rank - right.rank;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

/** The feed documents about an order, oldest first. */
export async function readFeeds(tx: ClientTx, orderId: string, head: repository.OrderHead): Promise<OrderFeed[]> {
  const ask = { orderId, fromMs: Date.parse(head.received_at), atMs: 0, id: "", limit: feedsMax };
  const rows = await repository.listFeeds(tx, ask);
  return rows.map((row) => ({
    clientId: tx.clientId,
    token: row.id,
    feedType: row.feed_type,
    action: words.actionOf(row),
    channel: row.channel,
    state: row.state,
    receivedAt: row.at,
    settledAt: row.completed_at,
    bytes: row.body_bytes,
    errors: row.errors,
  }));
}
