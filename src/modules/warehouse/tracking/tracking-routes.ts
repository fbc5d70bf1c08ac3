import type { FastifyRequest } from "fastify";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { TrackingSecrets, TrackingSourceName } from "#/kernel/config/parsers.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { eventCodeOf } from "#/modules/carriers/index.ts";
import { carrierEvent } from "#/modules/warehouse/reports/parcel-reports.ts";
import type { CarrierEventBody } from "#/modules/warehouse/reports/report-contract.ts";
import type { ReportHandler } from "#/modules/warehouse/reports/report-service.ts";
import { readTrackingEvents, sentAtOf, type TrackingEvent } from "#/modules/warehouse/tracking/tracking-events.ts";
import { isSigned } from "#/modules/warehouse/tracking/tracking-signature.ts";
import { trackingSources } from "#/modules/warehouse/tracking/tracking-sources.ts";
import type { Database } from "#/store/db/database.ts";

export interface TrackingRoutesContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly handleReport: ReportHandler;
  readonly secrets: TrackingSecrets;
}

const bodyBytesMax = 256 * 1024;
/** A service repeats a notification for some hours. An older one is a replay. */
const ageMsMax = 3 * dayMs;

/** Notifications of tracking services (warehouse.md): acknowledged when their events are committed. */
export function registerTrackingRoutes(app: HttpServer, context: TrackingRoutesContext): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The signature is over the bytes as they came.
    scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post<{ Params: { source: string } }>(
      "/v1/trackingWebhooks/:source",
      { bodyLimit: bodyBytesMax },
      async (request, reply) => {
        const { source } = request.params;
        const secrets = isSource(source) ? context.secrets[source] : undefined;
        if (!isSource(source) || secrets === undefined) {
          return sendProblem(reply, problem("not-found", "There is no tracking source of this name."));
        }
        const { signature, mapping } = trackingSources[source];
        const nowMs = context.clock.now();
        const signed = signedRequest(request, nowMs);
        if (!isSigned(signature, secrets, signed)) {
          return sendProblem(reply, problem("signature-invalid", "The signature is missing, wrong or too old."));
        }
        const body = parsed(signed.body);
        if (body === undefined) return sendProblem(reply, problem("malformed-request", "The body is not JSON."));
        const sentAt = sentAtOf(mapping, body);
        if (sentAt !== undefined && Date.parse(sentAt) < nowMs - ageMsMax) {
          return sendProblem(reply, problem("unprocessable", "The notification is older than three days."));
        }
        const results = [];
        for (const event of readTrackingEvents(mapping, body)) {
          results.push(await reportTrackingEvent(context, source, event, request.ip));
        }
        return reply.send({ results });
      },
    );
  });
}

const isSource = (name: string): name is TrackingSourceName => Object.hasOwn(trackingSources, name);

function signedRequest({ headers, query, body }: FastifyRequest, nowMs: number) {
  // A request without a body has none, and no signature of it.
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0);
  return { headers, query: query as Record<string, unknown>, body: bytes, nowMs };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) ?? undefined;
  } catch {
    return undefined;
  }
}

/** One event by the way of every carrier event. An unknown parcel is not a reason to send it again. */
export async function reportTrackingEvent(
  { database, handleReport }: Pick<TrackingRoutesContext, "database" | "handleReport">,
  source: string,
  { trackingNumber, codes, ...event }: TrackingEvent,
  origin: string,
) {
  const carrierCode = source.toUpperCase();
  const known = await Promise.all(codes.map((code) => eventCodeOf(database, carrierCode, code)));
  const [first = ""] = codes;
  const carrierEventCode = codes.find((_, i) => known[i] !== undefined) ?? first;
  const reporter = { facilityCode: undefined, carrierCode, origin };
  const body: CarrierEventBody = { trackingNumber, carrierEventCode, ...event };
  const outcome = await handleReport(carrierEvent, reporter, body);
  if (outcome.status === "ACCEPTED") {
    const { eventCode, isRepeat } = outcome.answer as { eventCode: number; isRepeat: boolean };
    return { trackingNumber, carrierEventCode, outcome: isRepeat ? "REPEAT" : "RECORDED", eventCode };
  }
  const isUnknown = outcome.refusal.kind === "notFound";
  return { trackingNumber, carrierEventCode, outcome: isUnknown ? "UNKNOWN_PARCEL" : "REFUSED", eventCode: null };
}
