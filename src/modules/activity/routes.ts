import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { billedFigures, monthOf } from "#/modules/activity/billed.ts";
import { activity, activityQuery } from "#/modules/activity/contract.ts";
import { hasDueDays, listBilled } from "#/modules/activity/report-repository.ts";
import { type FacilityContext, refusalOfEmptyList } from "#/modules/inventory/index.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** The last day of a month ends in the last time zone so long after it has ended in UTC. */
const lastZoneMs = 12 * hourMs;

/** Route of the Order service: what was done for a client in a month (contract rest.md, Order service). */
export function addActivityRoutes(service: HttpServer, context: ServiceContext & FacilityContext): void {
  const { database, clock } = context;

  service.get(
    "/activity/get",
    {
      schema: {
        operationId: "getActivity",
        summary: "What was done in a month, for a bill",
        description:
          "Orders, lines, units, parcels by service, papers, receipts, returns, work orders and storage, by facility, as a month or by day. The page Figures for a bill of the documentation says what each counts.",
        querystring: activityQuery,
        response: { 200: activity },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { month, distributionCentre, by = "MONTH" } = request.query;
      const nowMs = clock.now();
      const span = monthOf(month);
      const { rows, hasDue } = await readSnapshot(database.ofClient(clientId), async (tx) => {
        const view = tx.of(clientId);
        const [listed, due] = await Promise.all([
          listBilled(view, { ...span, facilityCode: distributionCentre, isByDay: by === "DAY" }),
          hasDueDays(view, span),
        ]);
        return { rows: listed, hasDue: due };
      });
      const refusal = await refusalOfEmptyList(context, clientId, request.query, "distributionCentre", rows);
      if (refusal) return refused(refusal);
      return {
        month,
        asOf: new Date(nowMs).toISOString(),
        isComplete: !hasDue && nowMs >= span.endMs + lastZoneMs,
        items: billedFigures(rows),
      };
    },
  );
}
