import type { Change } from "#/store/db/audit.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

/** A problem on the floor that needs an operator (warehouse.md): open until an operator resolves it. */
export interface NewException {
  /** A word in capitals, such as `REPORT_REFUSED`, `OVER_RECEIPT`, `UNPLANNED`, `BLIND_RETURN`, `CANCEL_UNANSWERED`, `STOCK_CHECK`. */
  readonly kind: string;
  readonly facilityCode?: string | undefined;
  /** The type that events use: `order`, `purchaseOrder`, `return`, `workOrder`, `olpn`. */
  readonly objectType: string;
  readonly objectId: string;
  /** One sentence for the operator. */
  readonly summary: string;
  /** The data for a check or a retry; no secrets. */
  readonly detail?: object | undefined;
}

/** Raises an exception in the transaction of its cause: both are committed together. */
export function raiseException(tx: UnitOfWork, exception: NewException): void {
  insertExceptions.send(tx, [rowOf(tx.change, exception)]);
}

/**
 * Raises an exception that may repeat: an open one of this kind, object and key is refreshed, so that repeated reports
 * do not pile up. Call it in a separate transaction.
 *
 * @param key identifies repeats; stored as `key` in the detail.
 */
export async function raiseOrRefreshException(tx: UnitOfWork, exception: NewException, key: string): Promise<void> {
  const row = rowOf(tx.change, { ...exception, detail: { ...exception.detail, key } });
  await lockClient(tx);
  const open = await findOpenException(tx, { ...exception, key });
  if (open === undefined) insertExceptions.send(tx, [row]);
  else refreshException(tx, open, row);
}

/** Resolves an exception whose cause is gone without an operator. */
export function resolveException(
  tx: UnitOfWork,
  exception: Pick<NewException, "kind" | "objectType" | "objectId">,
  key: string,
): void {
  resolveExceptions(tx, { ...exception, key }, tx.change);
}

/**
 * Replaces the open exceptions of this kind by the findings of a check: existing ones are refreshed, and those without
 * a finding are resolved. Call it in a separate transaction.
 *
 * @param found each finding with the key that identifies its repeats.
 */
export async function replaceExceptions(
  tx: UnitOfWork,
  kind: string,
  found: readonly { readonly key: string; readonly exception: Omit<NewException, "kind"> }[],
): Promise<void> {
  const keys = found.map(({ key }) => key);
  resolveOthers(tx, { kind, keys }, tx.change);
  for (const { key, exception } of found) await raiseOrRefreshException(tx, { ...exception, kind }, key);
}

const rowOf = (change: Change, exception: NewException) => ({
  exception_id: change.ids.next(Date.parse(change.at)),
  kind: exception.kind,
  facility_code: exception.facilityCode,
  object_type: exception.objectType,
  object_id: exception.objectId,
  state: "OPEN",
  summary: exception.summary,
  detail: exception.detail ?? {},
  raised_at: change.at,
});

const insertExceptions = insertInto(
  table("operator_exception", ["exception_id"], {
    exception_id: "uuid",
    kind: "text",
    facility_code: "text?",
    object_type: "text",
    object_id: "text",
    state: "text",
    summary: "text",
    detail: "jsonb",
    raised_at: "timestamptz",
  }),
);

/**
 * Locks the client's row. Two transactions that raise the same exception concurrently would both find nothing to
 * refresh; the lock makes them run one after the other.
 */
async function lockClient(tx: ClientTransaction): Promise<void> {
  await tx.query(sql`select client_id from tenant where client_id = ${tenant} limit 1 for no key update`);
}

/** The open exception of this kind, object and key in its detail. */
async function findOpenException(
  tx: ClientTx,
  of: { kind: string; objectType: string; objectId: string; key: string },
): Promise<string | undefined> {
  const rows = await tx.query<{ exception_id: string }>(sql`select exception_id from operator_exception
      where client_id = ${tenant} and object_type = ${of.objectType} and object_id = ${of.objectId} and state = 'OPEN'
        and kind = ${of.kind} and detail->>'key' = ${of.key}
      order by exception_id limit 1`);
  return rows[0]?.exception_id;
}

/** Resolves the open exceptions of this kind, object and key. */
function resolveExceptions(
  tx: ClientTransaction,
  of: { kind: string; objectType: string; objectId: string; key: string },
  by: { actor: string; at: string },
): void {
  tx.send(
    setOf(
      [{ ...of, ...by }],
      (
        rows,
      ) => sql`update operator_exception e set state = 'RESOLVED', resolved_at = given.at, resolved_by = given.actor
        from (
          select kind, "objectType", "objectId", key, actor, at
          from json_to_recordset(${JSON.stringify(rows)}::json) as given(kind text, "objectType" text, "objectId" text,
            key text, actor text, at timestamptz)
          limit ${rows.length}
        ) given
        where e.client_id = ${tenant} and e.object_type = given."objectType" and e.object_id = given."objectId"
          and e.state = 'OPEN' and e.kind = given.kind and e.detail->>'key' = given.key`,
      { writes: "operator_exception" },
    ),
  );
}

/** Resolves the open exceptions of this kind except those with one of these keys. */
function resolveOthers(
  tx: ClientTransaction,
  of: { kind: string; keys: readonly string[] },
  by: { actor: string; at: string },
): void {
  tx.send(sql`update operator_exception set state = 'RESOLVED', resolved_at = ${by.at}::timestamptz, resolved_by = ${by.actor}
      where client_id = ${tenant} and state = 'OPEN' and kind = ${of.kind}
        and detail->>'key' <> all(${of.keys}::text[])`);
}

/** Refreshes a repeated exception: it gets the new text and keeps its age. */
function refreshException(
  tx: ClientTransaction,
  exceptionId: string,
  { summary, detail, raised_at: at }: ReturnType<typeof rowOf>,
): void {
  tx.send(sql`update operator_exception set summary = ${summary}, detail = ${JSON.stringify(detail)}::jsonb,
        repeats = repeats + 1, repeated_at = ${at}::timestamptz
      where client_id = ${tenant} and exception_id = ${exceptionId}`);
}
