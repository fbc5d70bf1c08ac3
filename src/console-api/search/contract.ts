import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";

/** The kinds of search results; results with an equal match have this order. */
export const foundKinds = [
  "FEED",
  "DELIVERY",
  "OUTBOUND",
  "ORDER",
  "PARCEL",
  "ITEM",
  "LOT",
  "SERIAL",
  "PURCHASE_ORDER",
  "RETURN",
  "WORK_ORDER",
  "TRANSFER",
  "CLIENT",
  "FACILITY",
] as const;
export type FoundKind = (typeof foundKinds)[number];

export const searchQuery = Type.Object(
  {
    ...scopeParameters,
    text: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "A token, a number, a name, or the beginning of one.",
      examples: ["WEB-100045"],
    }),
  },
  closed,
);

const found = Type.Object(
  {
    kind: Type.Unsafe<FoundKind>({
      type: "string",
      enum: [...foundKinds],
      description: "Kind of the object.",
      examples: ["ORDER"],
    }),
    clientId: maybeText("Its client; null for a facility.", "DEMO"),
    id: Type.String({ description: "Its identifier.", examples: ["WEB-100045"] }),
    parentId: maybeText(
      "Parent: for a parcel its order, for a delivery its webhook, for a purchase order its vendorOrderId, for a lot its SKU, for a serial number the order that took it.",
      "WEB-100045",
    ),
    label: Type.String({
      description:
        "Another name, or the object that it concerns; for a serial number its SKU; for an order found by its customer the customer.",
      examples: ["SHOP-2026-77812"],
    }),
    state: maybeText("State that it is in, where it has one.", "ALLOCATED"),
    at: nullable(moment("When it was received or last changed; null where unknown.")),
    isExact: Type.Boolean({ description: "Whether the text is a complete name of it.", examples: [true] }),
  },
  { ...closed, title: "Found", description: "An object that the text names." },
);
export type Found = Static<typeof found>;

export const foundList = Type.Object(
  { items: Type.Array(found, { description: "Exact matches first; at most 20." }) },
  { ...closed, title: "FoundList", description: "Objects that the text names." },
);
