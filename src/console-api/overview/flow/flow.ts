import type { Flow, FlowStage, Trends } from "#/console-api/overview/flow/contract.ts";
import * as queries from "#/console-api/overview/flow/flow.cross-client.ts";
import { insideStages, type StageName, stageNames, stageOfState, statesOf } from "#/console-api/overview/stages.ts";
import type { Scope } from "#/http/access/operator.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { orderStates } from "#/modules/orders/index.ts";
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
    lateStuck: urgent.reduce((total, { stuck }) => total + stuck, 0),
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

const trendDays = 30;

/** Figures of each of the last 30 days, today up to now. A day is the local day of each order's own facility. */
export async function readTrends(across: Database, scope: Scope, nowMs: number): Promise<Trends> {
  // One more day, because the first day began earlier in some zones.
  const since = new Date(nowMs - (trendDays + 1) * dayMs).toISOString();
  const [received, despatched, delivered] = await readSnapshot(across, (tx) =>
    Promise.all([
      queries.countReceivedByDay(tx, scope, orderStates, since),
      queries.countDespatchedByDay(tx, scope, since),
      queries.countDeliveredByDay(tx, scope, since),
    ]),
  );
  // East of Greenwich tomorrow may have begun, and is then the last day.
  const newest = [received, despatched, delivered].flat().reduce((last, row) => (row.day > last ? row.day : last), "");
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const lastMs = Date.parse(newest > today ? newest : today);
  const countOf = (rows: readonly queries.DayCount[], day: string) => rows.find((row) => row.day === day)?.count ?? 0;
  const items = Array.from({ length: trendDays }, (_, i) => {
    const day = new Date(lastMs - (trendDays - 1 - i) * dayMs).toISOString().slice(0, 10);
    const leadTime = delivered.find((row) => row.day === day)?.lead_time;
    return {
      day,
      received: countOf(received, day),
      despatched: countOf(despatched, day),
      delivered: countOf(delivered, day),
      leadTimeSeconds: leadTime === undefined ? null : Math.max(0, Math.round(leadTime)),
    };
  });
  return { asOf: new Date(nowMs).toISOString(), items };
}
