import type { Flow, FlowStage } from "#/console-api/overview/flow/contract.ts";
import * as queries from "#/console-api/overview/flow/flow.cross-client.ts";
import { insideStages, type StageName, stageNames, stageOfState, statesOf } from "#/console-api/overview/stages.ts";
import type { Scope } from "#/http/access/operator.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import type { Database } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/**
 * An order that left longer ago and never arrived does not count as in transit: its carrier does not report, or it is
 * lost.
 */
export const inTransitDays = 60;

type Ages = queries.Ages;

/** The number of orders at each stage, their age, and the number of urgent ones; all from one snapshot. */
export async function readFlow(across: Database, scope: Scope, nowMs: number): Promise<Flow> {
  const asOf = new Date(nowMs).toISOString();
  const since = new Date(nowMs - inTransitDays * dayMs).toISOString();
  const states = insideStages.flatMap((stage) => statesOf[stage].map((state) => ({ stage, state })));
  const [inside, urgent, inTransit, delivered] = await readSnapshot(across, (tx) =>
    Promise.all([
      queries.countByStage(tx, scope, asOf, states),
      queries.countUrgent(tx, scope, asOf),
      queries.countInTransit(tx, scope, asOf, since),
      queries.countDelivered(tx, scope, asOf),
    ]),
  );
  const byStage = new Map<StageName, Ages>(inside.map((row) => [row.stage as StageName, row]));
  for (const row of inTransit) byStage.set(row.has_moved ? "IN_TRANSIT" : "DESPATCHED", row);
  if (delivered) byStage.set("DELIVERED_TODAY", delivered);
  const stages = stageNames.map((stage) => {
    const ofStage = urgent.filter((row) => stage === stageOfState(row.status));
    return stageRecord(stage, byStage.get(stage), {
      atRisk: ofStage.reduce((sum, row) => sum + row.at_risk, 0),
      late: ofStage.reduce((sum, row) => sum + row.late, 0),
    });
  });
  const sum = (names: readonly StageName[], value: (stage: FlowStage) => number) =>
    stages.filter(({ stage }) => names.includes(stage)).reduce((total, stage) => total + value(stage), 0);
  return {
    asOf,
    open: sum(insideStages, ({ count }) => count),
    atRisk: sum(insideStages, ({ atRisk }) => atRisk),
    late: sum(insideStages, ({ late }) => late),
    stages,
  };
}

function stageRecord(
  stage: StageName,
  ages: Ages | undefined,
  urgent: { readonly atRisk: number; readonly late: number },
): FlowStage {
  return {
    stage,
    statuses: [...statesOf[stage]],
    count: ages?.count ?? 0,
    oldestSeconds: seconds(ages?.oldest),
    medianSeconds: seconds(ages?.median),
    ages: [
      { underSeconds: 3_600, count: ages?.under_hour ?? 0 },
      { underSeconds: 14_400, count: ages?.under_four_hours ?? 0 },
      { underSeconds: 86_400, count: ages?.under_day ?? 0 },
      { underSeconds: 259_200, count: ages?.under_three_days ?? 0 },
      { underSeconds: null, count: ages?.older ?? 0 },
    ],
    ...urgent,
  };
}

/** An order that arrived between the moment of the answer and its read has age 0. */
const seconds = (age: number | null | undefined) => (age == null ? null : Math.max(0, Math.round(age)));
