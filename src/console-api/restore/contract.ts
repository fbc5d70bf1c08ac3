import Type, { type Static } from "typebox";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { restoreParts } from "#/store/db/store/restore-hold.ts";

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

export const restoreState = Type.Object(
  {
    waiting: Type.Array(part, { description: "The parts that wait; empty: none." }),
    holds: Type.Array(hold, { description: "Parts that wait or waited, the newest restore first." }),
  },
  { ...closed, title: "RestoreState", description: "State of the release after a restore of the database." },
);
export type RestoreState = Static<typeof restoreState>;

export const restoreRelease = Type.Object(
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
