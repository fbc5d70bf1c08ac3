import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import * as repository from "#/modules/facilities/exception-repository.ts";

/** Something on the floor that needs an operator (warehouse.md): open until one resolves it. */
export interface NewException {
  /** A word in capitals, such as `REPORT_REFUSED`, `OVER_RECEIPT`, `UNPLANNED`, `BLIND_RETURN`, `CANCEL_UNANSWERED`, `STOCK_CHECK`. */
  readonly kind: string;
  readonly facilityCode?: string | undefined;
  /** As in events: `order`, `purchaseOrder`, `return`, `workOrder`, `olpn`. */
  readonly objectType: string;
  readonly objectId: string;
  /** One sentence for the operator. */
  readonly summary: string;
  /** What is needed to judge it or to try again; no secrets. */
  readonly detail?: object | undefined;
}

/** Raises an exception in the transaction that met it: neither exists without the other. */
export function raiseException(tx: Transaction, change: Change, clientId: string, exception: NewException): void {
  repository.insertExceptions(tx, clientId, [rowOf(change, exception)]);
}

/**
 * The same for what may be met again and again: where one of this kind, object and key is open it is refreshed, so that
 * a sender that repeats itself does not pile them up. To be called in a transaction of its own.
 *
 * @param key what makes it the same; kept as `key` in the detail.
 */
export async function raiseOrRefreshException(
  tx: Transaction,
  change: Change,
  clientId: string,
  exception: NewException,
  key: string,
): Promise<void> {
  const row = rowOf(change, { ...exception, detail: { ...exception.detail, key } });
  await repository.lockClient(tx, clientId);
  const open = await repository.findOpenException(tx, clientId, { ...exception, key });
  if (open === undefined) repository.insertExceptions(tx, clientId, [row]);
  else repository.refreshException(tx, clientId, { ...row, exceptionId: open });
}

/** What raised it came right by itself: nothing is left for an operator to do. */
export function resolveException(
  tx: Transaction,
  change: Change,
  clientId: string,
  exception: Pick<NewException, "kind" | "objectType" | "objectId">,
  key: string,
): void {
  repository.resolveExceptions(tx, clientId, { ...exception, key }, change);
}

/**
 * All that a check found, and nothing else, is open of this kind afterwards: what is there already is refreshed, what was not
 * found any more is ended. To be called in a transaction of its own.
 *
 * @param found each with what makes it the same the next time.
 */
export async function replaceExceptions(
  tx: Transaction,
  change: Change,
  clientId: string,
  kind: string,
  found: readonly { readonly key: string; readonly exception: Omit<NewException, "kind"> }[],
): Promise<void> {
  const keys = found.map(({ key }) => key);
  repository.resolveOthers(tx, clientId, { kind, keys }, change);
  for (const { key, exception } of found)
    await raiseOrRefreshException(tx, change, clientId, { ...exception, kind }, key);
}

function rowOf(change: Change, exception: NewException): repository.ExceptionRow {
  const { kind, facilityCode, objectType, objectId, summary, detail = {} } = exception;
  const exceptionId = change.ids.next(Date.parse(change.at));
  return { exceptionId, kind, facilityCode, objectType, objectId, summary, detail, at: change.at };
}
