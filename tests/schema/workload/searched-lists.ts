// Pages of the console's lists with each of their filters, as their routes read them.
//
// Where no index serves a filter, the list is searched in steps (`src/http/requests/looked-through.ts`). The end of each
// step depends on the stored rows, so cost.test.ts reads the pages again from a large base.
import { fastify, type InjectOptions } from "fastify";
import { addAuditRoutes } from "#/console-api/audit/routes.ts";
import { addCarrierDataRoutes } from "#/console-api/carriers/routes.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { addFeedLogRoutes } from "#/console-api/feeds/routes.ts";
import { addInboundRoutes } from "#/console-api/inbound/routes.ts";
import { addManifestRoutes } from "#/console-api/labels/manifest-routes.ts";
import { addLabelRoutes } from "#/console-api/labels/routes.ts";
import { addDocumentRoutes } from "#/console-api/outbound/document-routes.ts";
import { addMailRoutes } from "#/console-api/outbound/mail-routes.ts";
import { addProposalRoutes } from "#/console-api/proposals/routes.ts";
import { addRequestRoutes } from "#/console-api/requests/routes.ts";
import { addCountRoutes } from "#/console-api/stock/count-routes.ts";
import { addStockListRoutes } from "#/console-api/stock/routes.ts";
import { lookedAtOnce } from "#/http/requests/looked-through.ts";
import { openExchange } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { views } from "#/store/db/client-view.ts";
import type { Database } from "#/store/db/database.ts";
import type { Statement } from "#/store/db/sql.ts";

interface Reading {
  readonly clientId: string;
  /** The number of rows of one step. */
  readonly searchedAtOnce: number;
  /** Called with the path and the query of each page that was read. */
  readonly onPage?: (request: string) => void;
}

type Query = Readonly<Record<string, string>>;

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

/** Each query in the sort of the list, and in another one. */
const withSorts = (queries: readonly Query[], sort = "-receivedAt") =>
  queries.flatMap((query) => [query, { ...query, sort }]);
const moment = "2026-01-02T03:04:05Z";

/** The filters of each list. */
const lists: Readonly<Record<string, readonly Query[]>> = {
  "/mail/list": withSorts([{}, { status: "KEPT" }, { status: "SENT" }], "createdAt"),
  "/audit/list": withSorts(
    [
      {},
      { actor: "seed" },
      { action: "create" },
      { objectType: "order" },
      { objectId: "WEB-100045" },
      { from: moment, to: moment },
    ],
    "at",
  ),
  "/outbound/list": withSorts(
    [
      {},
      { type: "OS" },
      { objectId: "WEB-100045" },
      { waiting: "any" },
      { waiting: "any", type: "OS" },
      { waiting: "any", objectId: "WEB-100045" },
    ],
    "createdAt",
  ),
  "/stock/list": [
    {},
    { isOnHold: "1" },
    { isUnavailable: "1" },
    { isUnsellable: "1" },
    { expiresWithinDays: "30" },
    { isOnHold: "1", isUnavailable: "1", isUnsellable: "1", expiresWithinDays: "30", text: "S" },
  ],
  "/count/list": [{}, { status: "WAITING" }, { status: "COUNTED" }],
  "/purchaseOrder/list": withSorts([{}, { status: "OPEN" }, { status: "CLOSED" }]),
  "/return/list": withSorts([{}, { status: "RECEIVING" }, { status: "CLOSED" }]),
  "/workOrder/list": withSorts([{}, { status: "RELEASED" }, { status: "COMPLETED" }]),
  "/transfer/list": withSorts([{}, { status: "SHIPPED" }, { status: "CLOSED" }]),
  "/labelManifest/list": [{}, { status: "FAILED" }, { sourceCode: "SOURCE" }],
  "/unidentifiedReceipt/list": withSorts([{}, { status: "WAITING" }, { status: "BOUND" }]),
  "/labelPurchase/list": [{}, { status: "FAILED" }, { sourceCode: "SOURCE" }],
  "/proposal/list": [{}, { status: "PENDING" }, { status: "EXPIRED" }],
  "/feed/list": withSorts([
    {},
    { type: "NO", channel: "HTTP" },
    ...["REJECTED", "PARKED", "ACCEPTED", "FAILED", "PROCESSED"].map((state) => ({ state })),
    { isOverdue: "1" },
    { errorCode: "UNKNOWN_SKU" },
    { objectId: "WEB-" },
    { token: "0" },
    { receivedFrom: moment, receivedTo: moment },
  ]),
};

/** Reads the first page of every list with every filter, over all clients and limited to some of them. */
export async function readSearchedLists(
  database: Database,
  { clientId, searchedAtOnce, onPage = () => {} }: Reading,
): Promise<void> {
  const across = inSmallSteps(database, searchedAtOnce);
  const service = fastify();
  // As the server's does: numbers, and lists of the parameters that may be repeated.
  service.setValidatorCompiler<QuerySchema>(({ schema }) => (data) => {
    const typedEntry = ([name, value]: [string, string]) => {
      const type = schema.properties?.[name]?.type;
      return [name, type === "array" ? [value].flat() : type === "integer" ? Number(value) : value];
    };
    return { value: Object.fromEntries(Object.entries(data as Query).map(typedEntry)) };
  });
  service.setSerializerCompiler(() => JSON.stringify);
  let limits: Limits = { clientIds: null, facilityCodes: null };
  service.addHook("onRequest", async ({ raw, query }) => {
    const exchange = openExchange(raw, "token");
    exchange.clientId = (query as Query).clientId;
    exchange.operator = {
      userName: "anna",
      role: "admin",
      ...limits,
      step: "DONE",
      authenticatedAt: new Date().toISOString(),
    };
  });
  const context = { database: across, across, clock: systemClock, ids: createIds() } as unknown as OperatorContext;
  for (const add of [
    addMailRoutes,
    addAuditRoutes,
    addDocumentRoutes,
    addInboundRoutes,
    addFeedLogRoutes,
    addCarrierDataRoutes,
    addCountRoutes,
    addStockListRoutes,
    addRequestRoutes,
    addLabelRoutes,
    addManifestRoutes,
    addProposalRoutes,
  ]) {
    add(service as unknown as HttpServer, context);
  }
  const read = async (path: string, query: Query): Promise<string | null> => {
    const request: InjectOptions = { method: "GET", url: path, query };
    const answer = await service.inject(request);
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
    const text = `${path}?${new URLSearchParams(query)}`;
    const { nextCursor } = answer.json<{ nextCursor: string | null }>();
    onPage(limits.clientIds ? `${text} of ${limits.clientIds.length} clients` : text);
    return nextCursor;
  };
  try {
    const some = [clientId, ...Array.from({ length: 30 }, (_, i) => `C${String(i + 1).padStart(4, "0")}`)];
    for (const [path, queries] of Object.entries(lists)) {
      for (const query of queries) {
        for (const scope of [
          {},
          { clientId },
          { distributionCentre: "DC1" },
          { clientId, distributionCentre: "DC1" },
        ]) {
          await read(path, { ...query, ...scope });
        }
        limits = { clientIds: some, facilityCodes: null };
        await read(path, query);
        limits = { clientIds: null, facilityCodes: null };
        if (path !== "/feed/list") continue;
        // The text of a statement for a following page is different.
        const { sort = "receivedAt" } = query;
        const cursor = await read(path, { sort, limit: "1" });
        if (cursor === null) throw new Error("the feed log has fewer than two documents");
        for (const scope of [{}, { clientId }]) await read(path, { ...query, ...scope, sort, cursor });
      }
    }
    for (const query of [{}, { orderId: "WEB-100045" }, { distributionCentre: "DC1" }]) {
      await read("/carrierDecision/list", { clientId, ...query });
    }
    for (const result of [undefined, "failed", "4xx"]) {
      for (const more of [{}, { method: "GET" }, { path: "/order/" }, { method: "GET", path: "/order/" }]) {
        await read("/request/list", { clientId, ...more, ...(result === undefined ? {} : { result }) });
      }
    }
  } finally {
    await service.close();
  }
}

interface Limits {
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
}

/** Shortens each step of a search. */
function inSmallSteps(database: Database, searchedAtOnce: number): Database {
  const shortened = (statement: Statement): Statement =>
    endsStep(statement)
      ? {
          ...statement,
          values: statement.values.map((value) => (value === lookedAtOnce - 1 ? searchedAtOnce - 1 : value)),
        }
      : statement;
  return {
    ...database,
    query: (statement) => database.query(shortened(statement)),
    reads: { ...views, query: (statement) => database.reads.query(shortened(statement)) },
  };
}

/** Whether the statement finds the end of a step. */
export const endsStep = ({ text }: Statement): boolean => /limit 1 offset \$\d+\s*$/.test(text);
