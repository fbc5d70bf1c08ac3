import { laneDaysMax, laneQuery, lanes } from "#/console-api/carriers/lanes/contract.ts";
import { readLanes } from "#/console-api/carriers/lanes/lanes.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { createSharedAnswers } from "#/console-api/overview/kept-answers.ts";
import { problemOfDays } from "#/console-api/reports/days.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";

/** Maximum age of an answer, in milliseconds. */
const keptMs = 5_000;

/** Cost and time by lane (contract carriers.md, Lanes). */
export function addLaneRoutes(service: HttpServer, { across, clock }: OperatorContext): void {
  const share = createSharedAnswers(() => performance.now());

  service.get(
    "/carrierLane/summary",
    {
      schema: {
        operationId: "readCarrierLanes",
        summary: "Cost and time of despatched parcels, by lane and carrier service",
        description:
          "A lane leads from a facility to a country or a zone. The figures are those of parcels that left on these days, next to those of as many days before.",
        querystring: laneQuery,
        response: { 200: lanes },
      } as const,
      config: { partition: "scope", answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const scope = scopeOf(request);
      const { from, to, destination = "COUNTRY" } = request.query;
      const fault = problemOfDays({ from, to }, laneDaysMax);
      if (fault) return refused(fault);
      const range = { from, to, destination };
      const key = [scope.clientIds, scope.facilityCodes, range];
      return share(key, keptMs, () => readLanes(across, scope, range, clock.now()));
    },
  );
}
