// The answers of reports: each service returns the result of its report; this file has their common parts.
import Type, { type TProperties } from "typebox";
import { closed } from "#/http/routes/schema.ts";

export const idempotencyHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        "Identifies the request: a repeat gets the first answer. In a batch it identifies every report by its position.",
      examples: ["7f9c2ba4-e88f-4a3c-9c07-6c5e5a1f0c11"],
    }),
  ),
});

/** Open: later versions may add fields to the result of a report. */
export const answerOf = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
  Type.Object(fields, { additionalProperties: true, title, description });

const problemSummary = Type.Object(
  {
    type: Type.String({ description: "Path of the page that explains it.", examples: ["/problems/conflict"] }),
    title: Type.String({
      description: "The kind of problem.",
      examples: ["The state of the object does not allow it"],
    }),
    status: Type.Integer({ description: "As for a single report.", examples: [409] }),
    detail: Type.String({ description: "What is wrong.", examples: ["Order WEB-100045 is cancelled."] }),
    errors: Type.Array(
      Type.Object(
        {
          pointer: Type.String({
            description: "JSON pointer into the body of the batch.",
            examples: ["#/reports/0/lines/0/serials"],
          }),
          message: Type.String({ description: "What is wrong with the field.", examples: ["is required"] }),
        },
        closed,
      ),
      { description: "The invalid fields, where the refusal concerns fields." },
    ),
  },
  { ...closed, description: "Reason of the refusal." },
);

/** The answer of a batch. */
export const batchAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          status: Type.Enum(["ACCEPTED", "REJECTED", "NOT_TRIED"], {
            type: "string",
            description: "NOT_TRIED: an earlier report on the same object was refused.",
            examples: ["ACCEPTED"],
          }),
          result: Type.Optional(
            Type.Unsafe<object>({
              type: "object",
              additionalProperties: true,
              description: "For an accepted report: its result, as for a single report.",
              examples: [{ orderId: "WEB-100045", status: "PICKING" }],
            }),
          ),
          problem: Type.Optional(problemSummary),
          detail: Type.Optional(
            Type.String({ description: "Why it was not attempted.", examples: ["An earlier report …"] }),
          ),
        },
        closed,
      ),
      { description: "One for each report, in the order of the batch." },
    ),
  },
  { ...closed, title: "BatchAnswer", description: "The results." },
);
