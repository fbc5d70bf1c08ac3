import { isProblemCode, problemKinds } from "#/http/problems/problem-codes.ts";
import {
  type RequestListQuery,
  type RequestRecord,
  type RequestSummary,
  requestCursor,
} from "#/http/request-log/contract.ts";
import {
  findReach,
  findRequest,
  type LoggedRequest,
  listRequests,
  type RequestPage,
} from "#/http/request-log/repository.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { type LookedThrough, lookThrough, readSearchedPage } from "#/http/requests/looked-through.ts";
import type { Page } from "#/http/requests/paging.ts";
import { invalid, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { idBoundary, isUuidV7, timeOfId } from "#/kernel/values/ids.ts";
import type { ClientTx } from "#/store/db/database.ts";

const firstId = idBoundary(0);
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const requestNotFound = notFound(
  "No request has this token. The log has the requests of some two to six weeks, each a second after its answer.",
);
const strangeCursor = invalid([{ pointer: "/query/cursor", message: "is not a nextCursor of this list" }]);

/** A page of the requests of a client or of a facility's tenant, the newest first. */
export async function readRequests(
  tx: ClientTx,
  query: RequestListQuery,
): Promise<Result<Page<RequestSummary>, Refusal>> {
  const page = await readSearchedPage(query, {
    cursors: requestCursor,
    search: (after, limit) => searchRequests(tx, query, after?.id, limit),
    positionOf: (id) => ({ id }),
    itemOf: recordOf,
  });
  return page.ok ? page : refused(strangeCursor);
}

async function searchRequests(
  tx: ClientTx,
  { result, method, path, token, from, to }: RequestListQuery,
  start: string | undefined,
  limit: number,
): Promise<LookedThrough<LoggedRequest, string>> {
  if (token !== undefined) {
    const row = await findByToken(tx, token);
    return { rows: row ? [row] : [], reach: undefined };
  }
  const filter = {
    isFailed: result === "failed",
    statusClass: result === undefined || result === "failed" ? undefined : Number(result[0]),
    method,
    path,
  };
  const end = to === undefined ? lastId : boundaryOf(to);
  const first = from === undefined ? firstId : boundaryOf(from);
  const pageAfter = (after: string | undefined, reach?: string): RequestPage => ({
    filter,
    from: reach ?? first,
    before: after !== undefined && after < end ? after : end,
  });
  const isIndexed = (filter.statusClass ?? method ?? path) === undefined;
  return lookThrough({
    after: start,
    limit,
    placeOf: (row) => row.requestId,
    list: (after, last, most) => listRequests(tx, pageAfter(after, last), most),
    findReach: isIndexed ? undefined : (after, looked) => findReach(tx, pageAfter(after), looked),
  });
}

/** @param token the correlation token, or the trace id. */
export async function readRequest(tx: ClientTx, token: string): Promise<Result<RequestRecord, Refusal>> {
  const row = await findByToken(tx, token);
  return row ? ok(recordOf(row)) : refused(requestNotFound);
}

async function findByToken(tx: ClientTx, token: string): Promise<LoggedRequest | undefined> {
  const requestId = withDashes(token);
  return isUuidV7(requestId) ? findRequest(tx, requestId) : undefined;
}

const boundaryOf = (moment: string) => idBoundary(Date.parse(readDateTime(moment) ?? moment));

/** A correlation token; a trace id is one without its dashes. */
export function withDashes(token: string): string {
  const digits = token.replaceAll("-", "").toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Undefined for a code of feeds. */
const kindOf = (code: string | null) => (code !== null && isProblemCode(code) ? problemKinds[code] : undefined);

function recordOf(row: LoggedRequest): RequestRecord {
  const { title = null, cure = null } = kindOf(row.problemCode) ?? {};
  const at = new Date(timeOfId(row.requestId)).toISOString();
  return { ...row, at, problemTitle: title, problemCure: cure };
}
