import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { readPage, wholeRows } from "#/http/requests/paging.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { addJsonFeed, type JsonIntakeContext } from "#/intake/json/routes.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type FacilityContext, pageOfFacility } from "#/modules/inventory/index.ts";
import { listCartons } from "#/modules/purchasing/carton-repository.ts";
import { purchaseOrderCreation } from "#/modules/purchasing/creation.ts";
import { listPurchaseOrders, placeIdOf } from "#/modules/purchasing/list-repository.ts";
import { closePurchaseOrder, refusalOfNotices } from "#/modules/purchasing/receiving/close-orders.ts";
import { purchaseOrderRecord } from "#/modules/purchasing/receiving/purchase-order-record.ts";
import { listReceipts, listReceivedEntries, receiptsOf } from "#/modules/purchasing/receiving/receipts.ts";
import { listReceivingHeaders, listReceivingLines } from "#/modules/purchasing/receiving/receiving-repository.ts";
import {
  type PurchaseOrderDetail,
  type PurchaseOrderHead,
  purchaseOrderClose,
  purchaseOrderCursors,
  purchaseOrderDetail,
  purchaseOrderListQuery,
  purchaseOrderPage,
  purchaseOrderPath,
  purchaseOrderQuery,
} from "#/modules/purchasing/rest-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** Routes for purchase orders in the Order service (contract rest.md §3). */
export function addPurchaseOrderRoutes(service: HttpServer, context: JsonIntakeContext & FacilityContext): void {
  const { database } = context;

  addJsonFeed(service, context, {
    ...purchaseOrderCreation,
    async read(tx, body) {
      const [poNumber, notice] = [body.poNumber as string, (body.vendorOrderId as string | undefined) ?? ""];
      const found = await findRecord(tx, poNumber, notice);
      assert(found.ok, `purchase order ${poNumber} was created and does not exist`);
      const query = notice === "" ? "" : `?vendorOrderId=${encodeURIComponent(notice)}`;
      return { record: found.value, path: `/purchaseOrder/get/${encodeURIComponent(poNumber)}${query}` };
    },
    template: {
      path: "/purchaseOrder/template/:poNumber",
      operationId: "getPurchaseOrderTemplate",
      params: purchaseOrderPath,
      what: "purchase order, or several vendorOrderIds of it",
      async find(tx, { poNumber }, { vendorOrderId }) {
        const found = await findRecord(tx, poNumber as string, vendorOrderId as string | undefined);
        return found.ok ? found.value : undefined;
      },
    },
  });

  service.get(
    "/purchaseOrder/get/:poNumber",
    {
      schema: {
        operationId: "getClientPurchaseOrder",
        summary: "One purchase order: expected and received quantities, and its receipts",
        params: purchaseOrderPath,
        querystring: purchaseOrderQuery,
        response: { 200: purchaseOrderDetail },
      } as const,
      config: answers(404, 409),
    },
    async (request) => {
      const { poNumber } = request.params;
      const found = await readSnapshot(database, (tx) =>
        findRecord(tx.of(clientIdOf(request)), poNumber, request.query.vendorOrderId),
      );
      return found.ok ? found.value : refused(problem(found.fault.kind, found.fault.detail));
    },
  );

  service.get(
    "/purchaseOrder/list",
    {
      schema: {
        operationId: "listClientPurchaseOrders",
        summary: "Purchase orders by receipt, oldest first unless sorted the other way",
        description: "Each shipping notice is one entry, with its receipts. `purchaseOrder/get` has the lines.",
        querystring: purchaseOrderListQuery,
        response: { 200: purchaseOrderPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const { query } = request;
      const { sort = "receivedAt", status, distributionCentre } = query;
      const clientId = clientIdOf(request);
      const filter = {
        status,
        distributionCentre,
        receivedFrom: query.receivedFrom && readDateTime(query.receivedFrom),
        receivedTo: query.receivedTo && readDateTime(query.receivedTo),
        updatedSince: query.updatedSince && readDateTime(query.updatedSince),
      };
      const page = await readSnapshot(database, (tx) =>
        readPage(query, {
          cursors: purchaseOrderCursors[sort],
          read: (after, limit) => listPurchaseOrders(tx.of(clientId), { filter, sort, after, limit }),
          placeOf: (row) => ({ us: row.receivedUs, id: placeIdOf(row) }),
          itemsOf: (rows) => withReceipts(tx.of(clientId), rows),
        }),
      );
      return pageOfFacility(context, clientId, query, "distributionCentre", page);
    },
  );

  service.post(
    "/purchaseOrder/close/:poNumber",
    {
      schema: {
        operationId: "closePurchaseOrder",
        summary: "Close a purchase order: nothing more is expected",
        description:
          "Possible while it is OPEN, RECEIVING or RECEIVED. Lines that lack goods are SHORT, and the expected quantity is reduced. A receipt within 30 days reopens it.",
        params: purchaseOrderPath,
        querystring: purchaseOrderQuery,
        headers: createHeaders,
        body: purchaseOrderClose,
        response: { 200: purchaseOrderDetail },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) => {
      const { poNumber } = request.params;
      const key = { poNumber, vendorOrderId: request.query.vendorOrderId, reason: request.body.reason };
      return answerWrite(context, request, reply, async (tx) => {
        const ended = await closePurchaseOrder(tx, key);
        if (!ended.ok) return ended;
        const { answer, events } = ended.value;
        const record = await findRecord(tx, poNumber, answer.vendorOrderId);
        assert(record.ok, "a purchase order was closed and does not exist");
        return answered(record.value, { events });
      });
    },
  );
}

/** A page ends early at this number of entries of receipts. */
const pageEntriesMax = 20_000;

async function withReceipts<Row extends PurchaseOrderHead>(tx: ClientTx, rows: readonly Row[]) {
  if (rows.length === 0) return [];
  const keys = rows.map(({ poNumber, vendorOrderId }) => ({ poNumber, vendorOrderId: vendorOrderId ?? "" }));
  const entries = await listReceivedEntries(tx, keys, pageEntriesMax + 1);
  const byPlace = Map.groupBy(entries, ({ place }) => place);
  const placed = rows.map((row, i) => ({ row, place: String(i + 1) }));
  return wholeRows(placed, entries, { key: "place", max: pageEntriesMax }).map(({ row, place }) => ({
    ...row,
    receipts: receiptsOf(byPlace.get(place) ?? []),
  }));
}

type RecordResult = Result<PurchaseOrderDetail, { readonly kind: "not-found" | "conflict"; readonly detail: string }>;

async function findRecord(tx: ClientTx, poNumber: string, vendorOrderId: string | undefined): Promise<RecordResult> {
  const [headers, lines, cartons] = await Promise.all([
    listReceivingHeaders(tx, [poNumber]),
    listReceivingLines(tx, [poNumber]),
    listCartons(tx, [poNumber]),
  ]);
  const named = headers.filter((header) => vendorOrderId === undefined || header.vendorOrderId === vendorOrderId);
  const refusal = refusalOfNotices(poNumber, named);
  if (refusal) return refused({ kind: refusal.kind === "notFound" ? "not-found" : "conflict", detail: refusal.detail });
  const [header] = named;
  assert(header, "a purchase order is not refused and does not exist");
  return ok({ ...purchaseOrderRecord(tx.clientId, header, lines, cartons), receipts: await listReceipts(tx, header) });
}
