import Type from "typebox";

/** Bytes that are sent as a file. */
const bytesOf = (description: string, of: string, example: string) => ({
  description,
  headers: {
    "Content-Disposition": {
      type: "string",
      description: "A name for its file.",
      examples: ['attachment; filename="019a4c2e-8f00-7abc-8def-000000000001.xml"'],
    },
  },
  content: {
    "application/xml": {
      schema: Type.Unsafe<Buffer>({ type: "string", format: "binary", description: of, examples: [example] }),
    },
  },
});

export const documentBytes = bytesOf(
  "The document, byte for byte as received.",
  "The bytes of the document.",
  "<orderRequest><orderId>WEB-10001</orderId></orderRequest>",
);

export const ackBytes = bytesOf(
  "The apiResponse that answered the document, byte for byte.",
  "The bytes of the ACK.",
  "<apiResponse><token>019a4c2e-8f00-7abc-8def-000000000001</token><success>false</success></apiResponse>",
);
