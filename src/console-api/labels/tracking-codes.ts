import Type, { type Static } from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { listSeenCodes } from "#/console-api/labels/tracking-codes.cross-client.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { eventCodes, eventName, ownCodesMax } from "#/kernel/event-codes.ts";
import { refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { listMappedCodes, mapCode } from "#/modules/carriers/index.ts";
import { recordAudit } from "#/store/db/audit.ts";

/** A code that was not seen for longer is shown only if it is mapped. */
const seenDays = 400;

const eventCode = Type.Integer({ minimum: 101, maximum: 999, description: "Carrier event code.", examples: [120] });
const code = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "Code of the carrier or tracking service, whatever its case.",
  examples: ["in_transit"],
});

const trackingCode = Type.Object(
  {
    carrierCode: text("Carrier or tracking service.", "EASYPOST"),
    code: text("Its code, in lower case.", "in_transit"),
    eventCode: nullable(eventCode),
    eventName: maybeText("Name of the event code; null: the code is not mapped, its events are 399.", "In Transit"),
    isBuiltIn: Type.Boolean({ description: "The program maps it, and no operator.", examples: [false] }),
    events: Type.Integer({ description: "Events with the code while it was not mapped.", examples: [3] }),
    lastSeenAt: nullable(moment("The last of them.")),
  },
  { ...closed, title: "TrackingCode", description: "A code of a carrier or tracking service." },
);
type TrackingCode = Static<typeof trackingCode>;

const trackingCodeList = Type.Object(
  { items: Type.Array(trackingCode, { description: "Codes that events had unmapped first, the last seen before." }) },
  { ...closed, title: "TrackingCodeList", description: "Codes of carriers and their event codes." },
);

const trackingCodeMap = Type.Object(
  { carrierCode: identifier("Carrier or tracking service.", "EASYPOST"), code, eventCode },
  { ...closed, title: "TrackingCodeMap", description: "A code to map." },
);

/** The table of tracking codes (contract carriers.md, Tracking codes). */
export function addTrackingCodeRoutes(service: HttpServer, context: OperatorContext): void {
  service.get(
    "/trackingCode/list",
    {
      schema: {
        operationId: "listTrackingCodes",
        summary: "Codes of carriers and tracking services, with their event codes",
        response: { 200: trackingCodeList },
      } as const,
      config: { ...answers(), role: "viewer", isPlatform: true },
    },
    async () => {
      const since = new Date(context.clock.now() - seenDays * dayMs).toISOString();
      const [seen, mapped] = await Promise.all([
        listSeenCodes(context.across, since),
        listMappedCodes(context.database),
      ]);
      const named = new Map(mapped.map((row) => [`${row.carrierCode} ${row.code}`, row]));
      const items = seen.map((row): TrackingCode => {
        const name = `${row.carrierCode} ${row.code}`;
        const known = named.get(name);
        named.delete(name);
        const { eventCode = null, isBuiltIn = false } = known ?? {};
        return { ...row, eventCode, eventName: eventCode === null ? null : eventName(eventCode), isBuiltIn };
      });
      const unseen = [...named.values()].map((row) => ({
        ...row,
        eventName: eventName(row.eventCode),
        events: 0,
        lastSeenAt: null,
      }));
      return { items: [...items, ...unseen] };
    },
  );

  service.post(
    "/trackingCode/map",
    {
      schema: {
        operationId: "mapTrackingCode",
        summary: "Map a code of a carrier or tracking service to an event code",
        description: "For all clients, from the next event on. Events that are recorded keep their code.",
        headers: createHeaders,
        body: trackingCodeMap,
        response: { 200: trackingCodeMap },
      } as const,
      config: { ...answers(422), role: "admin", isPlatform: true },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        const { eventCode } = request.body;
        if (!(eventCode in eventCodes) || eventCode <= ownCodesMax) {
          return refused(problem("unprocessable", `${eventCode} is no event code that carriers report.`));
        }
        const stored = mapCode(tx.plain, request.body);
        const objectId = `${stored.carrierCode} ${stored.code}`;
        recordAudit(tx, { action: "map", objectType: "trackingCode", objectId, detail: { eventCode } });
        return answered(stored);
      }),
  );
}
