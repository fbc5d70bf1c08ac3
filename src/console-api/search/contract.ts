import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { moment, nullable } from "#/http/routes/schema.ts";

const closed = { additionalProperties: false } as const;

/** The kinds of search results; results with an equal match have this order. */
export const foundKinds = [
  "FEED",
  "DELIVERY",
  "OUTBOUND",
  "ORDER",
  "PARCEL",
  "ITEM",
  "PURCHASE_ORDER",
  "RETURN",
  "WORK_ORDER",
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
      description: "What somebody has in hand: a token, a number, a name, or the beginning of one.",
      examples: ["WEB-100045"],
    }),
  },
  closed,
);

const text = (description: string, example: string) => nullable(Type.String({ description, examples: [example] }));

const found = Type.Object(
  {
    kind: Type.Unsafe<FoundKind>({
      type: "string",
      enum: [...foundKinds],
      description: "What it is.",
      examples: ["ORDER"],
    }),
    clientId: text("Whose it is; null of a facility.", "DEMO"),
    id: Type.String({ description: "Its identifier.", examples: ["WEB-100045"] }),
    parentId: text(
      "What it is shown with: of a parcel its order, of a delivery its webhook, of a purchase order its vendorOrderId.",
      "WEB-100045",
    ),
    label: Type.String({
      description: "What it is called besides, or what it is about.",
      examples: ["SHOP-2026-77812"],
    }),
    state: text("State that it is in, where it has one.", "ALLOCATED"),
    at: nullable(moment("When it came, or was last changed; null where that is not known.")),
    isExact: Type.Boolean({ description: "Whether the text is the whole of a name of it.", examples: [true] }),
  },
  { ...closed, title: "Found", description: "Something that the text names." },
);
export type Found = Static<typeof found>;

export const foundList = Type.Object(
  { items: Type.Array(found, { description: "Exact ones first; 20 at the most." }) },
  { ...closed, title: "FoundList", description: "What the text names." },
);
