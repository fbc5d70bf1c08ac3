import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { answered, answerWrite, changeHeaders, createHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { type FacilityContext, pageOfFacility } from "#/modules/inventory/index.ts";
import { workOrderRecord } from "#/modules/workorders/record.ts";
import * as repository from "#/modules/workorders/repository.ts";
import {
  workOrder,
  workOrderCancel,
  workOrderCreate,
  workOrderCursors,
  workOrderListQuery,
  workOrderPage,
  workOrderPatch,
  workOrderPath,
  workOrderQuery,
} from "#/modules/workorders/rest-contract.ts";
import {
  cancelWorkOrder,
  createWorkOrder,
  updateWorkOrder,
  type WorkOrderResult,
} from "#/modules/workorders/service.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** The Work Order service (contract rest.md §2–§4). */
export function addWorkOrderRoutes(service: HttpServer, context: ServiceContext & FacilityContext): void {
  const { database } = context;

  /** Answers with the record after the change. */
  function written(clientId: string, outcome: WorkOrderResult, status: 200 | 201): WriteResult {
    if (!outcome.ok) return outcome;
    const { answer: workOrder, events } = outcome.value;
    const location = `${service.prefix}/workOrder/get/${encodeURIComponent(workOrder.workOrderId)}`;
    const headers = { ETag: entityTag(workOrder.version), ...(status === 201 ? { Location: location } : {}) };
    return answered(workOrderRecord(clientId, workOrder), { status, headers, events });
  }

  service.post(
    "/workOrder/create",
    {
      schema: {
        operationId: "createWorkOrder",
        summary: "Create a work order and reserve its components",
        description:
          "It is RELEASED to the warehouse when all components are reserved, and WAITING_COMPONENTS until then. Its SKUs must be known through CAT. Facility, finishedGoodSku and consumption stay as they are.",
        querystring: workOrderQuery,
        headers: createHeaders,
        body: workOrderCreate,
        response: { 201: workOrder },
      } as const,
      config: answers(409, 422),
    },
    async (request, reply) => {
      return answerWrite(context, request, reply, async (tx) =>
        written(tx.clientId, await createWorkOrder(tx, request.body), 201),
      );
    },
  );

  service.patch(
    "/workOrder/update/:workOrderId",
    {
      schema: {
        operationId: "updateWorkOrder",
        summary: "Change a work order until the warehouse starts on it",
        description:
          "Changes qty, components, dueDate, priority and notes. components are replaced as a whole; reservations are freed or added accordingly. A patch without changes creates no new version.",
        params: workOrderPath,
        querystring: workOrderQuery,
        headers: changeHeaders,
        body: workOrderPatch,
        response: { 200: workOrder },
      } as const,
      config: answers(404, 409, 412, 422),
    },
    async (request, reply) => {
      const key = { workOrderId: request.params.workOrderId, ifMatch: request.headers["if-match"] };
      return answerWrite(context, request, reply, async (tx) =>
        written(tx.clientId, await updateWorkOrder(tx, key, request.body), 200),
      );
    },
  );

  service.post(
    "/workOrder/cancel/:workOrderId",
    {
      schema: {
        operationId: "cancelWorkOrder",
        summary: "Cancel a work order until the warehouse starts on it",
        description:
          "Its reserved components are freed at once. After the first report it is refused with 409: then only the warehouse can end it, by closing it short.",
        params: workOrderPath,
        querystring: workOrderQuery,
        headers: changeHeaders,
        body: workOrderCancel,
        response: { 200: workOrder },
      } as const,
      config: { ...answers(404, 409, 412), isBodyOptional: true },
    },
    async (request, reply) => {
      const key = { workOrderId: request.params.workOrderId, ifMatch: request.headers["if-match"] };
      const { reason } = request.body;
      return answerWrite(context, request, reply, async (tx) =>
        written(tx.clientId, await cancelWorkOrder(tx, key, reason), 200),
      );
    },
  );

  service.get(
    "/workOrder/get/:workOrderId",
    {
      schema: {
        operationId: "getWorkOrder",
        summary: "One work order with its components",
        params: workOrderPath,
        querystring: workOrderQuery,
        response: { 200: workOrder },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const clientId = clientIdOf(request);
      const [found] = await readSnapshot(database, (tx) =>
        repository.readWorkOrders(tx.of(clientId), [request.params.workOrderId]),
      );
      if (!found) return refused(problem("not-found", "The client has no work order of this workOrderId."));
      return reply.header("ETag", entityTag(found.version)).send(workOrderRecord(clientId, found));
    },
  );

  service.get(
    "/workOrder/list",
    {
      schema: {
        operationId: "listWorkOrders",
        summary: "Work orders by receipt, oldest first unless sorted the other way",
        querystring: workOrderListQuery,
        response: { 200: workOrderPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { sort = "receivedAt", status, facilityCode, updatedSince } = request.query;
      const filter = { status, facilityCode, updatedSince: updatedSince && readDateTime(updatedSince) };
      const page = await readPage(request.query, {
        cursors: workOrderCursors[sort],
        read: (after, limit) =>
          readSnapshot(database, (tx) => repository.listWorkOrders(tx.of(clientId), { filter, sort, after, limit })),
        placeOf: ({ receivedUs, workOrderId }) => ({ us: receivedUs, id: workOrderId }),
        itemOf: (workOrder) => workOrderRecord(clientId, workOrder),
      });
      return pageOfFacility(context, clientId, request.query, "facilityCode", page);
    },
  );
}
