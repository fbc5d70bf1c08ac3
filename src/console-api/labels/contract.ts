import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters, placeId, placeMoment, placeText } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import { sourceCode, sourceDefinition, sourceKinds } from "#/modules/labels/index.ts";
import { purchaseStates } from "#/modules/labels/states.ts";

/** Label sources and purchases of labels, for operators (contract carriers.md, Label sources). */
const sourceKind = Type.Enum([...sourceKinds], {
  type: "string",
  title: "LabelSourceKind",
  description: "HTTP: its calls are set up here. Of the others the program knows the calls.",
  examples: ["EASYPOST"],
});
const name = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "Display name.",
  examples: ["EasyPost, Europe"],
});
const url = Type.String({
  maxLength: 500,
  pattern: "^https?://[!-~]+$",
  description: "Where its paths begin; plain http in a sandbox only.",
  examples: ["https://api.easypost.com/v2"],
});
const isActive = Type.Boolean({ description: "False: purchases at the source wait.", examples: [true] });
const headers = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  additionalProperties: { type: "string", maxLength: 4_000 },
  maxProperties: 10,
  description: "Headers with secrets, which replace the stored ones. No answer shows them.",
  examples: [{ authorization: "Basic RVpBSzo=" }],
});
const count = (description: string) => Type.Integer({ description, examples: [12] });

export const health = Type.Object(
  {
    pending: count("Purchases that wait for the source."),
    bought: count("Labels bought in the last 24 hours."),
    failed: count("Purchases that the source refused in the last 24 hours, or that wait for an operator."),
    lastError: maybeText("Why the last of them failed, or waits.", "timeout: not ended within 15000 ms"),
    oldestPendingAt: nullable(moment("When the purchase was ordered that has waited longest.")),
  },
  { ...closed, title: "LabelSourceHealth", description: "How the source works." },
);
export type SourceHealth = Static<typeof health>;

export const source = Type.Object(
  {
    sourceCode,
    name,
    kind: sourceKind,
    url,
    isActive,
    definition: sourceDefinition,
    headerNames: Type.Array(text("Name of a header.", "authorization"), { description: "Headers with secrets." }),
    health,
    updatedBy: text("Who changed it last.", "user:anna"),
    updatedAt: moment("When."),
    version: count("Counts up with every change."),
  },
  { ...closed, title: "LabelSource", description: "A service that sells labels." },
);
export type SourceRecord = Static<typeof source>;

export const sourceList = Type.Object(
  { items: Type.Array(source, { description: "By code." }) },
  { ...closed, title: "LabelSources", description: "All label sources." },
);

export const sourcePath = Type.Object({ sourceCode: identifier("The source.", "EASYPOST-EU") }, closed);

export const sourceCreate = Type.Object(
  {
    sourceCode,
    name,
    kind: sourceKind,
    url,
    isActive: Type.Optional(isActive),
    headers: Type.Optional(headers),
    definition: Type.Optional(sourceDefinition),
  },
  { ...closed, title: "LabelSourceCreate", description: "A source to set up." },
);

export const sourcePatch = Type.Object(
  {
    name: Type.Optional(name),
    url: Type.Optional(url),
    isActive: Type.Optional(isActive),
    headers: Type.Optional(headers),
    definition: Type.Optional(sourceDefinition),
  },
  { ...closed, title: "LabelSourcePatch", description: "Changes. Fields that are left out do not change." },
);

export const tested = Type.Object(
  {
    isGood: Type.Boolean({ description: "The source answered, and accepted the secrets.", examples: [true] }),
    detail: text("Its answer, in short.", "status 200"),
  },
  { ...closed, title: "LabelSourceTest", description: "The result of a test." },
);

const purchaseStatus = Type.Enum([...purchaseStates], {
  type: "string",
  title: "LabelPurchaseStatus",
  description: "State of the purchase (docs/states.md).",
  examples: ["BOUGHT"],
});

export const purchase = Type.Object(
  {
    purchaseId: text("The purchase: its key at the source.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"),
    clientId: text("Client.", "DEMO"),
    orderId: text("Order.", "WEB-100045"),
    olpnId: text("Parcel.", "006141410000000012"),
    facilityCode: text("Facility that packed it.", "DC1"),
    carrierCode: text("Carrier.", "RM"),
    serviceCode: text("Its service.", "RM48"),
    sourceCode: text("Label source.", "EASYPOST-EU"),
    status: purchaseStatus,
    tries: count("Attempts so far."),
    dueAt: nullable(moment("The next attempt.")),
    externalId: maybeText("Id at the source.", "shp_f5d1"),
    trackingNumber: maybeText("Tracking number.", "RM123456785GB"),
    price: maybeText("Price.", "4.20"),
    currency: maybeText("Its currency.", "GBP"),
    error: maybeText("Why the last attempt failed.", "The address is not served."),
    createdAt: moment("When the parcel was packed, or the source before it failed."),
    updatedAt: moment("When it last changed."),
  },
  { ...closed, title: "LabelPurchase", description: "The purchase of a label at one source." },
);
export type PurchaseRecord = Static<typeof purchase>;
export const purchasePage = pageOf(purchase, "Purchases of labels, the last changed first.");

export const purchaseListQuery = Type.Object(
  {
    ...scopeParameters,
    status: Type.Optional(Type.Array(purchaseStatus, { maxItems: 7, description: "Only these states." })),
    sourceCode: Type.Optional(identifier("Only this source.", "EASYPOST-EU")),
    ...pageParameters,
  },
  closed,
);
export const purchaseCursor = defineCursor(
  "labelPurchases",
  Type.Object({ at: placeMoment, client: placeText(), id: placeId }, closed),
);

export const purchasePath = Type.Object(
  { purchaseId: identifier("The purchase.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11") },
  closed,
);
export const purchaseQuery = Type.Object({ clientId: clientIdParameter }, closed);
export const purchaseAction = Type.Object({}, { ...closed, title: "LabelPurchaseAction", description: "Nothing." });
