import type { OperatorContext } from "#/console-api/context.ts";
import * as contract from "#/console-api/stock/count-contract.ts";
import {
  type CountFilter,
  type CountPlace,
  findReachOfCounts,
  listCounts,
} from "#/console-api/stock/counts.cross-client.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { notFound } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { showClient } from "#/modules/clients/index.ts";
import { findCount, noBatch, noExpiry, type StockCount } from "#/modules/inventory/index.ts";
import { approveWaiting, rejectWaiting, releaseCount, withdrawCount } from "#/modules/warehouse/index.ts";

/** Counts that operators request, and the approval of their differences (contract warehouse.md, Counts). */
export function addCountRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, across } = context;

  service.get(
    "/count/list",
    {
      schema: {
        operationId: "listCounts",
        summary: "Requested counts, the newest first",
        querystring: contract.countListQuery,
        response: { 200: contract.countPage },
      } as const,
      config: { partition: "scope" },
    },
    async (request) => {
      const filter = { ...scopeOf(request), status: request.query.status };
      return readSearchedPage(request.query, {
        cursors: contract.countCursor,
        search: (place, limit) =>
          lookThrough<contract.CountSummary, CountPlace>({
            after: place,
            limit,
            placeOf: ({ requestedAt, clientId, countId }) => ({ requestedAt, clientId, countId }),
            list: (after, last, most) => listCounts(across, { ...filter, after, reach: last, limit: most }),
            findReach: (after, looked) =>
              findReachOfCounts(across, { ...filter, after, limit: 1 } satisfies CountFilter, looked),
          }),
      });
    },
  );

  service.get(
    "/count/get/:countId",
    {
      schema: {
        operationId: "getCount",
        summary: "A requested count with its lots, and the differences that wait for approval",
        params: contract.countPath,
        querystring: contract.countReadQuery,
        response: { 200: contract.countRecord },
      } as const,
      config: { ...answers(404), partition: "count" },
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const count = await findCount(database.of(clientId), request.params.countId);
      if (!count) return refused(problem("not-found", "There is no such count."));
      return recordOf(clientId, count);
    },
  );

  service.post(
    "/count/create",
    {
      schema: {
        operationId: "createCount",
        summary: "Ask a warehouse to count a product, a lot or a stock pool",
        description:
          "The warehouse gets a COUNT task. A difference within the client's settings countTolerance and countToleranceUnits is booked when it reports; a larger one waits for approval.",
        headers: createHeaders,
        body: contract.countCreate,
        response: { 200: contract.countRecord },
      } as const,
      config: { ...answers(409, 422), partition: "named" },
    },
    async (request, reply) => {
      const { distributionCentre: facilityCode, isBlind = true, note, condition = "GOOD" } = request.body;
      const { sku, stockPool, batchRef, expiryDate } = request.body;
      const scope = { sku, stockPool, batchRef, expiryDate, condition };
      await answerWrite(context, request, reply, async (tx) => {
        const client = await showClient(tx);
        if (!client.ok) return refused(notFound(client.fault));
        const result = await releaseCount(tx, client.value, { facilityCode, scope, isBlind, note });
        return result.ok ? answered(recordOf(tx.clientId, result.value)) : result;
      });
      if (reply.statusCode === 200) context.onTasks([facilityCode]);
      return reply;
    },
  );

  service.post(
    "/count/cancel/:countId",
    {
      schema: {
        operationId: "cancelCount",
        summary: "The warehouse need not count any more",
        params: contract.countPath,
        querystring: contract.countQuery,
        headers: createHeaders,
        body: contract.cancellationBody,
        response: { 200: contract.countRecord },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true, partition: "count" },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { reason } = request.body ?? {};
        const result = await withdrawCount(tx, request.params.countId, reason);
        return result.ok ? answered(recordOf(tx.clientId, result.value)) : result;
      }),
  );

  service.post(
    "/count/approve/:countId",
    {
      schema: {
        operationId: "approveCount",
        summary: "Book the differences of a count that wait for approval",
        description:
          "The adjustments are booked now, as of the count. 409 where the lot was adjusted since the count, and where the loss takes units that orders have allocated, unless freesAllocations is true. Picked and packed units stay. 409 too for the user who made the adjustment: another one approves it.",
        params: contract.countPath,
        querystring: contract.countQuery,
        headers: createHeaders,
        body: contract.approvalBody,
        response: { 200: contract.countRecord },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true, partition: "count" },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { reason, freesAllocations = false } = request.body ?? {};
        const { countId } = request.params;
        const result = await approveWaiting(tx, countId, { reason, freesAllocations });
        if (!result.ok) return result;
        return answered(recordOf(tx.clientId, result.value.answer), { events: result.value.events });
      }),
  );

  service.post(
    "/count/reject/:countId",
    {
      schema: {
        operationId: "rejectCount",
        summary: "Reject the differences of a count that wait for approval",
        description: "Nothing is booked. With isRecounted the warehouse gets another COUNT task of these lots.",
        params: contract.countPath,
        querystring: contract.countQuery,
        headers: createHeaders,
        body: contract.rejectionBody,
        response: { 200: contract.rejectionAnswer },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true, partition: "count" },
    },
    async (request, reply) => {
      let facilityCodes: readonly string[] = [];
      await answerWrite(context, request, reply, async (tx) => {
        const { reason, isRecounted = false } = request.body ?? {};
        const { countId } = request.params;
        const result = await rejectWaiting(tx, countId, { reason, isRecounted });
        if (!result.ok) return result;
        const { rejected, recount } = result.value;
        facilityCodes = recount ? [recount.facilityCode] : [];
        return answered({ count: recordOf(tx.clientId, rejected), recountId: recount?.countId ?? null });
      });
      context.onTasks(facilityCodes);
      return reply;
    },
  );
}

function recordOf(clientId: string, count: StockCount): contract.CountRecord {
  const { scope } = count;
  return {
    clientId,
    countId: count.countId,
    distributionCentre: count.facilityCode,
    status: count.status,
    cause: count.cause,
    sku: scope.sku ?? null,
    stockPool: scope.stockPool ?? null,
    batchRef: filled(scope.batchRef),
    expiryDate: filled(scope.expiryDate),
    condition: scope.condition,
    requestedAt: count.requestedAt,
    requestedBy: count.requestedBy,
    reportedAt: count.reportedAt ?? null,
    endedAt: count.endedAt ?? null,
    isBlind: count.isBlind,
    note: count.note ?? null,
    countedAt: count.countedAt ?? null,
    endedBy: count.endedBy ?? null,
    endReason: count.endReason ?? null,
    lines: count.lines.map(({ expected, counted, state, batchRef, expiryDate, ...line }) => ({
      lineNumber: line.lineNumber,
      sku: line.sku,
      uom: line.uom,
      condition: line.condition,
      stockPool: line.stockPool,
      batchRef: filled(batchRef),
      expiryDate: filled(expiryDate),
      expectedQty: quantityToNumber(expected),
      countedQty: counted === undefined ? null : quantityToNumber(counted),
      difference: counted === undefined ? null : quantityToNumber(counted - expected),
      state: state ?? null,
    })),
  };
}

/** A lot without a batch or an expiry date has a value in the store that stands for none. */
const filled = (value: string | null | undefined): string | null =>
  value === undefined || value === noBatch || value === noExpiry ? null : value;
