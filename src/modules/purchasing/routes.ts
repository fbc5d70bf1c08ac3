import type { Tx } from "#/db/database.ts";
import { readOneState } from "#/db/store/one-state.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { closePurchaseOrder, refusalOfNotices } from "#/modules/purchasing/receiving/close-orders.ts";
import { purchaseOrderRecord } from "#/modules/purchasing/receiving/purchase-order-record.ts";
import { listReceivingHeaders, listReceivingLines } from "#/modules/purchasing/receiving/receiving-repository.ts";
import {
  type PurchaseOrderRecord,
  purchaseOrder,
  purchaseOrderClose,
  purchaseOrderPath,
  purchaseOrderQuery,
} from "#/modules/purchasing/rest-contract.ts";

/** Routes for purchase orders in the Order service (contract rest.md §3). */
export function addPurchaseOrderRoutes(service: HttpServer, context: ServiceContext): void {
  const { database } = context;

  service.get(
    "/purchaseOrder/get/:poNumber",
    {
      schema: {
        operationId: "getClientPurchaseOrder",
        summary: "One purchase order: expected and received quantities",
        params: purchaseOrderPath,
        querystring: purchaseOrderQuery,
        response: { 200: purchaseOrder },
      } as const,
      config: answers(404, 409),
    },
    async (request, reply) => {
      const { poNumber } = request.params;
      const found = await database.transaction(async (tx) => {
        const [, record] = await Promise.all([
          readOneState(tx),
          findRecord(tx, clientIdOf(request), poNumber, request.query.vendorOrderId),
        ]);
        return record;
      });
      return found.ok ? found.value : sendProblem(reply, problem(found.fault.kind, found.fault.detail));
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
        response: { 200: purchaseOrder },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) => {
      const { poNumber } = request.params;
      const key = { poNumber, vendorOrderId: request.query.vendorOrderId, reason: request.body.reason };
      return answerWrite(context, request, reply, async (tx, change, clientId) => {
        const ended = await closePurchaseOrder(tx, change, clientId, key);
        if (!ended.ok) return ended;
        const { answer, events } = ended.value;
        const record = await findRecord(tx, clientId, poNumber, answer.vendorOrderId);
        assert(record.ok, "a purchase order was closed and does not exist");
        return answered(record.value, { events });
      });
    },
  );
}

type RecordResult = Result<PurchaseOrderRecord, { readonly kind: "not-found" | "conflict"; readonly detail: string }>;

async function findRecord(
  tx: Tx,
  clientId: string,
  poNumber: string,
  vendorOrderId: string | undefined,
): Promise<RecordResult> {
  const [headers, lines] = await Promise.all([
    listReceivingHeaders(tx, clientId, [poNumber]),
    listReceivingLines(tx, clientId, [poNumber]),
  ]);
  const named = headers.filter((header) => vendorOrderId === undefined || header.vendorOrderId === vendorOrderId);
  const refusal = refusalOfNotices(poNumber, named);
  if (refusal) return refused({ kind: refusal.kind === "notFound" ? "not-found" : "conflict", detail: refusal.detail });
  const [header] = named;
  assert(header, "a purchase order is not refused and does not exist");
  return ok(purchaseOrderRecord(clientId, header, lines));
}
