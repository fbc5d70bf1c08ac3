import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { addJsonFeed, type JsonIntakeContext, refusalOf } from "#/intake/json/routes.ts";
import { assert } from "#/kernel/assert.ts";
import { refused } from "#/kernel/result.ts";
import { type FacilityContext, pageOfFacility } from "#/modules/inventory/index.ts";
import { explanation } from "#/modules/orders/explain/contract.ts";
import { explainOrder } from "#/modules/orders/explain/explain.ts";
import { promise, promiseRequest } from "#/modules/orders/promise/contract.ts";
import { promiseBasket } from "#/modules/orders/promise/promise.ts";
import { order, orderListQuery, orderPage, orderPath, orderQuery } from "#/modules/orders/rest/contract.ts";
import { orderCreation } from "#/modules/orders/rest/creation.ts";
import { listOrders, readOrder, readStatus } from "#/modules/orders/rest/reading.ts";
import { orderStatus } from "#/modules/orders/rest/status-contract.ts";
import { addOrderWriteRoutes, type OrderWriteContext } from "#/modules/orders/rest/write-routes.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const unknown = problem("not-found", "The client has no order of this orderId.");

/** Routes that read and change orders (contract rest.md §3). */
export function addOrderRoutes(
  service: HttpServer,
  context: OrderWriteContext & FacilityContext & JsonIntakeContext,
): void {
  addJsonFeed(service, context, orderCreation);
  const read = <T>(clientId: string, work: (tx: ClientTx) => Promise<T>): Promise<T> =>
    readSnapshot(context.database.ofClient(clientId), (tx) => work(tx.of(clientId)));

  service.post(
    "/order/promise",
    {
      schema: {
        operationId: "promiseOrder",
        summary: "What an order of a basket would get: goods, day, carrier and price",
        description:
          "By the rules of an order that comes now: its checks and their codes, routing, allocation, cut-off and choice of the carrier. It stores and reserves nothing.",
        querystring: orderQuery,
        body: promiseRequest,
        response: { 200: promise },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const client = await context.findClient(clientId);
      assert(client, `client ${clientId} has a token and does not exist`);
      const ask = { client, sets: context.sets, at: new Date(context.clock.now()).toISOString() };
      const promised = await read(clientId, (tx) => promiseBasket(tx, ask, request.body));
      if (promised.ok) return promised.value;
      return refused(refusalOf(orderCreation, request.body, { ...promised.fault, omitted: 0 }));
    },
  );

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
      const found = await read(clientIdOf(request), (tx) => readOrder(tx, request.params.orderId));
      return found ? reply.header("ETag", entityTag(found.version)).send(found) : refused(unknown);
    },
  );

  service.get(
    "/order/status/:orderId",
    {
      schema: {
        operationId: "getOrderStatus",
        summary: "Status of an order and its parcels",
        params: orderPath,
        querystring: orderQuery,
        response: { 200: orderStatus },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const found = await read(clientIdOf(request), (tx) => readStatus(tx, request.params.orderId));
      return found ? reply.header("ETag", entityTag(found.version)).send(found) : refused(unknown);
    },
  );

  service.get(
    "/order/explain/:orderId",
    {
      schema: {
        operationId: "explainOrder",
        summary: "Why an order has not shipped, and what happens next",
        description:
          "For each line that lacks goods: every pool, lot and facility that refused, in the order of allocation, and what would change it.",
        params: orderPath,
        querystring: orderQuery,
        response: { 200: explanation },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const facilities = await context.facilitiesOf(clientId);
      const { sets } = context;
      const at = new Date(context.clock.now()).toISOString();
      const ask = { orderId: request.params.orderId, facilities, sets, at };
      const found = await read(clientId, (tx) => explainOrder(tx, ask));
      return found ?? refused(unknown);
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
      config: answers(422),
    },
    async (request) => {
      const { query } = request;
      const clientId = clientIdOf(request);
      const page = await read(clientId, (tx) => listOrders(tx, query));
      return pageOfFacility(context, clientId, query, "distributionCentre", page);
    },
  );

  addOrderWriteRoutes(service, context);
}
