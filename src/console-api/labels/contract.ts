import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { defineCursor, pageOf, pageParameters, placeId, placeMoment, placeText } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import { leftOutReasons, sourceCode, sourceDefinition, sourceKinds } from "#/modules/labels/index.ts";
import { manifestStates, pickupStates, purchaseStates } from "#/modules/labels/states.ts";

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

const manifestStatus = Type.Enum([...manifestStates], {
  type: "string",
  title: "LabelManifestStatus",
  description: "State of the manifest (docs/states.md).",
  examples: ["MADE"],
});

const pickupState = Type.Enum([...pickupStates], {
  type: "string",
  title: "LabelPickupState",
  description: "The collection that is booked with the source; null: it books none, or the manifest is not made.",
  examples: ["BOOKED"],
});

export const manifestRow = Type.Object(
  {
    manifestId: text("The manifest: its key at the source.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12"),
    clientId: text("Client.", "DEMO"),
    facilityCode: text("Facility that the parcels leave.", "DC1"),
    sourceCode: text("Label source; OWN: the platform printed the labels.", "EASYPOST-EU"),
    carrierCode: text("Carrier.", "RM"),
    cutOffAt: nullable(moment("The cut-off of the facility; null: a person asked for it.")),
    status: manifestStatus,
    tries: count("Attempts so far."),
    dueAt: nullable(moment("The next attempt.")),
    parcels: count("Parcels on it."),
    leftOut: count("Parcels that are left out."),
    externalId: maybeText("Id at the source.", "sf_1"),
    contentType: maybeText("Form of the carrier's document; null: it made none.", "application/pdf"),
    error: maybeText("Why the last attempt failed.", "A shipment has another origin."),
    pickupState: Type.Optional(nullable(pickupState)),
    pickupId: Type.Optional(maybeText("Number of the collection at the source.", "PU-77")),
    pickupError: Type.Optional(maybeText("Why the last attempt to book it failed.", "No driver on this day.")),
    createdBy: text("Who asked for it.", "worker"),
    createdAt: moment("When it was begun."),
    updatedAt: moment("When it last changed."),
  },
  { ...closed, title: "LabelManifestRow", description: "A manifest in the list." },
);
export type ManifestRow = Static<typeof manifestRow>;
export const manifestPage = pageOf(manifestRow, "Manifests, the last changed first.");

const onManifest = {
  orderId: text("Order.", "WEB-100045"),
  olpnId: text("Parcel.", "006141410000000012"),
  trackingNumber: maybeText("Tracking number.", "RM123456785GB"),
};
export const manifestDetail = Type.Object(
  {
    ...manifestRow.properties,
    parcels: Type.Array(
      Type.Object(onManifest, { ...closed, title: "ManifestParcel", description: "A parcel on it." }),
      { description: "Parcels on it." },
    ),
    leftOut: Type.Array(
      Type.Object(
        {
          ...onManifest,
          reason: Type.Enum([...leftOutReasons], {
            type: "string",
            title: "LeftOutReason",
            description:
              "VOIDED: its label was given back. NOT_LOADED: it is still in the facility. BOUGHT_ELSEWHERE: another source sold its label. REFUSED: the source sells none. NOT_BOUGHT: its label is being bought.",
            examples: ["NOT_LOADED"],
          }),
        },
        { ...closed, title: "LeftOutParcel", description: "A parcel that is left out." },
      ),
      { description: "Parcels that are left out, with the reason." },
    ),
  },
  { ...closed, title: "LabelManifest", description: "What a facility gives to a carrier of a label source." },
);
export type ManifestDetail = Static<typeof manifestDetail>;

export const manifestListQuery = Type.Object(
  {
    ...scopeParameters,
    status: Type.Optional(Type.Array(manifestStatus, { maxItems: 4, description: "Only these states." })),
    sourceCode: Type.Optional(identifier("Only this source.", "EASYPOST-EU")),
    ...pageParameters,
  },
  closed,
);
export const manifestCursor = defineCursor(
  "labelManifests",
  Type.Object({ at: placeMoment, client: placeText(), id: placeId }, closed),
);
export const manifestPath = Type.Object(
  { manifestId: identifier("The manifest.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12") },
  closed,
);
export const manifestReadQuery = Type.Object({ clientId: identifier("The client.", "DEMO") }, closed);
export const manifestCreate = Type.Object(
  {
    distributionCentre: identifier("The facility.", "DC1"),
    sourceCode: identifier("The label source, or OWN.", "EASYPOST-EU"),
  },
  { ...closed, title: "LabelManifestCreate", description: "Manifests to make now." },
);
export const manifestsBegun = Type.Object(
  {
    manifestIds: Type.Array(text("A manifest.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12"), {
      description: "One for each carrier and 500 parcels.",
    }),
  },
  { ...closed, title: "LabelManifestsBegun", description: "The manifests that were begun." },
);
const fileOf = (description: string) => ({
  schema: Type.Unsafe<Buffer>({ type: "string", format: "binary", description, examples: ["%PDF-1.4"] }),
});
export const manifestBytes = {
  description: "The document as the carrier made it, or else the platform's list of the parcels.",
  headers: {
    "Content-Disposition": {
      type: "string",
      description: "A name for its file.",
      examples: ['attachment; filename="manifest-DC1-RM.pdf"'],
    },
  },
  content: {
    "application/pdf": fileOf("The carrier's document."),
    "application/zpl": fileOf("The carrier's document."),
    "image/png": fileOf("The carrier's document."),
    "text/csv": fileOf("The list of the platform: tracking number, parcel, order."),
  },
};
