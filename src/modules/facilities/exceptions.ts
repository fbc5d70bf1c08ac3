import type { Change } from "#/db/audit.ts";
import type { UnitOfWork } from "#/db/database.ts";
import * as repository from "#/modules/facilities/exception-repository.ts";

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
  repository.insertExceptions(tx, [rowOf(tx.change, exception)]);
}

/**
 * Raises an exception that may repeat: an open one of this kind, object and key is refreshed, so that repeated reports
 * do not pile up. Call it in a separate transaction.
 *
 * @param key identifies repeats; stored as `key` in the detail.
 */
export async function raiseOrRefreshException(tx: UnitOfWork, exception: NewException, key: string): Promise<void> {
  const row = rowOf(tx.change, { ...exception, detail: { ...exception.detail, key } });
  await repository.lockClient(tx);
  const open = await repository.findOpenException(tx, { ...exception, key });
  if (open === undefined) repository.insertExceptions(tx, [row]);
  else repository.refreshException(tx, { ...row, exceptionId: open });
}

/** Resolves an exception whose cause is gone without an operator. */
export function resolveException(
  tx: UnitOfWork,
  exception: Pick<NewException, "kind" | "objectType" | "objectId">,
  key: string,
): void {
  repository.resolveExceptions(tx, { ...exception, key }, tx.change);
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
  repository.resolveOthers(tx, { kind, keys }, tx.change);
  for (const { key, exception } of found) await raiseOrRefreshException(tx, { ...exception, kind }, key);
}

function rowOf(change: Change, exception: NewException): repository.ExceptionRow {
  const { kind, facilityCode, objectType, objectId, summary, detail = {} } = exception;
  const exceptionId = change.ids.next(Date.parse(change.at));
  return { exceptionId, kind, facilityCode, objectType, objectId, summary, detail, at: change.at };
}
