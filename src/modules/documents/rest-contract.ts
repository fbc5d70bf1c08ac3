import Type, { type Static } from "typebox";
import { defineCursor, pageOf, pageParameters, placeId, receiptSortParameter } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { type DocumentContentType, documentContentTypes, documentTypes } from "#/modules/documents/domain.ts";

const id = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

export const documentTypeField = Type.Enum([...documentTypes], {
  type: "string",
  title: "DocumentType",
  description: "Kind of the document.",
  examples: ["PACKING_SLIP"],
});

/**
 * The Document record of the REST services (contract rest.md §4). Every field is always present; an unknown value is
 * `null`.
 */
export const document = Type.Object(
  {
    documentId: Type.String({ format: "uuid", description: "Identifier of the document.", examples: [id] }),
    orderId: identifier("Its order.", "WEB-100045"),
    olpnId: nullable(identifier("Its parcel; null where it is the whole order's.", "006141410000000012")),
    type: documentTypeField,
    contentType: Type.Enum([...documentContentTypes], {
      type: "string",
      description: "Media type of document/get.",
      examples: ["application/pdf"],
    }),
    language: maybeText("Language of its text.", "en-GB"),
    createdAt: moment("When it was created; a recreated document keeps its documentId."),
    size: Type.Integer({ description: "Bytes.", examples: [48213] }),
    sha256: Type.String({
      description: "SHA-256 of its bytes in hexadecimal digits; also in the ETag.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
  },
  { ...closed, title: "Document", description: "A paper of an order." },
);

export type DocumentRecord = Static<typeof document>;

export const documentPage = pageOf(document, "Documents of an order, by creation.");

export const documentOrderPath = Type.Object({ orderId: identifier("The order.", "WEB-100045") }, closed);

export const documentListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    olpnId: Type.Optional(
      identifier("Only the documents of this parcel, without those of the whole order.", "006141410000000012"),
    ),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);
export type DocumentListQuery = Static<typeof documentListQuery>;

/** No format: an id that is no UUID is answered as not found. */
export const documentPath = Type.Object({ documentId: identifier("The document.", id) }, closed);

export const documentQuery = Type.Object({ clientId: clientIdParameter }, closed);

// Other header lines are ignored.
export const documentHeaders = Type.Object({
  "if-none-match": Type.Optional(
    Type.String({
      maxLength: 4096,
      description: "ETag of a cached copy: the answer is 304 if it is current.",
      examples: ['"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'],
    }),
  ),
});

const beginnings: Readonly<Record<DocumentContentType, string>> = {
  "application/pdf": "%PDF-1.7",
  "application/zpl": "^XA^FO50,50^FDWEB-100045^FS^XZ",
  "image/png": "PNG",
};

const header = (description: string, example: string) => ({ type: "string", description, examples: [example] });

const tag = header("SHA-256 of the bytes.", '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"');

/** The bytes themselves, in each form. */
export const documentBytes = {
  description: "The document itself, in the media type that its record names.",
  headers: {
    ETag: tag,
    "Content-Disposition": header("Name for the file.", 'attachment; filename="packing-slip-WEB-100045.pdf"'),
    "Content-Digest": header(
      "SHA-256 of the bytes (RFC 9530).",
      "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:",
    ),
  },
  content: Object.fromEntries(
    documentContentTypes.map((contentType) => [
      contentType,
      {
        schema: Type.Unsafe<Buffer>({
          type: "string",
          format: "binary",
          description: "The bytes of the document.",
          examples: [beginnings[contentType]],
        }),
      },
    ]),
  ),
};

export const documentUnchanged = Type.Unsafe<undefined>({
  type: "null",
  description: "The copy in If-None-Match is current.",
  headers: { ETag: tag },
});

const place = Type.Object({ id: placeId });

export const documentCursors = {
  receivedAt: defineCursor("documents:receivedAt", place),
  "-receivedAt": defineCursor("documents:-receivedAt", place),
};
