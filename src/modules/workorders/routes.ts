import type { FastifyRequest } from "fastify";
import Type from "typebox";
import type { Change } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import { type BearerHooks, clientIdOf, registerService } from "#/http/bearer.ts";
import { readDateTime } from "#/http/date-time.ts";
import { answerWrite, idempotencyKeyHeader, type Written } from "#/http/idempotency.ts";
import { entityTag, ifMatchHeader } from "#/http/if-match.ts";
import type { DocumentedRoute } from "#/http/openapi.ts";
import { pageLimitDefault } from "#/http/paging.ts";
import { invalidRequest, type Problem, problem, sendProblem } from "#/http/problem.ts";
import type { HttpServer } from "#/http/server.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/ids.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { createWorkOrder, type WorkOrderAnswer } from "#/modules/workorders/create-service.ts";
import { workOrderRecord } from "#/modules/workorders/record.ts";
import * as repository from "#/modules/workorders/repository.ts";
import {
  newWorkOrder,
  workOrder,
  workOrderCancel,
  workOrderCursors,
  workOrderListQuery,
  workOrderPage,
  workOrderPatch,
  workOrderPath,
  workOrderQuery,
} from "#/modules/workorders/rest-contract.ts";
import { cancelWorkOrder, updateWorkOrder } from "#/modules/workorders/service.ts";
import type { OutboxWriter } from "#/outbox/append.ts";

export interface WorkOrderRoutesContext {
  readonly database: Database;
  readonly bearer: BearerHooks;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writer: OutboxWriter;
  /** The facilities that the client may use. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
}

const prefix = "/v1/workOrderService";

// Other header lines are nobody's business here.
const createHeaders = Type.Object({ ...idempotencyKeyHeader });
const changeHeaders = Type.Object({ ...idempotencyKeyHeader, ...ifMatchHeader });

/** Statuses that an operation answers besides those of every operation, for the service's document. */
const answers = (problems: readonly number[]): DocumentedRoute => ({ problems });

/** The Work Order service (contract rest.md §2–§4). */
export function registerWorkOrderRoutes(app: HttpServer, context: WorkOrderRoutesContext): void {
  const { database, bearer, clock, ids, writer } = context;

  function changeOf(request: FastifyRequest): Change {
    const at = new Date(clock.now()).toISOString();
    return { actor: `client:${clientIdOf(request)}`, origin: request.ip, at, ids };
  }

  /** What happened is appended in the transaction of the change, and the record as it is now is the answer. */
  function written(
    tx: Transaction,
    clientId: string,
    change: Change,
    outcome: Result<WorkOrderAnswer, Problem>,
    status: Written["status"],
  ): Result<Written, Problem> {
    if (!outcome.ok) return outcome;
    const { workOrder: it, drafts } = outcome.value;
    writer.append(tx, clientId, change.at, drafts);
    const location = `${prefix}/workOrder/get/${encodeURIComponent(it.workOrderId)}`;
    return ok({
      status,
      headers: { ETag: entityTag(it.version), ...(status === 201 ? { Location: location } : {}) },
      body: workOrderRecord(clientId, it),
    });
  }

  registerService(
    app,
    prefix,
    bearer,
    (service) => {
      service.post(
        "/workOrder/create",
        {
          schema: {
            operationId: "createWorkOrder",
            summary: "Create a work order and reserve its components",
            querystring: workOrderQuery,
            headers: createHeaders,
            body: newWorkOrder,
            response: { 201: workOrder },
          } as const,
          config: answers([409, 422]),
        },
        async (request, reply) => {
          const clientId = clientIdOf(request);
          const change = changeOf(request);
          const client = { clientId, facilities: await context.facilitiesOf(clientId) };
          return answerWrite({ database, clientId, at: change.at }, request, reply, async (tx) =>
            written(tx, clientId, change, await createWorkOrder(tx, change, client, request.body), 201),
          );
        },
      );

      service.patch(
        "/workOrder/update/:workOrderId",
        {
          schema: {
            operationId: "updateWorkOrder",
            summary: "Change a work order until the warehouse starts on it",
            params: workOrderPath,
            querystring: workOrderQuery,
            headers: changeHeaders,
            body: workOrderPatch,
            response: { 200: workOrder },
          } as const,
          config: answers([404, 409, 412, 422]),
        },
        async (request, reply) => {
          const clientId = clientIdOf(request);
          const change = changeOf(request);
          const key = { workOrderId: request.params.workOrderId, ifMatch: request.headers["if-match"] };
          return answerWrite({ database, clientId, at: change.at }, request, reply, async (tx) =>
            written(tx, clientId, change, await updateWorkOrder(tx, change, clientId, key, request.body), 200),
          );
        },
      );

      service.post(
        "/workOrder/cancel/:workOrderId",
        {
          schema: {
            operationId: "cancelWorkOrder",
            summary: "Cancel a work order until the warehouse starts on it",
            params: workOrderPath,
            querystring: workOrderQuery,
            headers: changeHeaders,
            body: workOrderCancel,
            response: { 200: workOrder },
          } as const,
          config: answers([404, 409, 412]),
          // There is nothing that must be said, so the body may be left out.
          preValidation: async (request) => {
            request.body ??= {};
          },
        },
        async (request, reply) => {
          const clientId = clientIdOf(request);
          const change = changeOf(request);
          const key = { workOrderId: request.params.workOrderId, ifMatch: request.headers["if-match"] };
          const { reason } = request.body;
          return answerWrite({ database, clientId, at: change.at }, request, reply, async (tx) =>
            written(tx, clientId, change, await cancelWorkOrder(tx, change, clientId, key, reason), 200),
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
          config: answers([404]),
        },
        async (request, reply) => {
          const clientId = clientIdOf(request);
          const [found] = await database.transaction(async (tx) => {
            const [, rows] = await Promise.all([
              repository.readOneState(tx),
              repository.readWorkOrders(tx, clientId, [request.params.workOrderId]),
            ]);
            return rows;
          });
          if (!found)
            return sendProblem(reply, problem("not-found", "The client has no work order of this workOrderId."));
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
        },
        async (request, reply) => {
          const clientId = clientIdOf(request);
          const { sort = "receivedAt", cursor, limit = pageLimitDefault, status, facilityCode } = request.query;
          const after = cursor === undefined ? undefined : workOrderCursors[sort].decode(cursor);
          if (cursor !== undefined && after === undefined) {
            const message = "is not a nextCursor of this list and sort";
            return sendProblem(reply, invalidRequest([{ pointer: "/query/cursor", message }]));
          }
          const { updatedSince } = request.query;
          const filter = {
            status,
            facilityCode,
            updatedSince: updatedSince === undefined ? undefined : readDateTime(updatedSince),
          };
          // One more than asked for tells whether there is a next page.
          const page = { filter, isNewestFirst: sort === "-receivedAt", after, limit: limit + 1 };
          const rows = await database.transaction(async (tx) => {
            const [, listed] = await Promise.all([
              repository.readOneState(tx),
              repository.listWorkOrders(tx, clientId, page),
            ]);
            return listed;
          });
          const asked = rows.slice(0, limit);
          const last = asked.at(-1);
          return {
            items: asked.map((row) => workOrderRecord(clientId, row.workOrder)),
            nextCursor: last && rows.length > limit ? workOrderCursors[sort].encode(last.place) : null,
          };
        },
      );
    },
    {
      name: "work-order",
      title: "Work Order",
      description: "Work orders assemble finished goods from component SKUs.",
    },
  );
}
