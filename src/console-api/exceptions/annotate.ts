import * as repository from "#/console-api/exceptions/annotation-repository.ts";
import { type Exception, findExceptions } from "#/console-api/exceptions/reading.ts";
import { type ExceptionKey, readExceptionId } from "#/console-api/exceptions/types.ts";
import type { Scope } from "#/http/access/operator.ts";
import { type Change, recordAudits } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

export interface Outcome {
  readonly exceptionId: string;
  readonly outcome: "DONE" | "GONE";
}

/** Types that are raised on an occurrence: their key is an id of that record, and they end for good. */
const isRaised = ({ type, objectKey }: ExceptionKey): boolean =>
  ["RECEIPT_DISCREPANCY", "BLIND_RETURN", "REPORT_REFUSED", "STOCK_CHECK", "EVENT_CHECK"].includes(type) &&
  uuid.test(objectKey);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Stores an operator's annotation of exceptions, in a separate transaction for each client, with a line in the audit log for
 * each exception. Exceptions that no longer exist, or that the user may not see, are skipped.
 */
export async function annotateExceptions(
  { database, across }: { readonly database: Database; readonly across: Database },
  change: Change,
  scope: Scope,
  exceptionIds: readonly string[],
  annotation: repository.Annotation,
): Promise<Outcome[]> {
  const keys = exceptionIds.flatMap((id) => readExceptionId(id) ?? []);
  const found = await across.transaction((tx) => findExceptions(tx, scope, keys, change.at));
  for (const [clientId, exceptions] of Map.groupBy(found.values(), (exception) => exception.clientId)) {
    await database.transaction(async (tx) => {
      const view = tx.of(clientId, change);
      await repository.storeAnnotations(view, exceptions, annotation, change.at);
      const raised = exceptions.filter(isRaised).map(({ objectKey }) => objectKey);
      if (annotation.what === "resolved" && raised.length > 0) repository.endRaised(view, raised, change);
      recordAudits(
        view,
        exceptions.map((exception) => auditOf(exception, annotation)),
      );
    });
  }
  return exceptionIds.map((exceptionId) => ({ exceptionId, outcome: found.has(exceptionId) ? "DONE" : "GONE" }));
}

function auditOf({ type, objectType, objectId }: Exception, annotation: repository.Annotation) {
  const { action, fields } = actionOf(annotation);
  return {
    action,
    objectType: "exception",
    objectId: `${type} ${objectId}`,
    detail: { about: objectType, ...fields },
  };
}

function actionOf(annotation: repository.Annotation): { readonly action: string; readonly fields: object } {
  switch (annotation.what) {
    case "owner":
      return { action: "assign", fields: { owner: annotation.owner } };
    case "note":
      return { action: "note", fields: {} };
    case "snoozed": {
      const { until } = annotation;
      return until === null ? { action: "endSnooze", fields: {} } : { action: "snooze", fields: { until } };
    }
    case "resolved":
      return { action: "resolve", fields: { reason: annotation.reason } };
  }
}
