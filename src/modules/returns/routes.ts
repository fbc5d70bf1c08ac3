import type { ClientTx, Database } from "#/db/database.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { answered, answerWrite, changeHeaders } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { pageLimitDefault, placeOf, type ReceiptPlace } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import { refused } from "#/kernel/result.ts";
import { type FacilityContext, refusalOfEmptyList } from "#/modules/inventory/index.ts";
import { matchReferences } from "#/modules/orders/index.ts";
import { cancelReturn, closeReturn } from "#/modules/returns/reports/end-returns.ts";
import {
  type RmaListQuery,
  type RmaRecord,
  rma,
  rmaCancel,
  rmaClose,
  rmaCursors,
  rmaListQuery,
  rmaPage,
  rmaPath,
  rmaQuery,
} from "#/modules/returns/rest-contract.ts";
import { rmaRecord } from "#/modules/returns/rest-record.ts";
import * as repository from "#/modules/returns/rest-repository.ts";

/** A return has at most 1 000 lines (contract feeds.md §2); its goods have hardly more than one grade for each unit. */
const rowsOfOneMax = 100_000;
/** A page ends early at this number of rows: 500 returns of 1 000 lines would be an answer of some 200 MB. */
const pageRowsMax = 20_000;

/** Routes for returns in the Order service (contract rest.md §3). */
export function addReturnRoutes(service: HttpServer, context: ServiceContext & FacilityContext): void {
  const { database } = context;

  service.get(
    "/rma/get/:rmaNumber",
    {
      schema: {
        operationId: "getRma",
        summary: "One return with its lines and the grades of the goods",
        params: rmaPath,
        querystring: rmaQuery,
        response: { 200: rma },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { rmaNumber } = request.params;
      const found = await readSnapshot(database, (tx) => findRecord(tx.of(clientIdOf(request)), rmaNumber));
      if (!found) return refused(problem("not-found", "The client has no return of this rmaNumber."));
      return reply.header("ETag", entityTag(found.version)).send(found);
    },
  );

  service.get(
    "/rma/list",
    {
      schema: {
        operationId: "listRmas",
        summary: "Returns by receipt, oldest first unless sorted the other way",
        querystring: rmaListQuery,
        response: { 200: rmaPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const { query } = request;
      const after = placeOf(rmaCursors[query.sort ?? "receivedAt"], query.cursor);
      if (!after.ok) return after;
      const clientId = clientIdOf(request);
      const page = await listRecords(database, clientId, query, after.value);
      const refusal = await refusalOfEmptyList(context, clientId, query, "distributionCentre", page.items);
      return refusal ? refused(refusal) : page;
    },
  );

  service.post(
    "/rma/cancel/:rmaNumber",
    {
      schema: {
        operationId: "cancelRma",
        summary: "Cancel a return without received goods",
        description: "Possible while it is AUTHORISED. A return with received goods is closed instead; 409 here.",
        params: rmaPath,
        querystring: rmaQuery,
        headers: changeHeaders,
        body: rmaCancel,
        response: { 200: rma },
      } as const,
      config: { ...answers(404, 409, 412), isBodyOptional: true },
    },
    async (request, reply) => {
      const { rmaNumber } = request.params;
      const key = { rmaNumber, ifMatch: request.headers["if-match"], reason: request.body.reason };
      return answerWrite(context, request, reply, async (tx) => {
        const cancelled = await cancelReturn(tx, key);
        if (!cancelled.ok) return cancelled;
        const record = await findRecord(tx, rmaNumber);
        assert(record, "a return was cancelled and does not exist");
        return answered(record, { headers: { ETag: entityTag(record.version) }, events: cancelled.value });
      });
    },
  );

  service.post(
    "/rma/close/:rmaNumber",
    {
      schema: {
        operationId: "closeRma",
        summary: "Close a return in receipt: nothing more is expected",
        description:
          "Possible while it is RECEIVING or RECEIVED. Lines that lack goods are SHORT, and the quantity in return is reduced. The warehouse reports goods that still arrive without the number, as a blind return.",
        params: rmaPath,
        querystring: rmaQuery,
        headers: changeHeaders,
        body: rmaClose,
        response: { 200: rma },
      } as const,
      config: { ...answers(404, 409, 412), isBodyOptional: true },
    },
    async (request, reply) => {
      const { rmaNumber } = request.params;
      const key = { rmaNumber, ifMatch: request.headers["if-match"], reason: request.body.reason };
      return answerWrite(context, request, reply, async (tx) => {
        const ended = await closeReturn(tx, key);
        if (!ended.ok) return ended;
        const record = await findRecord(tx, rmaNumber);
        assert(record, "a return was closed and does not exist");
        return answered(record, { headers: { ETag: entityTag(record.version) }, events: ended.value });
      });
    },
  );
}

/** The record of a return with its lines and grades. */
export async function findRecord(tx: ClientTx, rmaNumber: string): Promise<RmaRecord | undefined> {
  const [row, lines, dispositions] = await Promise.all([
    repository.findRma(tx, rmaNumber),
    repository.listRmaLines(tx, [rmaNumber], rowsOfOneMax),
    repository.listRmaDispositions(tx, [rmaNumber], rowsOfOneMax),
  ]);
  return row && rmaRecord(tx.clientId, row, { lines, dispositions });
}

interface RmaPage {
  readonly items: RmaRecord[];
  readonly nextCursor: string | null;
}

function listRecords(
  database: Database,
  clientId: string,
  query: RmaListQuery,
  after: ReceiptPlace | undefined,
): Promise<RmaPage> {
  const { sort = "receivedAt", limit = pageLimitDefault, orderReference } = query;
  return readSnapshot(database, async (tx) => {
    const view = tx.of(clientId);
    const orderIds = await ordersOf(view, orderReference);
    const filter = {
      status: query.status,
      distributionCentre: query.distributionCentre,
      orderIds,
      receivedFrom: momentOf(query.receivedFrom),
      receivedTo: momentOf(query.receivedTo),
      updatedSince: momentOf(query.updatedSince),
    };
    // One row more than requested shows whether there is a next page.
    const rows = await repository.listRmas(view, { filter, sort, after, limit: limit + 1 });
    const pageRows = rows.slice(0, limit);
    const rmaNumbers = pageRows.map(({ rma_number }) => rma_number);
    const [lines, dispositions] =
      rmaNumbers.length === 0
        ? [[], []]
        : await Promise.all([
            repository.listRmaLines(view, rmaNumbers, pageRowsMax + 1),
            repository.listRmaDispositions(view, rmaNumbers, rowsOfOneMax),
          ]);
    const whole = Math.min(
      wholeOf(rmaNumbers, lines, pageRowsMax),
      wholeOf(rmaNumbers, dispositions, rowsOfOneMax - 1),
    );
    const page = pageRows.slice(0, whole);
    const last = page.at(-1);
    const linesOf = Map.groupBy(lines, ({ rma_number }) => rma_number);
    const dispositionsOf = Map.groupBy(dispositions, ({ rma_number }) => rma_number);
    return {
      items: page.map((row) =>
        rmaRecord(clientId, row, {
          lines: linesOf.get(row.rma_number) ?? [],
          dispositions: dispositionsOf.get(row.rma_number) ?? [],
        }),
      ),
      nextCursor:
        last && page.length < rows.length
          ? rmaCursors[sort].encode({ us: last.received_us, id: last.rma_number })
          : null,
    };
  });
}

/** The orders with this reference. An order with this orderId takes precedence, as it does for an RMA (feeds.md §3). */
async function ordersOf(tx: ClientTx, reference: string | undefined): Promise<string[] | undefined> {
  if (reference === undefined) return undefined;
  const matches = await matchReferences(tx, [reference]);
  const orderIds = matches.map(({ order_id }) => order_id);
  return orderIds.includes(reference) ? [reference] : orderIds;
}

/**
 * Rows come return by return, at most `max` plus one. The incomplete return and all returns after it go to the next
 * page. The page has at least one return, otherwise no page would ever get past it.
 */
function wholeOf(rmaNumbers: readonly string[], rows: readonly { readonly rma_number: string }[], max: number): number {
  const cut = rows.length > max ? rows.at(-1)?.rma_number : undefined;
  return cut === undefined ? rmaNumbers.length : Math.max(1, rmaNumbers.indexOf(cut));
}

/** The schema has validated the text; the result is in UTC, the format of the store. */
function momentOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDateTime(text);
}
