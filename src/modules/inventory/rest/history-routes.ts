import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { pageLimitDefault, placeOf, readPage } from "#/http/requests/paging.ts";
import { changeOf, type ServiceContext } from "#/http/routes/operation.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { reconcileQuery, reconcileRequest, reconciliation } from "#/modules/inventory/reconciliation/contract.ts";
import { reconcile } from "#/modules/inventory/reconciliation/reconcile.ts";
import { faultOfFacility, pageOfFacility } from "#/modules/inventory/rest/asked-facility.ts";
import { quantitiesOfPools } from "#/modules/inventory/rest/compared-days.ts";
import {
  movementCursor,
  movementListQuery,
  movementPage,
  type SnapshotRowRecord,
  snapshotCursors,
  snapshotListQuery,
  snapshotPage,
  snapshotPath,
  snapshotQuery,
  snapshotRowCursor,
  snapshotRowPage,
} from "#/modules/inventory/rest/history-contract.ts";
import { listMidnights } from "#/modules/inventory/rest/history-repository.ts";
import { readMovements } from "#/modules/inventory/rest/movement-list.ts";
import { oldestKeptDate, type PastSku, readPastDay } from "#/modules/inventory/rest/past-day.ts";

export interface StockHistoryContext extends ServiceContext {
  /** The facilities that the client may use. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
  /** The stock pools that the client counts as available. */
  availablePoolsOf(clientId: string): Promise<"*" | readonly string[]>;
}

/**
 * The history part of the Inventory service: past stock, and the reconciliation of both sides (contract rest.md §3,
 * §4).
 */
export function addStockHistoryRoutes(service: HttpServer, context: StockHistoryContext): void {
  const { database, clock } = context;

  service.get(
    "/movement/list",
    {
      schema: {
        operationId: "listMovements",
        summary: "Entries of the stock ledger, as a change feed",
        description:
          "Pages by position: no entry appears before a position that was read. nextCursor is never null; sent later, it answers the entries since. Without cursor and sincePosition it begins with the first entry.",
        querystring: movementListQuery,
        response: { 200: movementPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { distributionCentre, sku, type, sincePosition = 0, cursor, limit = pageLimitDefault } = request.query;
      const place = placeOf(movementCursor, cursor);
      if (!place.ok) return place;
      const after = place.value;
      if (after && !(after.facility === distributionCentre && after.sku === sku && after.type === type)) {
        return refused(foreignCursor("facility and filters"));
      }
      const fault = await faultOfFacility(context, clientId, distributionCentre, "/query/distributionCentre");
      if (fault) return refused(problem("unprocessable", fault.message, { errors: [fault] }));
      return readMovements(database, clientId, {
        facilityCode: distributionCentre,
        sku,
        type,
        limit,
        after: after ?? { position: sincePosition, fromMs: 0 },
      });
    },
  );

  service.get(
    "/snapshot/list",
    {
      schema: {
        operationId: "listSnapshots",
        summary: "Snapshots of facilities' midnights, in the order in which they were taken",
        description:
          "Days without a snapshot are not listed; snapshot/get computes them from the ledger. Snapshots taken on request are not listed.",
        querystring: snapshotListQuery,
        response: { 200: snapshotPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const { query } = request;
      const { sort = "receivedAt", distributionCentre, from, to } = query;
      const clientId = clientIdOf(request);
      const oldest = oldestKeptDate(clock.now());
      const first = from !== undefined && from > oldest ? from : oldest;
      const page = await readPage(query, {
        cursors: snapshotCursors[sort],
        read: (after, limit) =>
          listMidnights(database.of(clientId), {
            facilityCode: distributionCentre,
            from: first,
            to,
            isNewestFirst: sort === "-receivedAt",
            after,
            // In every time zone a day ends some hours after it began in UTC, and its snapshot is taken then or later.
            oldestId: idBoundary(Date.parse(first)),
            limit,
          }),
        placeOf: ({ snapshotId }) => snapshotId,
      });
      return pageOfFacility(context, clientId, query, "distributionCentre", page);
    },
  );

  service.get(
    "/snapshot/get/:date",
    {
      schema: {
        operationId: "getSnapshot",
        summary: "Stock at the midnight that ended a day in a facility",
        description:
          "Any ended day of the last 400. A product that is not listed had no stock. Without a snapshot, the rows are computed from the ledger, and quantities that it does not record are null.",
        params: snapshotPath,
        querystring: snapshotQuery,
        response: { 200: snapshotRowPage },
      } as const,
      config: answers(404, 422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { date } = request.params;
      const { distributionCentre, cursor, limit = pageLimitDefault } = request.query;
      const place = placeOf(snapshotRowCursor, cursor);
      if (!place.ok) return place;
      if (place.value && !(place.value.facility === distributionCentre && place.value.date === date)) {
        return refused(foreignCursor("facility and day"));
      }
      const fault = await faultOfFacility(context, clientId, distributionCentre, "/query/distributionCentre");
      if (fault) return refused(problem("unprocessable", fault.message, { errors: [fault] }));
      const query = { facilityCode: distributionCentre, date, after: place.value?.sku ?? "", limit };
      const found = await readPastDay(database, changeOf(context, request), clientId, query);
      if (!found.ok) return found;
      const { end, skus, nextAfter } = found.value;
      const availablePools = await context.availablePoolsOf(clientId);
      return {
        date,
        distributionCentre,
        asOf: end.asOf,
        position: end.position,
        takenAt: end.snapshot?.takenAt ?? null,
        items: skus.map((sku) => ({ date, distributionCentre, ...rowOf(sku, availablePools) })),
        nextCursor:
          nextAfter === undefined
            ? null
            : snapshotRowCursor.encode({ facility: distributionCentre, date, sku: nextAfter }),
      };
    },
  );

  service.post(
    "/reconcile",
    {
      schema: {
        operationId: "reconcile",
        summary: "Compare the client's counts with the ledger",
        description:
          "Changes no stock. Where count and ledger are equal, this is stored as the last agreement about the product; where they differ, the entries since the last agreement are answered.",
        querystring: reconcileQuery,
        headers: createHeaders,
        body: reconcileRequest,
        response: { 200: reconciliation },
      } as const,
      config: { ...answers(409, 422), answerMsMax: longAnswerMsMax },
    },
    async (request, reply) => {
      const { distributionCentre } = request.body;
      const facility = await faultOfFacility(context, clientIdOf(request), distributionCentre, "#/distributionCentre");
      return answerWrite(context, request, reply, async (tx) => {
        const outcome = await reconcile(tx, request.body, facility);
        return outcome.ok ? answered(outcome.value) : outcome;
      });
    },
  );
}

const foreignCursor = (what: string) =>
  invalidRequest([{ pointer: "/query/cursor", message: `is not a nextCursor of this list with this ${what}` }]);

function rowOf(
  { sku, uom, pools, open }: PastSku,
  availablePools: "*" | readonly string[],
): Omit<SnapshotRowRecord, "date" | "distributionCentre"> {
  return {
    sku,
    ...quantitiesOfPools(pools, availablePools),
    expected: open ? quantityToNumber(open.expected) : null,
    inReturn: open ? quantityToNumber(open.inReturn) : null,
    backordered: open ? quantityToNumber(open.backordered) : null,
    uom,
    stockPools: pools.map((pool) => ({
      stockPool: pool.stockPool,
      onHand: quantityToNumber(pool.onHand),
      available: quantityToNumber(pool.available),
    })),
  };
}
