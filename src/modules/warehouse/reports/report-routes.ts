import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type TSchema } from "typebox";
import { callerOf } from "#/http/access/bearer.ts";
import type { DocumentedRoute } from "#/http/openapi/openapi.ts";
import { problemOf } from "#/http/problems/problem.ts";
import { problemKinds } from "#/http/problems/problem-codes.ts";
import { closed } from "#/http/routes/schema.ts";
import { type Exchange, exchangeOf, longAnswerMsMax, putOffDeadline } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { chosenBy } from "#/http/server/validation.ts";
import { invalid, type Refusal, type RequestFault } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { durationSince } from "#/kernel/telemetry/log.ts";
import {
  batchAnswer,
  idempotencyHeaders,
  type ReportBody,
  type Reporter,
  type ReportKind,
} from "#/modules/warehouse/reports/report-kind.ts";
import { findReports, identityOf } from "#/modules/warehouse/reports/report-repository.ts";
import { placeOf, type ReportHandler, usedOtherwise } from "#/modules/warehouse/reports/report-service.ts";
import type { Database } from "#/store/db/database.ts";

interface ReportRouteContext {
  readonly database: Database;
  readonly handleReport: ReportHandler;
}

const reportsMax = 500;

/** One report, or up to five hundred of its kind. */
function bodyOf({ schema, example }: ReportKind): TSchema {
  const batch = Type.Object(
    {
      reports: Type.Array(schema, {
        minItems: 1,
        maxItems: reportsMax,
        description: "Processed in this order, each separately.",
      }),
    },
    { ...closed, title: `${(schema as { title?: string }).title}Batch`, description: "Several reports at once." },
  );
  const about = { description: "One report, or several as `reports`.", examples: [example], [chosenBy]: "reports" };
  return Type.Union([schema, batch], about);
}

export function registerReport(
  service: HttpServer,
  kind: ReportKind,
  { database, handleReport }: ReportRouteContext,
): void {
  const config: DocumentedRoute = { problems: kind.isNeverUnprocessable ? [404, 409] : [404, 409, 422] };
  service.post(
    kind.path,
    {
      config,
      schema: {
        operationId: kind.operationId,
        summary: kind.summary,
        ...(kind.description === undefined ? {} : { description: kind.description }),
        headers: idempotencyHeaders,
        body: bodyOf(kind),
        response: { 200: Type.Union([kind.answer, batchAnswer], { description: "The result." }) },
      },
    },
    async (request, reply) => {
      const body = request.body as ReportBody | { readonly reports: readonly ReportBody[] };
      const bodies = "reports" in body ? body.reports : [body];
      const faults = bodies.flatMap((report, i) =>
        (kind.shapeFaults?.(report) ?? []).map(
          ({ pointer, message }): RequestFault => ({
            pointer: `#${"reports" in body ? `/reports/${i}` : ""}${pointer}`,
            message,
          }),
        ),
      );
      if (faults.length > 0) return refused(invalid(faults));
      const reporter = reporterOf(request);
      const key = (request.headers as { "idempotency-key"?: string })["idempotency-key"];
      if ("reports" in body) {
        putOffDeadline(request, longAnswerMsMax);
        const logging = loggingHandler(handleReport, exchangeOf(request));
        const outcome = await receiveBatch({ handleReport: logging, database }, kind, reporter, bodies, key);
        if (outcome.status === "REJECTED") return refused(outcome.refusal);
        return answer(reply, { results: outcome.results }, outcome.isReplay);
      }
      const outcome = await handleReport(kind, reporter, body, key);
      // An accepted report proves that the reporter may act for this client, so the log line names the client.
      if (outcome.status === "ACCEPTED") exchangeOf(request).clientId = body.clientId;
      exchangeOf(request).about.objectId = kind.objectOf(body).ids[0];
      return outcome.status === "REJECTED" ? refused(outcome.refusal) : answer(reply, outcome.answer, outcome.isReplay);
    },
  );
}

function reporterOf(request: FastifyRequest): Reporter {
  const { facilityCode, carrierCode } = callerOf(request);
  return { facilityCode, carrierCode, origin: request.ip };
}

/**
 * Adds a log line for each report. It names the client only if the reporter has proved that it may act for the client.
 */
function loggingHandler(handleReport: ReportHandler, { parts }: Exchange): ReportHandler {
  return async (kind, reporter, body, ...rest) => {
    const began = performance.now();
    const outcome = await handleReport(kind, reporter, body, ...rest);
    const isAccepted = outcome.status === "ACCEPTED";
    parts.push({
      clientId: isAccepted ? body.clientId : undefined,
      objectId: kind.objectOf(body).ids[0],
      outcome: isAccepted ? "accepted" : "rejected",
      durationMs: durationSince(began),
    });
    return outcome;
  };
}

/** Sends the first answer byte for byte: a repeat comes from the store, and no serialiser may change it. */
function answer(reply: FastifyReply, body: object, isReplay: boolean): FastifyReply {
  if (isReplay) reply.header("Idempotent-Replayed", "true");
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

/** The result of one report of a batch; results are in the order of the batch. */
type BatchResult =
  | { readonly status: "ACCEPTED"; readonly result: object }
  | { readonly status: "REJECTED"; readonly problem: ProblemSummary }
  | { readonly status: "NOT_TRIED"; readonly detail: string };

interface ProblemSummary {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Pointers into the body of the batch. */
  readonly errors: readonly RequestFault[];
}

type BatchOutcome =
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
async function receiveBatch(
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
