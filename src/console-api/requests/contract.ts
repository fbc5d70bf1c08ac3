import Type from "typebox";
import { requestListParameters, requestRecordFields } from "#/http/request-log/contract.ts";
import { closed, identifier } from "#/http/routes/schema.ts";

const clientId = identifier(
  "The client that sent the requests, or `facility:DC1` for the warehouse of a facility.",
  "ACME",
);

export const requestListQuery = Type.Object({ ...requestListParameters, clientId }, closed);

export const requestQuery = Type.Object({ clientId }, closed);

export const requestRecord = Type.Object(
  {
    ...requestRecordFields,
    clientId: Type.String({ description: "The client, or `facility:DC1`.", examples: ["ACME"] }),
    isDocumentStored: Type.Boolean({
      description: "Whether the feed log has a document of this token.",
      examples: [false],
    }),
  },
  { ...closed, title: "LoggedRequestRecord", description: "A request over HTTP, with its problem." },
);

export const requestBody = Type.Object(
  {
    text: Type.String({ description: "The body, at most its first 16 384 characters.", examples: ['{"reason":""}'] }),
    bytes: Type.Integer({ description: "Size of the whole body.", examples: [13] }),
  },
  { ...closed, title: "LoggedRequestBody", description: "The body of a failed request." },
);
