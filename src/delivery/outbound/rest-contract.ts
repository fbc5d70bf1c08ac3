import Type from "typebox";
import { defineCursor, pageParameters } from "#/http/requests/paging.ts";
import { closed, moment } from "#/http/routes/schema.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";

const messageId = Type.String({
  description: "Identifier of the document, as its messageId.",
  examples: ["019a4c2e-8f00-7abc-8def-0123456789ab"],
});

const type = Type.Enum([...outboundTypes], { type: "string", description: "Feed type.", examples: ["OS"] });

export const clientPath = Type.Object({ clientId: Type.String() }, closed);
export const documentPath = Type.Object({ clientId: Type.String(), messageId: Type.String() }, closed);

export const listQuery = Type.Object({ type: Type.Optional(type), ...pageParameters }, closed);

export const outboundPage = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          messageId,
          type,
          objectId: Type.String({ description: "Its object.", examples: ["WEB-100045"] }),
          createdAt: moment("When it was created."),
          size: Type.Integer({ description: "Size of the XML in bytes.", examples: [1024] }),
        },
        closed,
      ),
    ),
    nextCursor: Type.String({
      description: "Sent as `cursor`, it answers the next page; it is never null, because later documents follow.",
    }),
  },
  { ...closed, description: "Documents that are not acknowledged, oldest first." },
);

/** The two types that are written on request. */
export const requestBody = Type.Object(
  {
    type: Type.Enum(["INV", "IMS"], {
      type: "string",
      description: "INV: a snapshot of the stock. IMS: the movements since the last statement.",
      examples: ["INV"],
    }),
    distributionCentre: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Code of the facility.",
      examples: ["DC1"],
    }),
  },
  closed,
);

export const requestAnswer = Type.Object(
  {
    messageId: Type.String({
      description: "Identifier of its first part.",
      examples: ["019a4c2e-8f00-7abc-8def-0123456789ab"],
    }),
  },
  closed,
);

/**
 * Cursors of the list: the place of the last returned document. The list of one type has separate cursors, because it
 * skips the places between.
 */
export function listCursor(of: string | undefined) {
  return cursors[of ?? "all"] ?? cursorOf("all");
}

const cursorOf = (kind: string) => defineCursor(`outbound:${kind}`, Type.Integer({ minimum: 0 }));
const cursors: Readonly<Record<string, ReturnType<typeof cursorOf>>> = Object.fromEntries(
  ["all", ...outboundTypes].map((kind) => [kind, cursorOf(kind)]),
);
