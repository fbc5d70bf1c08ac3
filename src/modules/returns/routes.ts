import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { answered, answerWrite, changeHeaders } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { readPage, wholeRows } from "#/http/requests/paging.ts";
import { withNulls } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { addJsonFeed, type JsonIntakeContext } from "#/intake/json/routes.ts";
import { assert } from "#/kernel/assert.ts";
import { refused } from "#/kernel/result.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { defaultPool, type FacilityContext, noBatch, noExpiry, pageOfFacility } from "#/modules/inventory/index.ts";
import { matchReferences } from "#/modules/orders/index.ts";
import { rmaCreation } from "#/modules/returns/creation.ts";
import { cancelReturn, closeReturn } from "#/modules/returns/reports/end-returns.ts";
import { type GradedRow, gradedQuantityOf } from "#/modules/returns/reports/grading-repository.ts";
import { recordsOf } from "#/modules/returns/reports/return-events.ts";
import {
  type RmaListQuery,
  type RmaRecord,
  rmaCancel,
  rmaClose,
  rmaCursors,
  rmaDetail,
  rmaDisposition,
  rmaLine,
  rmaListQuery,
  rmaPage,
  rmaPath,
  rmaQuery,
} from "#/modules/returns/rest-contract.ts";
import type { StoredLine } from "#/modules/returns/rest-repository.ts";
import * as repository from "#/modules/returns/rest-repository.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/**
 * The lines of a return: the fields of the feed, with the line data of its events.
 *
 * @param lines by line number.
 * @param graded in order of receipt.
 */
function rmaLinesOf(lines: readonly StoredLine[], graded: readonly GradedRow[]): RmaRecord["lines"] {
  const expected = lines.map(({ lineNumber, sku, qtyExpected, qtyReceived, discrepancy }) => ({
    lineNumber,
    sku,
    expected: quantityOf(qtyExpected),
    received: quantityOf(qtyReceived),
    discrepancy,
  }));
  const stored = new Map<number | undefined, StoredLine>(lines.map((line) => [line.lineNumber, line]));
  return recordsOf(expected, graded.map(gradedQuantityOf)).map(({ expected, received, ...record }) =>
    withNulls(rmaLine, {
      ...stored.get(record.lineNumber),
      ...record,
      qtyExpected: quantityToNumber(expected),
      qtyReceived: quantityToNumber(received),
      dispositions: record.dispositions.map((goods) =>
        withNulls(rmaDisposition, { stockPool: defaultPool, ...goods, serials: [...(goods.serials ?? [])] }),
      ),
    }),
  );
}

/** Goods that came back, the newest first. @param graded in order of receipt. */
function rmaReceiptsOf(graded: readonly repository.ReceivedRow[]): RmaRecord["receipts"] {
  const reports = Map.groupBy(graded, ({ bookedAt, distributionCentre }) => `${bookedAt} ${distributionCentre}`);
  return [...reports.values()].reverse().map((rows) => {
    const { bookedAt, distributionCentre } = rows[0] as repository.ReceivedRow;
    const entries = rows.map(({ qty, batchRef, expiryDate, ...row }) => ({
      ...row,
      qty: quantityToNumber(qty),
      batchRef: batchRef === noBatch ? null : batchRef,
      expiryDate: expiryDate === noExpiry ? null : expiryDate,
      serials: [...row.serials],
    }));
    return { bookedAt, distributionCentre, entries };
  });
}

/** A return has at most 1 000 lines (contract feeds.md §2); its goods have hardly more than one grade for each unit. */
const rowsOfOneMax = 100_000;
/** A page ends early at this number of rows: 500 returns of 1 000 lines would be an answer of some 200 MB. */
const pageRowsMax = 20_000;

/** Routes for returns in the Order service (contract rest.md §3). */
export function addReturnRoutes(service: HttpServer, context: JsonIntakeContext & FacilityContext): void {
  const { database } = context;

  addJsonFeed(service, context, {
    ...rmaCreation,
    async read(tx, { rmaNumber }) {
      const record = await findRecord(tx, rmaNumber as string);
      assert(record, `return ${rmaNumber} was created and does not exist`);
      return { record, version: record.version, path: `/rma/get/${encodeURIComponent(record.rmaNumber)}` };
    },
    template: {
      path: "/rma/template/:rmaNumber",
      operationId: "getRmaTemplate",
      params: rmaPath,
      what: "return",
      async find(tx, { rmaNumber }) {
        const record = await findRecord(tx, rmaNumber as string);
        // Goods that came back without an authorisation are not a part of one.
        return record && { ...record, lines: record.lines.filter(({ lineNumber }) => lineNumber !== null) };
      },
    },
  });

  service.get(
    "/rma/get/:rmaNumber",
    {
      schema: {
        operationId: "getRma",
        summary: "One return with its lines, the grades of the goods, and what came report by report",
        params: rmaPath,
        querystring: rmaQuery,
        response: { 200: rmaDetail },
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
      const clientId = clientIdOf(request);
      const page = await readSnapshot(database, (tx) => listRecords(tx.of(clientId), query));
      return pageOfFacility(context, clientId, query, "distributionCentre", page);
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
        response: { 200: rmaDetail },
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
        response: { 200: rmaDetail },
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
  return (
    row && {
      ...row,
      clientId: tx.clientId,
      lines: rmaLinesOf(lines, dispositions),
      receipts: rmaReceiptsOf(dispositions),
    }
  );
}

async function listRecords(tx: ClientTx, query: RmaListQuery) {
  const { sort = "receivedAt", status, distributionCentre, orderReference } = query;
  const filter = {
    status,
    distributionCentre,
    orderIds: await ordersOf(tx, orderReference),
    receivedFrom: query.receivedFrom && readDateTime(query.receivedFrom),
    receivedTo: query.receivedTo && readDateTime(query.receivedTo),
    updatedSince: query.updatedSince && readDateTime(query.updatedSince),
  };
  return readPage(query, {
    cursors: rmaCursors[sort],
    read: (after, limit) => repository.listRmas(tx, { filter, sort, after, limit }),
    placeOf: ({ receivedUs, rmaNumber }) => ({ us: receivedUs, id: rmaNumber }),
    async itemsOf(rows) {
      if (rows.length === 0) return [];
      const rmaNumbers = rows.map(({ rmaNumber }) => rmaNumber);
      const [lines, dispositions] = await Promise.all([
        repository.listRmaLines(tx, rmaNumbers, pageRowsMax + 1),
        repository.listRmaDispositions(tx, rmaNumbers, rowsOfOneMax),
      ]);
      const linesOf = Map.groupBy(lines, ({ rmaNumber }) => rmaNumber);
      const dispositionsOf = Map.groupBy(dispositions, ({ rmaNumber }) => rmaNumber);
      const complete = wholeRows(rows, lines, { key: "rmaNumber", max: pageRowsMax });
      return wholeRows(complete, dispositions, { key: "rmaNumber", max: rowsOfOneMax - 1 }).map((row) => {
        const graded = dispositionsOf.get(row.rmaNumber) ?? [];
        const lines = rmaLinesOf(linesOf.get(row.rmaNumber) ?? [], graded);
        return { ...row, clientId: tx.clientId, lines, receipts: rmaReceiptsOf(graded) };
      });
    },
  });
}

/** The orders with this reference. An order with this orderId takes precedence, as it does for an RMA (feeds.md §3). */
async function ordersOf(tx: ClientTx, reference: string | undefined): Promise<string[] | undefined> {
  if (reference === undefined) return undefined;
  const matches = await matchReferences(tx, [reference]);
  const orderIds = matches.map(({ order_id }) => order_id);
  return orderIds.includes(reference) ? [reference] : orderIds;
}
