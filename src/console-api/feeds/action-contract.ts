import Type from "typebox";
import { feedRecord } from "#/console-api/feeds/contract.ts";
import { createHeaders } from "#/http/requests/idempotency.ts";
import { clientIdParameter, closed, text } from "#/http/routes/schema.ts";

const exampleToken = "019a4c2e-8f00-7abc-8def-000000000001";

export { createHeaders };

export const actionQuery = Type.Object({ clientId: clientIdParameter }, closed);

/** The body needs no field: the path identifies the document and the action. */
export const actionBody = Type.Object({}, { ...closed, title: "FeedAction", description: "Nothing." });

const reprocessFields = {
  token: text("Token of the document.", exampleToken),
  outcome: Type.Enum(["ACCEPTED", "REJECTED", "PARKED", "REFUSED"], {
    type: "string",
    title: "FeedReprocessingOutcome",
    description: "The result; REFUSED: the document was not validated, `detail` has the reason.",
    examples: ["ACCEPTED"],
  }),
  isRepeat: Type.Boolean({
    description: "It was reprocessed and accepted before; this request changed nothing.",
    examples: [false],
  }),
  detail: text("In words.", "The document is accepted and takes effect like one that is sent now."),
};

export const reprocessResult = Type.Object(
  { ...reprocessFields, document: feedRecord },
  {
    ...closed,
    title: "FeedReprocessing",
    description: "The result of reprocessing, and the present state of the document.",
  },
);

export const reprocessManyBody = Type.Object(
  {
    tokens: Type.Array(text("Token.", exampleToken), {
      minItems: 1,
      maxItems: 100,
      description: "Documents of the client; they are processed in order of receipt.",
    }),
  },
  { ...closed, title: "FeedTokens", description: "Which documents." },
);

export const reprocessManyResult = Type.Object(
  {
    items: Type.Array(
      Type.Object(reprocessFields, {
        ...closed,
        title: "FeedReprocessingLine",
        description: "The result for one document.",
      }),
      { description: "In the order of processing." },
    ),
  },
  { ...closed, title: "FeedReprocessingResults", description: "The results." },
);
