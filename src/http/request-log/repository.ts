import Type from "typebox";
import { type RequestRecord, requestRecord } from "#/http/request-log/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { allOf, sql, tenant } from "#/store/db/sql.ts";
import { type Given, insertInto, table } from "#/store/db/table.ts";

// Columns of the request log, each listed once with its type.

const requestLog = table("request_log", ["request_id"], {
  request_id: "uuid",
  method: "text",
  route: "text?",
  path: "text",
  query: "text?",
  status: "smallint?",
  duration_ms: "integer",
  credential_id: "text?",
  address: "text?",
  object_id: "text?",
  feed_type: "text?",
  outcome: "text?",
  is_failed: "boolean",
  problem_code: "text?",
  problem_detail: "text?",
  faults: "json?",
  body: "text?",
  body_bytes: "integer?",
});

const insertAll = insertInto(requestLog);

export type NewRequest = Given<typeof requestLog.columns>;

/** Adds requests of a client, in one statement. */
export function addRequests(tx: ClientTransaction, rows: readonly NewRequest[]): void {
  insertAll.send(tx, rows);
}

const derived = ["at", "problemTitle", "problemCure"] as const;

/** The row of a request: its moment is in its id, and its problem has a code only. */
export type LoggedRequest = Omit<RequestRecord, (typeof derived)[number]>;

const columns = columnsOf(Type.Omit(requestRecord, derived), "r", {
  errors: sql`coalesce(r.faults, '[]'::json)`,
});

interface RequestFilter {
  readonly isFailed: boolean;
  /** The hundreds of the status: 4 for 400 to 499. */
  readonly statusClass: number | undefined;
  readonly method: string | undefined;
  /** A part of the path. */
  readonly path: string | undefined;
}

export interface RequestPage {
  readonly filter: RequestFilter;
  /** Ids not below `from`, and below `before`: an id contains the time of its request. */
  readonly from: string;
  readonly before: string;
}

const placeOf = ({ filter, from, before }: RequestPage) =>
  allOf([
    sql`r.request_id >= ${from}::uuid and r.request_id < ${before}::uuid`,
    filter.isFailed ? sql`r.is_failed` : undefined,
  ]);

/** Requests of a client, the newest first. */
export function listRequests(tx: ClientTx, page: RequestPage, limit: number): Promise<LoggedRequest[]> {
  const { statusClass, method, path } = page.filter;
  const conditions = allOf([
    statusClass === undefined ? undefined : sql`r.status / 100 = ${statusClass}::integer`,
    method === undefined ? undefined : sql`r.method = ${method}`,
    path === undefined ? undefined : sql`strpos(r.path, ${path}) > 0`,
  ]);
  return tx.query(sql`select ${columns} from request_log r
      where r.client_id = ${tenant} and ${placeOf(page)} and ${conditions}
      order by r.request_id desc limit ${limit}`);
}

/** How far a page with a filter looks: the last of `looked` requests; undefined where there are fewer. */
export async function findReach(tx: ClientTx, page: RequestPage, looked: number): Promise<string | undefined> {
  const rows = await tx.query<{ request_id: string }>(sql`select r.request_id from request_log r
      where r.client_id = ${tenant} and ${placeOf(page)}
      order by r.request_id desc limit 1 offset ${looked - 1}`);
  return rows[0]?.request_id;
}

export async function findRequest(tx: ClientTx, requestId: string): Promise<LoggedRequest | undefined> {
  const rows = await tx.query<LoggedRequest>(
    sql`select ${columns} from request_log r where r.client_id = ${tenant} and r.request_id = ${requestId}::uuid limit 1`,
  );
  return rows[0];
}

/** The beginning of the body of a failed request; undefined where none is stored. */
export async function findBody(
  tx: ClientTx,
  requestId: string,
): Promise<{ readonly body: string; readonly body_bytes: number } | undefined> {
  const rows = await tx.query<{
    readonly body: string;
    readonly body_bytes: number;
  }>(sql`select r.body, r.body_bytes from request_log r
      where r.client_id = ${tenant} and r.request_id = ${requestId}::uuid and r.body is not null limit 1`);
  return rows[0];
}

/** Deletes bodies, details that quote them, and parameters of requests about these objects. */
export function blankRequests(tx: ClientTransaction, objectIds: readonly string[]): void {
  tx.send(sql`update request_log set query = null, problem_detail = null, faults = null, body = null, body_bytes = null
      where client_id = ${tenant} and object_id = any(${objectIds}::text[]) and is_failed and object_id > ''
        and (problem_detail is not null or body is not null or query is not null)`);
}
