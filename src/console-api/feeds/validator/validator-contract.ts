import Type from "typebox";
import { feedFault, feedType } from "#/console-api/feeds/contract.ts";
import { clientIdParameter, closed, text } from "#/http/routes/schema.ts";

const exampleToken = "019a4c2e-8f00-7abc-8def-000000000001";
const exampleAck = `<apiResponse><token>${exampleToken}</token><success>true</success><feedType>NO</feedType></apiResponse>`;
/** A document is text here, whatever encoding its declaration names. */
const document = Type.String({
  maxLength: 20 * 1024 * 1024,
  description: "The document, at most 20 MiB in UTF-8. The declared encoding is ignored; the text is used as sent.",
  examples: ["<orderRequest><orderId>WEB-10001</orderId><clientId>DEMO</clientId></orderRequest>"],
});

export const validateBody = Type.Object(
  {
    clientId: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{1,10}$",
        description: "The client that would send it; without it, the client that the document names.",
        examples: ["DEMO"],
      }),
    ),
    type: feedType,
    document,
  },
  { ...closed, title: "FeedDraft", description: "A document to validate." },
);

const validationFields = {
  isAccepted: Type.Boolean({ description: "Whether it is, or would be, accepted.", examples: [true] }),
  objectId: Type.Unsafe<string | null>({
    ...text("Its object, where the document names one; else null.", "WEB-10001"),
    nullable: true,
  }),
  faults: Type.Array(feedFault, { description: "Errors and warnings, each with its place." }),
  missingSkus: Type.Array(text("SKU.", "MUG-RED-330"), { description: "SKUs that no CAT has brought." }),
  ack: text("The ACK that its sender receives, or would receive.", exampleAck),
};

export const validation = Type.Object(
  {
    clientId: Type.Unsafe<string | null>({
      ...text("The client for which it was validated; null where neither request nor document names one.", "DEMO"),
      nullable: true,
    }),
    ...validationFields,
  },
  { ...closed, title: "FeedValidation", description: "The result of a validation. Nothing is stored." },
);

export const sendQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const sendBody = Type.Object(
  { type: feedType, document },
  { ...closed, title: "FeedSubmission", description: "A document to send." },
);

export const sent = Type.Object(
  {
    token: text("Token of the document.", exampleToken),
    ...validationFields,
    isReplayed: Type.Boolean({
      description: "The document repeats an earlier one, whose ACK this is.",
      examples: [false],
    }),
  },
  { ...closed, title: "SentFeed", description: "The result of a document." },
);
