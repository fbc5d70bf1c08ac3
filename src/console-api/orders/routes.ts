import type { OperatorContext } from "#/console-api/context.ts";
import { orderCount, orderCountQuery, orderListQuery, orderPage, orderPath } from "#/console-api/orders/contract.ts";
import { countPage, readOrderPage } from "#/console-api/orders/list.ts";
import { readFeeds, readTimeline } from "#/console-api/orders/timeline.ts";
import {
  feedList,
  feedQuery,
  timelineCursor,
  timelinePage,
  timelineQuery,
} from "#/console-api/orders/timeline-contract.ts";
import { findOrderHead, type OrderHead } from "#/console-api/orders/timeline-repository.ts";
import { addOrderActionRoutes } from "#/console-api/orders/write-routes.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { placeOf } from "#/http/requests/paging.ts";
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
          "Milestones, events, changes with their actors, feed documents, allocations with the reason for the lot, carrier decisions, documents and webhook deliveries: all that are still stored.",
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
        readTimeline(tx, { ...request.query, orderId, head }),
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
}
