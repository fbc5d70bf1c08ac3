import type { FastifyRequest } from "fastify";
import type { OperatorContext } from "#/console-api/context.ts";
import {
  countMax,
  cursors,
  type DueKind,
  purchaseOrderDetail,
  purchaseOrderFigures,
  purchaseOrderFiguresQuery,
  purchaseOrderListQuery,
  purchaseOrderPage,
  purchaseOrderPath,
  purchaseOrderQuery,
  returnListQuery,
  returnPage,
  type StoredPurchaseOrder,
  transferListQuery,
  transferPage,
  unidentifiedListQuery,
  unidentifiedPage,
  workOrderListQuery,
  workOrderPage,
} from "#/console-api/inbound/contract.ts";
import {
  type ArrivalFilter,
  type ArrivalList,
  type ArrivalPlace,
  countDue,
  findReachOfArrivals,
  listFacilityDays,
  listPurchaseOrders,
  listReturns,
  listTransfers,
  listUnidentified,
  listWorkOrders,
} from "#/console-api/inbound/inbound.cross-client.ts";
import {
  findHeader,
  listLines,
  listNamed,
  type NamedPurchaseOrder,
  type PurchaseOrderKey,
} from "#/console-api/inbound/purchase-order-repository.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { operatorOf, scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import type { Page, ReceiptSort } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { cartonsOf, listCartons, listReceipts } from "#/modules/purchasing/index.ts";
import { openPurchaseOrderStates } from "#/modules/purchasing/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const linesMax = 10_000;

/** Inbound goods, work orders and transfers of the warehouse, over all clients (contract rest.md §3, operator). */
export function addInboundRoutes(service: HttpServer, { database, across, clock }: OperatorContext): void {
  service.get(
    "/purchaseOrder/list",
    {
      schema: {
        operationId: "listPurchaseOrders",
        summary: "Purchase orders by receipt, with expected and received quantities",
        description: "Totals of their lines, in stock units.",
        querystring: purchaseOrderListQuery,
        response: { 200: purchaseOrderPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const { due, status = openPurchaseOrderStates } = request.query;
      const days = await listFacilityDays(across, new Date(clock.now()).toISOString());
      const list = (tx: Tx, filter: ArrivalFilter) =>
        listPurchaseOrders(tx, due === undefined ? filter : { ...filter, due: { due, days } });
      const page = await readArrivals(
        request,
        across,
        "purchaseOrders",
        list,
        (row) => `${row.poNumber}\n${row.vendorOrderId}`,
        due && openPurchaseOrderStates.filter((state) => status.includes(state)),
      );
      if (!page.ok) return page;
      const todays = new Map(days.map(({ code, today }) => [code, today]));
      const { items, nextCursor } = page.value;
      return { items: items.map((row) => ({ ...row, due: dueOf(row, todays) })), nextCursor };
    },
  );

  service.get(
    "/purchaseOrder/figures",
    {
      schema: {
        operationId: "readInboundFigures",
        summary: "Counts of open purchase orders that are expected today, and that are overdue",
        querystring: purchaseOrderFiguresQuery,
        response: { 200: purchaseOrderFigures },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const scope = scopeOf(request);
      const days = await listFacilityDays(across, new Date(clock.now()).toISOString());
      const [today, overdue] = await Promise.all([
        countDue(across, scope, { due: "TODAY", days }, countMax),
        countDue(across, scope, { due: "OVERDUE", days }, countMax),
      ]);
      return { today, overdue };
    },
  );

  service.get(
    "/purchaseOrder/get/:poNumber",
    {
      schema: {
        operationId: "getPurchaseOrder",
        summary: "A purchase order: its lines, expected and received quantities, and its receipts",
        description:
          "Several purchase orders may have the same poNumber: vendorOrderId selects one. Without it the answer is a 409 that names them.",
        params: purchaseOrderPath,
        querystring: purchaseOrderQuery,
        response: { 200: purchaseOrderDetail },
      } as const,
      config: { ...answers(404, 409), partition: "scope" },
    },
    async (request) => {
      const { facilityCodes } = operatorOf(request);
      const { poNumber } = request.params;
      const { vendorOrderId } = request.query;
      const clientId = clientIdOf(request);
      const named: Result<PurchaseOrderKey, Problem> =
        vendorOrderId === undefined
          ? keyNamed(poNumber, await listNamed(database.of(clientId), poNumber, facilityCodes))
          : ok({ poNumber, vendorOrderId });
      if (!named.ok) return named;
      const key = named.value;
      const [header, lines, announced, receipts] = await readSnapshot(database, (tx) => {
        const view = tx.of(clientId);
        return Promise.all([
          findHeader(view, key),
          listLines(view, key, linesMax),
          listCartons(view, [key.poNumber]),
          listReceipts(view, key),
        ]);
      });
      if (!header || facilityCodes?.includes(header.distributionCentre) === false) {
        return refused(unknownPurchaseOrder);
      }
      return { ...header, lines, cartons: cartonsOf(announced, key), receipts };
    },
  );

  service.get(
    "/return/list",
    {
      schema: {
        operationId: "listReturns",
        summary: "Returns by receipt of their authorisation, with expected and returned quantities",
        description: "Totals of their lines, in stock units.",
        querystring: returnListQuery,
        response: { 200: returnPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) => readArrivals(request, across, "returns", listReturns, ({ rmaNumber }) => rmaNumber),
  );

  service.get(
    "/workOrder/list",
    {
      schema: {
        operationId: "listWorkOrdersOfAll",
        summary: "Work orders by receipt, with made and missing quantities",
        description: "Over all clients; the Work Order service answers one in full.",
        querystring: workOrderListQuery,
        response: { 200: workOrderPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) => readArrivals(request, across, "workOrders", listWorkOrders, ({ workOrderId }) => workOrderId),
  );

  service.get(
    "/transfer/list",
    {
      schema: {
        operationId: "listTransfersOfAll",
        summary: "Transfers by receipt, with ordered, shipped and received quantities",
        description: "Over all clients, by the facility that ships; the Inventory service answers one in full.",
        querystring: transferListQuery,
        response: { 200: transferPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) => readArrivals(request, across, "transfers", listTransfers, ({ transferId }) => transferId),
  );

  service.get(
    "/unidentifiedReceipt/list",
    {
      schema: {
        operationId: "listUnidentifiedReceiptsOfAll",
        summary: "Goods without a purchase order by receipt",
        description: "Over all clients.",
        querystring: unidentifiedListQuery,
        response: { 200: unidentifiedPage },
      } as const,
      config: { partition: "scope" },
    },
    (request) =>
      readArrivals(request, across, "unidentifiedReceipts", listUnidentified, ({ unidentifiedId }) => unidentifiedId),
  );
}

const unknownPurchaseOrder = problem("not-found", "There is no such purchase order.");

/** The purchase order that an id names: in full, or as the only order of that number. */
function keyNamed(id: string, [first, ...others]: readonly NamedPurchaseOrder[]): Result<PurchaseOrderKey, Problem> {
  if (!first) return refused(unknownPurchaseOrder);
  if (first.isExact || others.length === 0) return ok(first);
  const vendorOrderIds = [first, ...others].map(({ vendorOrderId }) => vendorOrderId).join(", ");
  return refused(
    problem("conflict", `Purchase order ${id} has several vendorOrderIds; name one of them: ${vendorOrderIds}.`),
  );
}

/** @param todays of the facilities, `YYYY-MM-DD` */
function dueOf(
  { status, expectedDate, distributionCentre }: StoredPurchaseOrder,
  todays: ReadonlyMap<string, string>,
): DueKind | null {
  const today = todays.get(distributionCentre);
  if (!expectedDate || today === undefined || !openPurchaseOrderStates.some((state) => state === status)) return null;
  return expectedDate < today ? "OVERDUE" : expectedDate === today ? "TODAY" : "LATER";
}

interface ListQuery {
  readonly status?: readonly string[];
  readonly sort?: ReceiptSort;
  readonly cursor?: string;
  readonly limit?: number;
}

/** A page of a list that is sorted by receipt. @param idOf the id of an object's position. @param statuses instead of those of the request. */
function readArrivals<Item extends Pick<ArrivalPlace, "clientId" | "receivedAt">>(
  request: FastifyRequest,
  tx: Tx,
  name: ArrivalList,
  list: (tx: Tx, filter: ArrivalFilter) => Promise<Item[]>,
  idOf: (item: Item) => string,
  statuses?: readonly string[],
): Promise<Result<Page<Item>, Problem>> {
  const query = request.query as ListQuery;
  const { status, sort = "receivedAt" } = query;
  const filter = { ...scopeOf(request), statuses: statuses ?? status, isNewestFirst: sort === "-receivedAt" };
  return readSearchedPage(query, {
    cursors: cursors[name][sort],
    search: (place, limit) =>
      lookThrough<Item, ArrivalPlace>({
        after: place,
        limit,
        placeOf: (item) => ({ receivedAt: item.receivedAt, clientId: item.clientId, id: idOf(item) }),
        list: (after, last, most) => list(tx, { ...filter, after, reach: last, limit: most }),
        findReach: (after, looked) => findReachOfArrivals(tx, name, { ...filter, after, limit: 1 }, looked),
      }),
  });
}
