// Requests and answers of the Carrier Determination service (contract carriers.md, Request and Answer).
import Type, { type Static } from "typebox";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { serviceLevel } from "#/modules/carriers/data/data-parts.ts";
import { reasonCodes } from "#/modules/carriers/decision/reasons.ts";
import { strategies } from "#/modules/carriers/decision/shipment.ts";

const flag = (description: string) => Type.Optional(Type.Boolean({ description, examples: [false] }));

/** Its highest value depends on its unit and is checked with it. */
const measure = (description: string, example: number) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description, examples: [example] });

const amountOfMoney = (description: string, example: number) =>
  Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 1e9,
        description: "Amount with at most four decimals.",
        examples: [example],
      }),
      currency: Type.String({
        minLength: 3,
        maxLength: 3,
        description: "Currency code of ISO 4217.",
        examples: ["GBP"],
      }),
    },
    { ...closed, description },
  );

const shortText = (description: string, example: string, maxLength = 64) =>
  Type.String({ maxLength, description, examples: [example] });

const dayOrMoment = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 10, maxLength: 35, description, examples: [example] }));

const shipTo = Type.Object(
  {
    country: Type.String({
      minLength: 2,
      maxLength: 3,
      description: "Country code of ISO 3166-1, two letters or three.",
      examples: ["GB"],
    }),
    zip: Type.Optional(
      shortText("Postcode, in a form of the country. Without it, only zones of whole countries apply.", "BS1 5TY", 20),
    ),
    state: Type.Optional(shortText("State, province or county.", "Bristol", 100)),
    city: Type.Optional(shortText("City.", "Bristol", 100)),
    isResidential: flag("Whether it is a private address; left out: it is not."),
  },
  { ...closed, title: "DeterminationShipTo", description: "Destination." },
);

const parcelItem = Type.Object(
  {
    lineNumber: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "Line of the order.", examples: [1] }),
    ),
    sku: identifier("Product in the parcel.", "TEE-BLACK-M"),
    qty: measure("Quantity.", 2),
  },
  { ...closed, title: "DeterminationItem", description: "Goods in a parcel." },
);

const parcel = Type.Object(
  {
    weight: measure("Weight with at most three decimals.", 1.2),
    weightUomCode: Type.Optional(shortText("KG, G, LB or OZ, or their code of UN/ECE; left out: KG.", "KG", 10)),
    length: Type.Optional(measure("Length with at most three decimals.", 40)),
    width: Type.Optional(measure("Width.", 30)),
    height: Type.Optional(measure("Height. Volume is used where all three are known.", 20)),
    dimensionsUomCode: Type.Optional(
      shortText("CM, MM, M, IN or FT, or their code of UN/ECE; left out: CM.", "CM", 10),
    ),
    declaredValue: Type.Optional(amountOfMoney("Value of the parcel.", 59.9)),
    items: Type.Optional(
      Type.Array(parcelItem, { maxItems: 1_000, description: "Contents; not used for the decision." }),
    ),
  },
  { ...closed, title: "DeterminationParcel", description: "A parcel." },
);

export const determinationRequest = Type.Object(
  {
    clientId: clientIdParameter,
    distributionCentre: identifier("Facility of despatch.", "DC1"),
    shipTo,
    parcels: Type.Array(parcel, { minItems: 1, maxItems: 500, description: "Each is priced separately." }),
    serviceLevel: Type.Optional(serviceLevel),
    requestedCarrierCode: Type.Optional(
      identifier(
        "Only this carrier, or the carrier for which the data have this alias; an unknown one is used as sent.",
        "RM",
      ),
    ),
    shipDate: dayOrMoment("Not before this day: a date, or a time at the facility.", "2026-11-23"),
    deliverBy: dayOrMoment("Deliver until this day: a date, or a time.", "2026-11-27"),
    isHazmat: flag("Whether the goods are hazardous; left out: they are not."),
    isBulky: flag("Whether the goods are bulky; left out: they are not."),
    signatureRequired: flag("Whether a signature is required; left out: it is not."),
    incoterm: Type.Optional(shortText("Incoterm, for the rules.", "DAP", 20)),
    orderValue: Type.Optional(amountOfMoney("Value of the whole order, for the rules.", 109.15)),
    extendedAttributes: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: "object",
        additionalProperties: { type: "string", maxLength: 1_000 },
        maxProperties: 100,
        description: "Attributes by name, each a text, for the rules.",
        examples: [{ PackingSlipLanguage: "en" }],
      }),
    ),
    strategy: Type.Optional(
      Type.Enum([...strategies], {
        type: "string",
        title: "DeterminationStrategy",
        description:
          "CHEAPEST, the default; FASTEST: by day of delivery; BALANCED: each day until delivery has the cost in the data.",
        examples: ["CHEAPEST"],
      }),
    ),
  },
  { ...closed, title: "DeterminationRequest", description: "The shipment." },
);

export const determinationQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const orderPath = Type.Object({ orderId: identifier("The order.", "WEB-100045") }, closed);

export const determinationForOrder = Type.Object(
  { clientId: clientIdParameter, strategy: determinationRequest.properties.strategy },
  { ...closed, title: "DeterminationForOrder", description: "Ranking of the candidates." },
);

export const decisionPath = Type.Object(
  { decisionId: identifier("The decision.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11") },
  closed,
);

const money = (description: string, example: number) =>
  Type.Object(
    {
      amount: Type.Number({ description: "Amount, in whole minor units.", examples: [example] }),
      currency: Type.String({ description: "Currency code of ISO 4217.", examples: ["GBP"] }),
    },
    { ...closed, description },
  );

const price = Type.Object(
  {
    base: money("By the weight breaks of the zone.", 5.4),
    surcharges: Type.Array(
      Type.Object(
        {
          code: Type.String({ description: "The surcharge.", examples: ["FUEL"] }),
          amount: money("Total of all parcels.", 0.46),
        },
        { ...closed, title: "DeterminationSurcharge", description: "Surcharges." },
      ),
      { description: "In the order of the rate card; DUTY is the flat duty that the sender pays." },
    ),
    total: money("Base and all surcharges.", 5.86),
    live: Type.Optional(
      Type.Object(
        {
          sourceCode: Type.String({ description: "Label source that gave it.", examples: ["EASYPOST-EU"] }),
          ratedAt: moment("When it was given."),
          ageSeconds: Type.Integer({ minimum: 0, description: "Its age at the decision.", examples: [420] }),
        },
        {
          ...closed,
          title: "LiveRateOrigin",
          description: "The price is a live rate; left out: it is that of the price matrix.",
        },
      ),
    ),
  },
  { ...closed, title: "DeterminationPrice", description: "Price of all parcels." },
);

const choice = Type.Object(
  {
    carrierCode: Type.String({ description: "The carrier.", examples: ["RM"] }),
    serviceCode: maybeText("Its service; null: the carrier was requested and is not in the data.", "RM48"),
    price: nullable(price),
    chargeableWeight: Type.Object(
      {
        value: Type.Number({ description: "Sum of the parcels, each rounded up to the card's step.", examples: [2] }),
        uom: Type.Enum(["KG"], { type: "string", description: "Unit.", examples: ["KG"] }),
      },
      {
        ...closed,
        title: "ChargeableWeight",
        description: "The greater of weight and volumetric weight; it determines the price.",
      },
    ),
    zone: maybeText("Zone of the rate card.", "DOMESTIC"),
    despatchDate: nullable(
      Type.String({
        format: "date",
        description: "Day of despatch, by the facility's calendar.",
        examples: ["2026-11-20"],
      }),
    ),
    estimatedDelivery: nullable(
      Type.String({ format: "date", description: "Day of delivery; null: not known.", examples: ["2026-11-24"] }),
    ),
  },
  { ...closed, title: "CarrierChoice", description: "A service that fits." },
);

const reason = Type.Object(
  {
    code: Type.Enum([...reasonCodes], {
      type: "string",
      title: "RejectionCode",
      description: "Why.",
      examples: ["OVER_WEIGHT"],
    }),
    text: Type.String({
      description: "The reason in words, with the value and the limit.",
      examples: ["the heaviest parcel weighs 32 kg, the maximum is 20 kg"],
    }),
    ruleId: Type.Optional(Type.String({ description: "The rule of the reason.", examples: ["no-air-hazmat"] })),
  },
  { ...closed, title: "RejectionReason", description: "A reason." },
);

/** Of the duty in a decision and in the explanation of an order. */
export const flatDutyFields = {
  tariffLines: Type.Integer({ description: "Distinct tariff numbers, by six digits.", examples: [2] }),
  eur: Type.Integer({ description: "Duty in EUR: 3 for each tariff line.", examples: [6] }),
  paidBy: nullable(
    Type.Enum(["SENDER", "BUYER"], {
      type: "string",
      title: "DutyPayer",
      description: "By the Incoterm of the order: with DDP the sender, else the buyer; null: it has none.",
      examples: ["SENDER"],
    }),
  ),
};

export const carrierDecision = Type.Object(
  {
    decisionId: Type.String({
      format: "uuid",
      description: "The decision.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    orderId: maybeText("The order of the decision; null: none.", "WEB-100045"),
    olpnId: maybeText("The parcel of the decision, when it was packed.", "106141412345678908"),
    decidedAt: moment("Time of the decision: the same time, data and request give the same decision."),
    chosen: nullable(choice),
    alternatives: Type.Array(choice, { description: "Other services that fit, best first." }),
    rejected: Type.Array(
      Type.Object(
        {
          serviceCode: Type.String({ description: "The service.", examples: ["RM24"] }),
          carrierCode: Type.String({ description: "Its carrier.", examples: ["RM"] }),
          reasons: Type.Array(reason, { description: "All reasons." }),
        },
        { ...closed, title: "Rejection", description: "A service that does not fit." },
      ),
      { description: "The services that do not fit, by code." },
    ),
    rulesApplied: Type.Array(Type.String({ description: "A rule.", examples: ["no-air-hazmat"] }), {
      description: "The rules that matched the shipment or a service, in order.",
    }),
    warnings: Type.Array(
      Type.String({
        description: "A sentence.",
        examples: ['shippingMethod "OVERNIGHT" is not mapped: STANDARD is used instead'],
      }),
      { description: "Replaced values." },
    ),
    duty: Type.Optional(
      Type.Object(
        {
          ...flatDutyFields,
        },
        {
          ...closed,
          title: "DecidedDuty",
          description:
            "Flat duty of the European Union on an order up to 150 EUR; left out: there is none, or the value is not known.",
        },
      ),
    ),
    dataVersion: Type.Integer({
      description: "Version of the carrier data; 0: there are none.",
      examples: [3],
    }),
    dataOwner: Type.Enum(["CLIENT", "OPERATOR"], {
      type: "string",
      description: "Owner of the carrier data: the client, or the operator.",
      examples: ["OPERATOR"],
    }),
  },
  {
    ...closed,
    title: "CarrierDecision",
    description: "The chosen service, and the reasons against the others. If no service fits, chosen is null.",
  },
);

export type CarrierDecisionRecord = Static<typeof carrierDecision>;
