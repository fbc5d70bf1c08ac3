import type { OperatorContext } from "#/console-api/context.ts";
import { addFeedActionRoutes } from "#/console-api/feeds/action-routes.ts";
import type { DocumentFilter } from "#/console-api/feeds/conditions-repository.ts";
import {
  ackBytes,
  documentBytes,
  documentQuery,
  documentWindow,
  type FeedListQuery,
  feedCountMax,
  feedCounts,
  feedCountsQuery,
  feedCursors,
  feedListQuery,
  feedPage,
  feedRecord,
  timeline,
  tokenPath,
} from "#/console-api/feeds/contract.ts";
import { listDocuments } from "#/console-api/feeds/document/document-list.ts";
import { createDocumentShelf } from "#/console-api/feeds/document/document-shelf.ts";
import { clientsOfScope, feedNotFound, findRequestedFeed } from "#/console-api/feeds/document/requested-feed.ts";
import { createFeedReader } from "#/console-api/feeds/feed-record.ts";
import { countDocumentsOfAll, listFileNames } from "#/console-api/feeds/feeds.cross-client.ts";
import { findFeed } from "#/console-api/feeds/record-repository.ts";
import { readTimeline } from "#/console-api/feeds/timeline/timeline.ts";
import { addValidatorRoutes } from "#/console-api/feeds/validator/validator-routes.ts";
import { operatorOf, scopeOf } from "#/http/access/operator.ts";
import { createReadAudit } from "#/http/access/read-audit.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { readSearchedPage } from "#/http/requests/looked-through.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { readSentence } from "#/intake/feeds/fault-words.ts";
import { findDocumentWithPayload } from "#/intake/feeds/park/reprocess-repository.ts";
import { bytesOf } from "#/intake/feeds/payload.ts";
import { acceptedStates } from "#/intake/feeds/states.ts";
import { refused } from "#/kernel/result.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";

const defaults = { fromRow: 1, rowCount: 400 };

/** The feed log over all clients (contract feeds.md, lifecycle.md §6). */
export function addFeedLogRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, across } = context;
  const shelf = createDocumentShelf();
  service.addHook("onClose", () => shelf.close());
  const feedReader = createFeedReader(database, shelf);
  const auditRead = createReadAudit(context);

  service.get(
    "/feed/list",
    {
      schema: {
        operationId: "listFeeds",
        summary: "Received documents, by receipt",
        description:
          "With a facility: the documents of the clients of that facility. With a filter that has no index, such as a type, a request reads a bounded number of documents: a page may be short before the end; continue until `nextCursor` is null.",
        querystring: feedListQuery,
        response: { 200: feedPage },
      } as const,
    },
    async (request) => {
      const { query } = request;
      const { sort = "receivedAt" } = query;
      return readSearchedPage(query, {
        cursors: feedCursors[sort],
        search: async (after, limit) =>
          listDocuments(across, {
            clientIds: await clientsOfScope(context, scopeOf(request)),
            isNewestFirst: sort === "-receivedAt",
            limit,
            after: after?.t,
            filter: filterOf(query),
          }),
        positionOf: (t) => ({ t }),
        async itemsOf(rows) {
          const files = rows.filter(({ channel }) => channel === "SFTP");
          const named = files.length === 0 ? [] : await listFileNames(across, files);
          const nameOf = new Map(named.map(({ token, name }) => [token, name]));
          return rows.map(({ firstError, ...row }) => ({
            ...row,
            fileName: nameOf.get(row.token) ?? null,
            firstError: firstError === null ? null : readSentence(firstError, "error", row.type),
          }));
        },
      });
    },
  );

  service.get(
    "/feed/counts",
    {
      schema: {
        operationId: "countFeeds",
        summary: "Number of documents that need an operator",
        querystring: feedCountsQuery,
        response: { 200: feedCounts },
      } as const,
    },
    async (request) => {
      const clientIds = await clientsOfScope(context, scopeOf(request));
      const filter = filterOf({});
      const { receivedFrom } = request.query;
      const rejectedSince = receivedFrom === undefined ? filter : filterOf({ receivedFrom });
      const [rejected, parked, overdue, failed] = await Promise.all([
        countDocumentsOfAll(across, clientIds, rejectedSince, "REJECTED", feedCountMax),
        ...(["PARKED", "overdue", "FAILED"] as const).map((source) =>
          countDocumentsOfAll(across, clientIds, filter, source, feedCountMax),
        ),
      ]);
      return { rejected, parked: parked ?? 0, overdue: overdue ?? 0, failed: failed ?? 0 };
    },
  );

  service.get(
    "/feed/get/:token",
    {
      schema: {
        operationId: "getFeed",
        summary: "A document with all its errors and warnings, each with its place",
        params: tokenPath,
        response: { 200: feedRecord },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const target = await findRequestedFeed(context, request);
      if (!target.ok) return target;
      const record = await feedReader.readRecord(target.value.token, database.of(target.value.clientId));
      return record ?? refused(feedNotFound);
    },
  );

  service.get(
    "/feed/document/:token",
    {
      schema: {
        operationId: "readFeedDocument",
        summary: "Some rows of a document as received",
        description:
          "The content of a document is shown to operators only. A line that is too long for a screen is split into several rows, so that a document without line breaks is readable.",
        params: tokenPath,
        querystring: documentQuery,
        response: { 200: documentWindow },
      } as const,
      config: { ...answers(403, 404), role: "operator" as const },
    },
    async (request) => {
      const target = await findRequestedFeed(context, request);
      if (!target.ok) return target;
      const { clientId, token } = target.value;
      const { fromRow = defaults.fromRow, rowCount = defaults.rowCount } = request.query;
      const window = await feedReader.readWindow(clientId, token, fromRow, rowCount);
      if (!window) return refused(notKept);
      await auditRead(request, clientId, { objectType: "feedDocument", objectId: token });
      return { token, ...window };
    },
  );

  service.get(
    "/feed/bytes/:token",
    {
      schema: {
        operationId: "downloadFeedDocument",
        summary: "The bytes of a document as received",
        params: tokenPath,
        response: { 200: documentBytes },
      } as const,
      config: { ...answers(403, 404), role: "operator" as const },
    },
    async (request, reply) => {
      const target = await findRequestedFeed(context, request);
      if (!target.ok) return target;
      const { clientId, token } = target.value;
      const { payload, encoding } = (await findDocumentWithPayload(database.of(clientId), token)) ?? {};
      if (!payload || !encoding) return refused(notKept);
      await auditRead(request, clientId, { objectType: "feedDocument", objectId: token });
      return reply
        .headers(fileHeaders(`${token}.xml`))
        .type("application/xml")
        .send(bytesOf(payload, encoding));
    },
  );

  service.get(
    "/feed/ack/:token",
    {
      schema: {
        operationId: "getFeedAck",
        summary: "The bytes of the ACK of a document as sent",
        description: "For a reprocessed document: the newest.",
        params: tokenPath,
        response: { 200: ackBytes },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const target = await findRequestedFeed(context, request);
      if (!target.ok) return target;
      const feed = await findFeed(database.of(target.value.clientId), target.value.token);
      if (!feed) return refused(feedNotFound);
      return reply
        .headers(fileHeaders(`${feed.token}.ack.xml`))
        .type("application/xml; charset=utf-8")
        .send(feed.ack);
    },
  );

  service.get(
    "/feed/timeline/:token",
    {
      schema: {
        operationId: "getFeedTimeline",
        summary: "The history of a document, from its receipt to the messages that resulted from it",
        params: tokenPath,
        response: { 200: timeline },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const target = await findRequestedFeed(context, request);
      if (!target.ok) return target;
      const { clientId, token } = target.value;
      const view = database.of(clientId);
      const feed = await findFeed(view, token);
      if (!feed) return refused(feedNotFound);
      const events = await readTimeline(view, feed);
      // A brand does not learn who of the operator's people worked on its document.
      const isDeveloper = operatorOf(request).role === "developer";
      return { events: isDeveloper ? events.map((event) => ({ ...event, actor: null })) : events };
    },
  );

  addFeedActionRoutes(service, context, feedReader);
  addValidatorRoutes(service, context, feedReader, shelf);
}

const notKept = problem(
  "not-found",
  "The content of the document is not stored: it contained a card number, could not be read in time, or was erased with the personal data of its order.",
);

/** The browser saves the file and does not show it, so that it never runs its content. */
const fileHeaders = (name: string) => ({ "Content-Disposition": `attachment; filename="${name}"` });

/**
 * The longest time between the creation of the token, when a request begins, and the receipt, when its body is
 * complete.
 */
const bodyMsMax = minuteMs;

/** The filter of a list request. */
export function filterOf(query: FeedListQuery): DocumentFilter {
  const { outcome, receivedFrom, receivedTo } = query;
  // Each state once: the states that few documents have are read one by one.
  const state = query.state === undefined ? undefined : [...new Set(query.state)];
  const ofOutcome = outcome === "REJECTED" ? (["REJECTED", "PARKED"] as const) : acceptedStates;
  const states = outcome === undefined ? state : ofOutcome;
  const from = receivedFrom === undefined ? undefined : momentOf(receivedFrom);
  const to = receivedTo === undefined ? undefined : momentOf(receivedTo);
  const token = boundsOf(query.token);
  const later = from === undefined ? undefined : idBoundary(Date.parse(from) - bodyMsMax);
  const earlier = to === undefined ? undefined : idBoundary(Date.parse(to) + bodyMsMax);
  return {
    feedTypes: query.type,
    channels: query.channel,
    states: state === undefined ? states : states?.filter((candidate) => state.includes(candidate)),
    isOverdue: query.isOverdue === "1",
    errorCode: query.errorCode,
    objectPrefix: query.objectId,
    tokenFrom: [token?.from, later]
      .filter((candidate) => candidate !== undefined)
      .sort()
      .at(-1),
    tokenTo: [token?.to, earlier].filter((candidate) => candidate !== undefined).sort()[0],
    receivedFrom: from,
    receivedTo: to,
  };
}

const momentOf = (text: string) => readDateTime(text) ?? text;

/** The tokens with this prefix: a prefix of a token is a time range. */
function boundsOf(text: string | undefined): { readonly from: string; readonly to: string } | undefined {
  const digits = text
    ?.toLowerCase()
    .replace(/[^0-9a-f]/g, "")
    .slice(0, 32);
  if (digits === undefined) return undefined;
  const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { from: uuid(digits.padEnd(32, "0")), to: uuid(digits.padEnd(32, "f")) };
}
