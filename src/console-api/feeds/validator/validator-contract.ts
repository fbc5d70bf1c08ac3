import Type from "typebox";
import { feedFault, feedType } from "#/console-api/feeds/contract.ts";
import { clientIdParameter } from "#/http/routes/schema.ts";

const closed = { additionalProperties: false } as const;
const exampleToken = "019a4c2e-8f00-7abc-8def-000000000001";
const exampleAck = `<apiResponse><token>${exampleToken}</token><success>true</success><feedType>NO</feedType></apiResponse>`;
const text = (description: string, example: string) => Type.String({ description, examples: [example] });

/** A document is text here, whatever encoding its declaration names. */
const document = Type.String({
  maxLength: 20 * 1024 * 1024,
  description:
    "The document, at most 20 MiB in UTF-8. Whatever encoding it declares, it is taken as the text that stands here.",
  examples: ["<orderRequest><orderId>WEB-10001</orderId><clientId>DEMO</clientId></orderRequest>"],
});

export const validateBody = Type.Object(
  {
    clientId: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{1,10}$",
        description: "Who would send it; without it, whom the document names.",
        examples: ["DEMO"],
      }),
    ),
    type: feedType,
    document,
  },
  { ...closed, title: "FeedDraft", description: "A document to be judged." },
);

const judged = {
  isAccepted: Type.Boolean({ description: "Whether it is, or would be, accepted.", examples: [true] }),
  objectId: Type.Unsafe<string | null>({
    ...text("What it is about, where it says so; else null.", "WEB-10001"),
    nullable: true,
  }),
  faults: Type.Array(feedFault, { description: "Errors and warnings, each with its place." }),
  missingSkus: Type.Array(text("SKU.", "MUG-RED-330"), { description: "SKUs that no CAT has brought." }),
  ack: text("The ACK, as its sender is, or would be, answered.", exampleAck),
};

export const validation = Type.Object(
  {
    clientId: Type.Unsafe<string | null>({
      ...text("For whom it was judged; null where neither request nor document names a client.", "DEMO"),
      nullable: true,
    }),
    ...judged,
  },
  { ...closed, title: "FeedValidation", description: "What would come of a document. Nothing of it is kept." },
);

export const sendQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const sendBody = Type.Object(
  { type: feedType, document },
  { ...closed, title: "FeedSubmission", description: "A document to be sent." },
);

export const sent = Type.Object(
  {
    token: text("Token of the document.", exampleToken),
    ...judged,
    isReplayed: Type.Boolean({
      description: "It repeats an earlier document, whose ACK this is.",
      examples: [false],
    }),
  },
  { ...closed, title: "SentFeed", description: "What came of a document." },
);
