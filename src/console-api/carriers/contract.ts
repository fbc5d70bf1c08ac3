import Type, { type Static } from "typebox";
import { defineCursor, pageOf, pageParameters, placeId } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import { carrierDecision, determinationRequest } from "#/modules/carriers/index.ts";

/** Carrier data as the console edits it (contract carriers.md, Data): versioned sets, validated before activation. */
const count = (description: string) => Type.Integer({ description, examples: [12] });

/** Validated by the carriers' own checks, which name every fault with its place: a schema here hides those faults. */
const anySet = (description: string) =>
  Type.Unsafe<object>({
    type: "object",
    additionalProperties: true,
    description,
    examples: [{ services: [], rateCards: [] }],
  });

const ownerParameter = {
  clientId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "The client of a separate set; left out: the operator's default.",
      examples: ["DEMO"],
    }),
  ),
};

const setFields = {
  clientId: maybeText("The client of a separate set; null: the operator's default.", "DEMO"),
  version: Type.Integer({ description: "Counts up with every activation.", examples: [3] }),
  note: maybeText("Comment on the version.", "New prices of November"),
  createdBy: text("User who activated it.", "user:anna"),
  activatedAt: nullable(moment("Since when it has been in force; null for a draft.")),
};

export const setSummary = Type.Object(
  {
    ...setFields,
    services: count("Services of carriers."),
    rateCards: count("Price matrices."),
    rules: count("Business rules."),
  },
  { ...closed, title: "CarrierSetSummary", description: "A version of a set." },
);
export type SetSummary = Static<typeof setSummary>;
export const setPage = pageOf(setSummary, "Versions, the newest first.");
export const setListQuery = Type.Object({ ...ownerParameter, ...pageParameters }, closed);
export const setCursor = defineCursor("carrierData", Type.Object({ version: Type.Integer({ minimum: 0 }) }));

export const wholeSet = Type.Object(
  {
    ...setFields,
    isOwn: Type.Boolean({ description: "false: the client has no set, and this is the operator's.", examples: [true] }),
    latestVersion: Type.Integer({
      description: "Latest version of the requested set, 0 for none. Send it when you activate the next one.",
      examples: [3],
    }),
    data: anySet("Services, rate cards, rules, mapping, rates, settings, holidays (contract carriers.md)."),
  },
  { ...closed, title: "CarrierSet", description: "A set of carrier data." },
);
export const storedSet = Type.Omit(wholeSet, ["isOwn", "latestVersion"]);
export type StoredSet = Static<typeof storedSet>;
export const setQuery = Type.Object(
  {
    ...ownerParameter,
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: "Left out: the version in force.",
        examples: [3],
      }),
    ),
  },
  closed,
);

export const checking = Type.Object(
  { data: anySet("The set to validate.") },
  { ...closed, title: "CarrierSetChecking", description: "A draft of a set." },
);

const fault = Type.Object(
  {
    pointer: text("Place of the fault, as a JSON pointer into the set.", "#/rules/0/when/field"),
    message: text("The fault, and the expected value.", "must be a field of the shipment"),
  },
  { ...closed, title: "CarrierSetFault", description: "A fault of a set." },
);
const warning = Type.Object(
  {
    pointer: text("Place, as a JSON pointer into the set.", "#/services/2/hazmat"),
    message: text("What is rarely meant.", "a postal service accepts few dangerous goods"),
  },
  { ...closed, title: "CarrierSetWarning", description: "What is rarely meant in a valid set." },
);
export const checked = Type.Object(
  {
    faults: Type.Array(fault, { description: "All faults, up to 100; empty: the set can be activated." }),
    warnings: Type.Array(warning, { description: "What is valid and rarely meant; none for a set with faults." }),
  },
  { ...closed, title: "CarrierSetChecked", description: "Result of the validation of a set." },
);

export const activation = Type.Object(
  {
    ...ownerParameter,
    basedOn: Type.Integer({
      minimum: 0,
      description:
        "The latest version when editing began, 0 for none. If another version was activated since, the answer is a refusal and nothing is lost.",
      examples: [3],
    }),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "Comment on the version.",
        examples: ["Prices"],
      }),
    ),
    data: anySet("The whole set."),
  },
  { ...closed, title: "CarrierSetActivation", description: "A set to activate." },
);
export const activated = Type.Object(
  { version: Type.Integer({ description: "Its version.", examples: [4] }) },
  { ...closed, title: "CarrierSetActivated", description: "It holds." },
);

const { clientId: _ofRequest, ...shipment } = determinationRequest.properties;

export const trial = Type.Object(
  {
    data: anySet("The set that decides."),
    request: Type.Object(shipment, { ...closed, title: "TrialShipment", description: "The shipment." }),
    at: Type.Optional(moment("Time of the decision; left out: now.")),
  },
  { ...closed, title: "CarrierTrial", description: "A shipment to decide with a draft." },
);

const {
  decisionId: _kept,
  orderId: _order,
  olpnId: _olpn,
  dataVersion: _version,
  dataOwner: _owner,
  ...decided
} = carrierDecision.properties;

export const trialDecision = Type.Object(decided, {
  ...closed,
  title: "CarrierTrialDecision",
  description: "The decision of the draft. It is not stored.",
});
export type TrialDecision = Static<typeof trialDecision>;

export const decision = Type.Object(
  {
    decisionId: text("The decision.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"),
    clientId: text("Client.", "DEMO"),
    decidedAt: moment("When it was decided."),
    purpose: text("SHIPMENT, ORDER or PARCEL: the subject of the decision.", "PARCEL"),
    orderId: maybeText("The order.", "WEB-100045"),
    olpnId: maybeText("The parcel.", "106141412345678908"),
    distributionCentre: text("Facility of despatch.", "DC1"),
    country: text("Destination.", "GB"),
    carrierCode: maybeText("The carrier; null: no carrier fits.", "RM"),
    serviceCode: maybeText("Its service.", "RM48"),
    dataVersion: Type.Integer({ description: "Version of the carrier data.", examples: [3] }),
  },
  { ...closed, title: "CarrierDecisionSummary", description: "A decision, in short." },
);
export type DecisionSummary = Static<typeof decision>;
export const decisionPage = pageOf(decision, "Decisions, the newest first.");
export const decisionListQuery = Type.Object(
  {
    clientId: identifier("Client.", "DEMO"),
    orderId: Type.Optional(identifier("Decisions for this order and its parcels.", "WEB-100045")),
    ...pageParameters,
  },
  closed,
);
export const decisionCursor = defineCursor("carrierDecisions", Type.Object({ before: placeId }));
