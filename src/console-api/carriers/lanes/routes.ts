import { laneDaysMax, laneParcelsMax, laneQuery, lanes } from "#/console-api/carriers/lanes/contract.ts";
import { readLanes } from "#/console-api/carriers/lanes/lanes.ts";
import type { OperatorContext } from "#/console-api/context.ts";
import { createSharedAnswers } from "#/console-api/overview/kept-answers.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";

/** Maximum age of an answer, in milliseconds. */
const keptMs = 30_000;

/** Cost and time by lane (contract carriers.md, Lanes). */
export function addLaneRoutes(service: HttpServer, { across, clock }: OperatorContext): void {
  const share = createSharedAnswers(() => performance.now());

  service.get(
    "/carrierLane/summary",
    {
      schema: {
        operationId: "readCarrierLanes",
        summary: "Cost and time of despatched parcels, by lane and carrier service",
        description: `A lane leads from a facility to a country or a zone. The figures are those of parcels that left in the range, next to those of the equal range before. Both ranges together may have ${laneParcelsMax.toLocaleString("en-GB")} parcels; for more the answer is 422. At most half a minute old.`,
        querystring: laneQuery,
        response: { 200: lanes },
      } as const,
      config: { ...answers(422), partition: "scope" },
    },
    async (request) => {
      const scope = scopeOf(request);
      const { from, to, destination = "COUNTRY" } = request.query;
      const [fromMs, toMs] = [from, to].map((at) => Date.parse(readDateTime(at) ?? at)) as [number, number];
      const fault = faultOf(fromMs, toMs);
      if (fault !== undefined) return refused(invalidRequest([{ pointer: "/query/to", message: fault }]));
      const range = { fromMs, toMs, destination };
      const key = [scope.clientIds, scope.facilityCodes, range];
      const read = await share(key, keptMs, () => readLanes(across, scope, range, clock.now()));
      return read ?? refused(tooMany);
    },
  );
}

function faultOf(fromMs: number, toMs: number): string | undefined {
  if (toMs <= fromMs) return "must be after from";
  if (toMs - fromMs > laneDaysMax * dayMs) return `must be at most ${laneDaysMax} days after from`;
  return undefined;
}

const tooMany = problem(
  "unprocessable",
  `More than ${laneParcelsMax.toLocaleString("en-GB")} parcels left in the range and in the equal range before it: choose fewer days, a client or a facility.`,
);
