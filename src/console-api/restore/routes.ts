import Type, { type Static } from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { notifyChange } from "#/modules/clients/index.ts";
import type { Tx } from "#/store/db/database.ts";
import { listHolds, releaseHolds, restoreParts } from "#/store/db/store/restore-hold.ts";

const part = Type.Enum([...restoreParts], {
  type: "string",
  title: "RestorePart",
  description:
    "DELIVERIES: webhooks, outbound feeds and mails. ALLOCATION: processing of accepted documents, and stock for orders. TASKS: work for the warehouses.",
  examples: ["DELIVERIES"],
});

const hold = Type.Object(
  {
    restoredTo: Type.String({
      description: "The restore, by the restored time or by the name of the database.",
      examples: ["2026-11-21T03:00:00.000Z"],
    }),
    part,
    heldAt: moment("Since when the part waits."),
    releasedAt: nullable(moment("When it was released; null: it waits.")),
    releasedBy: maybeText("User who released it.", "user:anna"),
  },
  { ...closed, title: "RestoreHold", description: "A part of a restore." },
);

const restoreState = Type.Object(
  {
    waiting: Type.Array(part, { description: "The parts that wait; empty: none." }),
    holds: Type.Array(hold, { description: "Parts that wait or waited, the newest restore first." }),
  },
  { ...closed, title: "RestoreState", description: "State of the release after a restore of the database." },
);
type RestoreState = Static<typeof restoreState>;

const restoreRelease = Type.Object(
  {
    parts: Type.Array(part, {
      minItems: 1,
      maxItems: restoreParts.length,
      description: "The parts to release.",
      examples: [["ALLOCATION", "TASKS"]],
    }),
  },
  { ...closed, title: "RestoreRelease", description: "Parts to release." },
);

/** The parts that are held after a restore, and their release (contract operations.md §3, CROSSDOCK_RESTORED). */
export function addRestoreRoutes(service: HttpServer, context: OperatorContext): void {
  service.get(
    "/restore/get",
    {
      schema: {
        operationId: "getRestoreState",
        summary: "State of the release after a restore",
        response: { 200: restoreState },
      } as const,
      config: { partition: "none" },
    },
    () => stateOf(context.database),
  );

  service.post(
    "/restore/release",
    {
      schema: {
        operationId: "releaseRestored",
        summary: "Release parts after a restore",
        description: "It takes effect in all nodes within a second, and cannot be undone.",
        headers: createHeaders,
        body: restoreRelease,
        response: { 200: restoreState },
      } as const,
      config: { ...answers(409), role: "admin", isPlatform: true },
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) => {
        await releaseHolds(tx.plain, tx.change, request.body.parts);
        await notifyChange(tx.plain);
        return answered(await stateOf(tx.plain));
      }),
  );
}

async function stateOf(tx: Tx): Promise<RestoreState> {
  const holds = await listHolds(tx);
  const waiting = new Set(holds.filter(({ released_at }) => released_at === null).map(({ part }) => part));
  return {
    waiting: restoreParts.filter((part) => waiting.has(part)),
    holds: holds.map(({ restored_to, part, held_at, released_at, released_by }) => ({
      restoredTo: restored_to,
      part,
      heldAt: held_at,
      releasedAt: released_at,
      releasedBy: released_by,
    })),
  };
}
