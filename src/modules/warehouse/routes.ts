import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type BearerHooks, callerOf } from "#/http/access/bearer.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import { registerService } from "#/http/routes/service.ts";
import { answerMsMaxDefault, exchangeOf, putOffDeadline } from "#/http/server/exchange.ts";
import type { HttpServer, PolledRoute } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import { withDeadline } from "#/kernel/concurrency/deadline.ts";
import type { TrackingSecrets } from "#/kernel/config/parsers.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { PrintContext } from "#/modules/documents/index.ts";
import { addWarehouseDocumentRoutes } from "#/modules/warehouse/document-routes.ts";
import { addWarehouseObjectRoutes } from "#/modules/warehouse/objects/object-routes.ts";
import { addPrintRoutes } from "#/modules/warehouse/print-routes.ts";
import { createReportKinds, type ReportTerms } from "#/modules/warehouse/reports/report-kinds.ts";
import { registerReport } from "#/modules/warehouse/reports/report-routes.ts";
import { createReportHandler, type ReportContext } from "#/modules/warehouse/reports/report-service.ts";
import { readItemFeed, readTaskFeed } from "#/modules/warehouse/tasks/change-feeds.ts";
import * as contract from "#/modules/warehouse/tasks/list-contract.ts";
import { itemRecord, taskRecord } from "#/modules/warehouse/tasks/list-record.ts";
import { readPickFacts } from "#/modules/warehouse/tasks/pick-shipment.ts";
import { acceptTasks } from "#/modules/warehouse/tasks/task-acceptance.ts";
import { readWithin, type TaskWatch } from "#/modules/warehouse/tasks/task-watch.ts";
import { registerTrackingRoutes } from "#/modules/warehouse/tracking/tracking-routes.ts";
import { listClientsOfFacility } from "#/modules/warehouse/warehouse.cross-client.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";
import { facilityTenant } from "#/store/db/facility-tenant.ts";
import type { AskHold } from "#/store/db/store/restore-hold.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

export interface WarehouseRoutesContext extends ReportContext, ReportTerms, PrintContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Has the audience `warehouse`; `carrierRoutes` are open to carriers. */
  readonly bearer: BearerHooks;
  /** After a restore no tasks are listed until they are released. */
  readonly isHeld?: AskHold;
  /** Wakes the lists that wait for tasks. */
  readonly taskWatch: TaskWatch;
  readonly trackingSecrets: TrackingSecrets;
  /** Adds the webhooks of facilities; in these routes `clientIdOf` a request is the tenant of the facility. */
  addWebhooks(service: HttpServer): void;
}

const prefix = "/v1/warehouseService";

/** Operations that are also open to carriers' own credentials. */
export const carrierRoutes: readonly string[] = [`${prefix}/carrierEvent/report`];

/** The warehouse and carrier port (warehouse.md). */
export function registerWarehouseRoutes(app: HttpServer, context: WarehouseRoutesContext): void {
  const { database, clock, ids } = context;
  const handleReport = createReportHandler(context);
  const writer = createOutboxWriter(ids, context);
  registerTrackingRoutes(app, { database, clock, handleReport, secrets: context.trackingSecrets });
  const routes = (service: HttpServer) => {
    service.get(
      "/task/list",
      {
        config: { isPolled: true, waits: true } satisfies PolledRoute,
        schema: {
          operationId: "listTasks",
          summary: "Work released to the facility, as a change feed",
          querystring: contract.taskQuery,
          response: { 200: contract.taskFeed },
        } as const,
      },
      async (request, reply) => {
        const { type, cursor, limit = pageLimitDefault, wait = 0 } = request.query;
        const found = placeOf(contract.taskCursor, cursor);
        if (!found.ok) return found;
        const facilityCode = facilityOf(request);
        const read = async (after: number) =>
          // The cursor does not move: a waiting reader continues from there.
          context.isHeld?.("TASKS")
            ? { rows: [], nextPosition: after }
            : readTaskFeed({ database, nowMs: clock.now() }, facilityCode, { type, after, limit });
        const { rows, nextPosition } = await readWithin<Awaited<ReturnType<typeof read>>>(
          (last) => readInTime(() => read(last?.nextPosition ?? found.value?.p ?? 0)),
          { watch: context.taskWatch, facilityCode, ...waitOf(request, reply, wait) },
        );
        const facts = await readInTime(() => readPickFacts(database, context.carriers.sets, facilityCode, rows));
        return {
          items: rows.map((row) => taskRecord(row, facts)),
          nextCursor: contract.taskCursor.encode({ p: nextPosition }),
        };
      },
    );

    service.post(
      "/task/accept",
      {
        schema: {
          operationId: "acceptTasks",
          summary: "The warehouse has taken these tasks; a first pick implies it",
          body: contract.acceptBody,
          response: { 200: contract.acceptAnswer },
        } as const,
      },
      async (request) => {
        const facilityCode = facilityOf(request);
        const change: Change = {
          actor: `warehouse:${facilityCode}`,
          origin: request.ip,
          at: new Date(clock.now()).toISOString(),
          ids,
        };
        const results = await acceptTasks(database, writer, change, facilityCode, request.body.taskIds);
        return { results };
      },
    );

    service.get(
      "/item/list",
      {
        config: { isPolled: true } satisfies PolledRoute,
        schema: {
          operationId: "listItems",
          summary: "Items of all clients of the facility, as a change feed",
          querystring: contract.itemQuery,
          response: { 200: contract.itemFeed },
        } as const,
      },
      async (request) => {
        const { cursor, limit = pageLimitDefault } = request.query;
        const facilityCode = facilityOf(request);
        const found = placeOf(contract.itemCursor, cursor);
        if (!found.ok) return found;
        const place = found.value ?? { p: 0, c: "" };
        const clients = hashOf(await listClientsOfFacility(database, facilityCode));
        // A new client of the facility brings items with positions before the reader's: the list starts again.
        const after = place.c === clients ? place.p : 0;
        const { rows, nextPosition } = await readItemFeed({ database, nowMs: clock.now() }, facilityCode, {
          after,
          limit,
        });
        return {
          items: rows.map(itemRecord),
          nextCursor: contract.itemCursor.encode({ p: nextPosition, c: clients }),
        };
      },
    );

    addWarehouseObjectRoutes(service, {
      database,
      clock,
      isHeld: context.isHeld,
      facilityOf,
      carrierSets: context.carriers.sets,
      availablePoolsOf: async (clientId) => (await context.findClient(clientId))?.settings.availablePools ?? "*",
    });
    addWarehouseDocumentRoutes(service, { ...context, facilityOf });
    addPrintRoutes(service, { ...context, facilityOf });
    service.register(async (scope) => {
      scope.addHook("preValidation", async (request) => {
        if (!request.is404) exchangeOf(request).clientId = facilityTenant(facilityOf(request));
      });
      context.addWebhooks(scope as unknown as HttpServer);
    });
    for (const kind of createReportKinds(context)) registerReport(service, kind, { database, handleReport });
  };
  registerService(app, prefix, context.bearer, routes, {
    name: "warehouse",
    title: "Warehouse and carrier port",
    audience: "warehouse",
    description:
      "Warehouses report to the platform through this port: they read tasks from change feeds, report every step, and fetch the papers that packing creates. Credentials are bound to one facility; those of a carrier can only report its events.",
  });
}

function facilityOf(request: FastifyRequest): string {
  const { facilityCode } = callerOf(request);
  assert(facilityCode, "the route is not behind the hooks of the warehouse port");
  return facilityCode;
}

/** The wait of a request: it puts off the deadline of its answer, and ends when the sender disconnects. */
function waitOf(request: FastifyRequest, reply: FastifyReply, seconds: number) {
  const waitMs = seconds * 1_000;
  const left = new AbortController();
  if (waitMs > 0) {
    putOffDeadline(request, waitMs + answerMsMaxDefault);
    reply.raw.once("close", () => left.abort());
  }
  const onWaited = (ms: number) => {
    exchangeOf(request).waitedMs += ms;
  };
  return { waitMs, signal: left.signal, onWaited };
}

/** A read has the time of a request that does not wait: a slow store must not keep its connection for longer. */
function readInTime<T>(read: () => Promise<T>): Promise<T> {
  return withDeadline({ atMs: performance.now() + answerMsMaxDefault }, read);
}

function hashOf(names: readonly string[]): string {
  return createHash("sha256").update(names.join()).digest("base64url").slice(0, 12);
}
