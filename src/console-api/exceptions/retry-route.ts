import type { OperatorContext } from "#/console-api/context.ts";
import { findRefusedReport } from "#/console-api/exceptions/annotation-repository.ts";
import * as contract from "#/console-api/exceptions/contract.ts";
import { findExceptions } from "#/console-api/exceptions/reading.ts";
import { readExceptionId } from "#/console-api/exceptions/types.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { changeOf } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import type { KeptReport } from "#/modules/warehouse/index.ts";
import { recordAudit } from "#/store/db/audit.ts";

/** `POST /exception/retry/{exceptionId}` (contract warehouse.md: an operator can retry or force a refused report). */
export function addRetryRoute(service: HttpServer, context: OperatorContext): void {
  const { across, database } = context;

  service.post(
    "/exception/retry/:exceptionId",
    {
      schema: {
        operationId: "retryReport",
        summary: "Processes a refused report of a warehouse or carrier again",
        description:
          "The rules for the warehouse's own reports apply, so it may be refused again, for the same or another reason. With force, the holds of its order are released first, and only if the report is then accepted.",
        params: contract.exceptionPath,
        body: contract.retryBody,
        response: { 200: contract.retryAnswer },
      } as const,
      config: { ...answers(404, 409, 422), isPlatform: true, isBodyOptional: true, partition: "scope" },
    },
    async (request) => {
      const { exceptionId } = request.params;
      const { isForced = false } = request.body ?? {};
      const change = changeOf(context, request);
      const key = readExceptionId(exceptionId);
      const isReport = key?.type === "REPORT_REFUSED";
      const found = isReport
        ? await across.transaction((tx) => findExceptions(tx, scopeOf(request), [key], change.at))
        : undefined;
      const exception = found?.get(exceptionId);
      const row = exception && (await findRefusedReport(database.of(exception.clientId), exception.objectKey));
      if (!exception || !row) {
        return refused(problem("not-found", "There is no refused report with this exceptionId."));
      }
      const kept = keptReport(row.detail, row.facility_code);
      const by = { actor: change.actor, origin: change.origin, isForced };
      const outcome = kept && (await context.retryReport(kept, by));
      if (!kept || !outcome) {
        return refused(
          problem("unprocessable", "The report was not stored with all data that are needed to process it again."),
        );
      }
      if (outcome.status === "REJECTED") {
        const { kind, detail } = outcome.refusal;
        return refused({ kind, detail });
      }
      await database.transaction(async (tx) => {
        recordAudit(tx.of(exception.clientId, change), {
          action: isForced ? "force" : "retry",
          objectType: "exception",
          objectId: `${exception.type} ${exception.objectId}`,
          detail: { report: kept.report },
        });
      });
      return { report: kept.report, answer: outcome.answer };
    },
  );
}

function keptReport(
  { report, body, carrierCode }: { readonly report?: unknown; readonly body?: unknown; readonly carrierCode?: unknown },
  facilityCode: string | null,
): KeptReport | undefined {
  if (typeof report !== "string" || typeof body !== "object" || body === null) return undefined;
  return {
    report,
    body,
    facilityCode: facilityCode ?? undefined,
    carrierCode: typeof carrierCode === "string" ? carrierCode : undefined,
  };
}
