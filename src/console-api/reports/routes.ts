import type { OperatorContext } from "#/console-api/context.ts";
import { createSharedAnswers } from "#/console-api/overview/kept-answers.ts";
import {
  activityQuery,
  activityReport,
  daysMax,
  performanceQuery,
  performanceReport,
} from "#/console-api/reports/contract.ts";
import { problemOfDays } from "#/console-api/reports/days.ts";
import { performanceMeasures, performanceOf } from "#/console-api/reports/performance.ts";
import {
  countUncomputed,
  type GroupFigure,
  sumByGroup,
  sumFigures,
} from "#/console-api/reports/reports.cross-client.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { type BilledMeasure, billedFigures, billedMeasureNames, monthOf } from "#/modules/activity/index.ts";

/** Maximum age of an answer, in milliseconds. */
const keptMs = 5_000;

/** Reports over all clients (contract operations.md §5): their cost depends on days, clients and services only. */
export function addReportRoutes(service: HttpServer, { across, clock }: OperatorContext): void {
  const share = createSharedAnswers(() => performance.now());

  service.get(
    "/report/activity",
    {
      schema: {
        operationId: "readActivityReport",
        summary: "What was done for each client in a month, for its bill",
        querystring: activityQuery,
        response: { 200: activityReport },
      } as const,
      config: { partition: "scope", answerMsMax: longAnswerMsMax },
    },
    (request) => {
      const scope = scopeOf(request);
      const { month } = request.query;
      return share(["activity", scope.clientIds, scope.facilityCodes, month], keptMs, async () => {
        const span = monthOf(month);
        const [rows, uncomputed] = await Promise.all([
          sumFigures(across, scope, { ...span, by: "month", measures: billedMeasureNames }),
          countUncomputed(across, scope, span, clock.now()),
        ]);
        const figures = rows.map(({ clientId, facilityCode, measure, key, quantity }) => ({
          clientId,
          distributionCentre: facilityCode,
          measure: measure as BilledMeasure,
          key,
          quantity,
        }));
        return { asOf: new Date(clock.now()).toISOString(), uncomputed, items: billedFigures(figures) };
      });
    },
  );

  service.get(
    "/report/performance",
    {
      schema: {
        operationId: "readPerformanceReport",
        summary: "Orders on time, cycle times, fill rate, cost, returns and rejected documents",
        description: "Of all days, of each period, and of each client.",
        querystring: performanceQuery,
        response: { 200: performanceReport },
      } as const,
      config: { partition: "scope", answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const scope = scopeOf(request);
      const { from, to, by = "day" } = request.query;
      const fault = problemOfDays({ from, to }, daysMax);
      if (fault) return refused(fault);
      return share(["performance", scope.clientIds, scope.facilityCodes, from, to, by], keptMs, async () => {
        const at = new Date(clock.now()).toISOString();
        const request = { from, to, by, measures: performanceMeasures, at };
        const [ofPeriods, ofClients, uncomputed] = await Promise.all([
          sumByGroup(across, scope, request, "period"),
          sumByGroup(across, scope, request, "client"),
          countUncomputed(across, scope, { from, to }, clock.now()),
        ]);
        const sorted = (rows: readonly GroupFigure[]) =>
          [...Map.groupBy(rows, ({ group }) => group)].toSorted(([left], [right]) => (left < right ? -1 : 1));
        return {
          asOf: at,
          uncomputed,
          total: performanceOf(ofClients),
          periods: sorted(ofPeriods).map(([day, found]) => ({
            // A period begins within the days of the report.
            day: day < from ? from : day,
            ...performanceOf(found),
          })),
          clients: sorted(ofClients).map(([clientId, found]) => ({
            clientId,
            ...performanceOf(found),
          })),
        };
      });
    },
  );
}
