import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "#/db/database.ts";
import { problemOf } from "#/http/problems/problem.ts";
import { problemKinds } from "#/http/problems/problem-codes.ts";
import type { Refusal, RequestFault } from "#/kernel/refusal.ts";
import { identityOf } from "#/modules/warehouse/reports/report-identity.ts";
import type { ReportBody, Reporter, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import { findReports } from "#/modules/warehouse/reports/report-repository.ts";
import { placeOf, type ReportHandler, usedOtherwise } from "#/modules/warehouse/reports/report-service.ts";

/** The result of one report of a batch; results are in the order of the batch. */
export type BatchResult =
  | { readonly status: "ACCEPTED"; readonly result: object }
  | { readonly status: "REJECTED"; readonly problem: ProblemSummary }
  | { readonly status: "NOT_TRIED"; readonly detail: string };

export interface ProblemSummary {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Pointers into the body of the batch. */
  readonly errors: readonly RequestFault[];
}

export type BatchOutcome =
  | { readonly status: "DONE"; readonly results: readonly BatchResult[]; readonly isReplay: boolean }
  | { readonly status: "REJECTED"; readonly refusal: Refusal };

/** Larger parts of a batch fill the queues of its books, and the other requests wait. */
const togetherMax = 32;

/**
 * Receives the reports of a batch, in its order. Each is accepted or refused by itself. Consecutive reports on different
 * objects are received together, if their kind commits in groups. After a refusal, later reports on the same object are
 * not tried, because they depend on it.
 *
 * @param headerKey the Idempotency-Key of the batch. The key and the place in the batch identify each report, so that
 *   an interrupted batch continues where it ended. A batch with other content under the same key is refused as a whole.
 */
export async function receiveBatch(
  { handleReport, database }: { readonly handleReport: ReportHandler; readonly database: Database },
  kind: ReportKind,
  reporter: Reporter,
  bodies: readonly ReportBody[],
  headerKey: string | undefined,
): Promise<BatchOutcome> {
  const keyAt = (index: number) => (headerKey === undefined ? undefined : `${headerKey} #${index}`);
  if (headerKey !== undefined && (await isOtherContent(database, kind, reporter, bodies, keyAt))) {
    return { status: "REJECTED", refusal: usedOtherwise(`header ${headerKey}`) };
  }
  const refusedObjects = new Set<string>();
  let isReplay = true;

  async function receive(body: ReportBody, index: number): Promise<BatchResult> {
    const objects = objectsOf(kind, body);
    const refuse = () => {
      for (const object of objects) refusedObjects.add(object);
    };
    if (objects.some((object) => refusedObjects.has(object))) {
      refuse();
      return { status: "NOT_TRIED", detail: "An earlier report of the batch on the same object was refused." };
    }
    const outcome = await handleReport(kind, reporter, body, keyAt(index));
    isReplay &&= outcome.status === "ACCEPTED" && outcome.isReplay;
    if (outcome.status === "ACCEPTED") return { status: "ACCEPTED", result: outcome.answer };
    refuse();
    return { status: "REJECTED", problem: summaryOf(outcome.refusal, index) };
  }

  const results: BatchResult[] = [];
  while (results.length < bodies.length) {
    const part = bodies.slice(results.length, results.length + distinctFrom(kind, bodies, results.length));
    const received = await Promise.allSettled(part.map((body, i) => receive(body, results.length + i)));
    for (const result of received) {
      if (result.status === "rejected") throw result.reason;
      results.push(result.value);
    }
    // Five hundred reports take long: other requests get their turns in between.
    await nextTurn();
  }
  return { status: "DONE", results, isReplay };
}

/** The number of reports from this one on that are received together: each is on other objects. */
function distinctFrom(kind: ReportKind, bodies: readonly ReportBody[], from: number): number {
  const seen = new Set<string>();
  const max = kind.isGrouped === true ? togetherMax : 1;
  for (const [i, body] of bodies.slice(from, from + max).entries()) {
    const objects = objectsOf(kind, body);
    if (objects.some((object) => seen.has(object))) return i;
    for (const object of objects) seen.add(object);
  }
  return Math.min(max, bodies.length - from);
}

async function isOtherContent(
  database: Database,
  kind: ReportKind,
  reporter: Reporter,
  bodies: readonly ReportBody[],
  keyAt: (index: number) => string | undefined,
): Promise<boolean> {
  const identities = bodies.map((body, i) => {
    const key = `header ${keyAt(i)}`;
    return { key, place: placeOf(kind, reporter, body), sha256: identityOf(kind, body, keyAt(i)).sha256 };
  });
  const groups = [...Map.groupBy(identities, ({ place }) => place.clientId).values()];
  const found = await Promise.all(
    groups.map((group) => {
      const [first] = group;
      const keys = group.map(({ key }) => key);
      return first === undefined ? [] : findReports(database, first.place, keys);
    }),
  );
  return groups.some((group, g) =>
    group.some(({ key, sha256 }) =>
      found[g]?.some(({ report_key, body_sha256 }) => report_key === key && !body_sha256.equals(sha256)),
    ),
  );
}

function objectsOf(kind: ReportKind, body: ReportBody): string[] {
  const { type, ids } = kind.objectOf(body);
  return ids.map((id) => JSON.stringify([body.clientId ?? "", type, id]));
}

function summaryOf(refusal: Refusal, index: number): ProblemSummary {
  const { code, detail, errors } = problemOf(refusal);
  const { title, status } = problemKinds[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail,
    errors: errors.map(({ pointer, message }) => ({ pointer: `#/reports/${index}${pointer.slice(1)}`, message })),
  };
}
