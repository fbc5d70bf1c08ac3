import Type from "typebox";
import { feedRecord } from "#/console-api/feeds/contract.ts";
import { createHeaders } from "#/http/requests/idempotency.ts";
import { clientIdParameter } from "#/http/routes/schema.ts";

const closed = { additionalProperties: false } as const;
const exampleToken = "019a4c2e-8f00-7abc-8def-000000000001";
const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export { createHeaders };

export const actionQuery = Type.Object({ clientId: clientIdParameter }, closed);

/** The body needs no field: the path identifies the document and the action. */
export const actionBody = Type.Object({}, { ...closed, title: "FeedAction", description: "Nothing." });

const judgement = {
  token: text("Token of the document.", exampleToken),
  outcome: Type.Enum(["ACCEPTED", "REJECTED", "PARKED", "REFUSED"], {
    type: "string",
    title: "FeedJudgementOutcome",
    description: "What came of it; REFUSED: it was not judged, `detail` says why.",
    examples: ["ACCEPTED"],
  }),
  isRepeat: Type.Boolean({
    description: "It had been judged again before, and accepted: nothing was done now.",
    examples: [false],
  }),
  detail: text("In words.", "The document is accepted, and takes effect as one that was sent now."),
};

export const judgedAgain = Type.Object(
  { ...judgement, document: feedRecord },
  { ...closed, title: "FeedJudgement", description: "What a document was judged to, and how it stands now." },
);

export const judgeManyBody = Type.Object(
  {
    tokens: Type.Array(text("Token.", exampleToken), {
      minItems: 1,
      maxItems: 100,
      description: "Documents of the client; they are judged in the order in which they were received.",
    }),
  },
  { ...closed, title: "FeedTokens", description: "Which documents." },
);

export const judgedMany = Type.Object(
  {
    items: Type.Array(
      Type.Object(judgement, { ...closed, title: "FeedJudgementLine", description: "What came of one document." }),
      { description: "In the order in which they were judged." },
    ),
  },
  { ...closed, title: "FeedJudgements", description: "What came of each document." },
);
