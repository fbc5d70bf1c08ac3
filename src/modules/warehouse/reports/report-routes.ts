import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type TSchema } from "typebox";
import type { Database } from "#/db/database.ts";
import { callerOf } from "#/http/access/bearer.ts";
import type { DocumentedRoute } from "#/http/openapi/openapi.ts";
import { closed } from "#/http/routes/schema.ts";
import { type Exchange, exchangeOf, longAnswerMsMax, putOffDeadline } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { chosenBy } from "#/http/server/validation.ts";
import { invalid, type RequestFault } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { durationSince } from "#/kernel/telemetry/log.ts";
import { batchAnswer, idempotencyHeaders } from "#/modules/warehouse/reports/report-answer.ts";
import { receiveBatch } from "#/modules/warehouse/reports/report-batch.ts";
import type { ReportBody, Reporter, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import type { ReportHandler } from "#/modules/warehouse/reports/report-service.ts";

export interface ReportRouteContext {
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
