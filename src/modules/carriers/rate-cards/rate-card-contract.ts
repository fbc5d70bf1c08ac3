// Price matrices of carrier data (contract carriers.md, Data).
import Type, { type Static } from "typebox";
import { newIdentifier } from "#/http/routes/schema.ts";
import { byName, closed, currency, day, flag, notNegative, positive } from "#/modules/carriers/data/data-parts.ts";

/** Bounds that keep every sum of a shipment within the exact integers. */
export const rateCardBounds = {
  breakKgMax: 10_000,
  priceMax: 1_000_000,
  perExtraKgMax: 1_000,
  fixedMax: 100_000,
} as const;

export const surchargeConditions = [
  "always",
  "hazmat",
  "oversize",
  "remote",
  "residential",
  "signature",
  "saturday",
] as const;

const postcode = (description: string, example: string) =>
  Type.String({ pattern: "^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,18}[A-Za-z0-9])?$", description, examples: [example] });

const zone = Type.Object(
  {
    zone: newIdentifier("Name of the zone; several entries may make one zone.", "REMOTE"),
    country: Type.String({ description: "Country code of ISO 3166-1, two capitals.", examples: ["GB"] }),
    postcodePrefixes: Type.Optional(
      Type.Array(postcode("How its postcodes begin; blanks, dashes and case mean nothing.", "IV"), {
        minItems: 1,
        maxItems: 2_000,
        description: "Only these postcodes of the country; with ranges: either.",
      }),
    ),
    postcodeRanges: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: postcode("First beginning of a postcode.", "20000"),
            to: postcode("Last one, of the same form.", "20999"),
          },
          {
            ...closed,
            description: "Postcodes whose beginning, as long as the bounds are, lies between them or is one of them.",
          },
        ),
        { minItems: 1, maxItems: 2_000, description: "Only these postcodes of the country; with prefixes: either." },
      ),
    ),
    remote: flag("Whether the surcharge `remote` applies."),
  },
  { ...closed, description: "A country, or some of its postcodes; the longest match wins." },
);

const weightBreak = Type.Object(
  {
    zone: newIdentifier("A zone of this card.", "DOMESTIC"),
    upToKg: positive("Chargeable weight up to which it holds, in kg.", 2, rateCardBounds.breakKgMax),
    price: notNegative("Price of a parcel.", 3.1, rateCardBounds.priceMax),
    perExtraKg: Type.Optional(
      notNegative("Price of each started kg above the break before it.", 0.25, rateCardBounds.perExtraKgMax),
    ),
  },
  { ...closed, description: "What a parcel costs up to a weight; those of a zone stand in ascending order." },
);

const surcharge = Type.Object(
  {
    code: newIdentifier("Code of the surcharge; none twice in a card.", "FUEL"),
    kind: Type.Enum(["PERCENT", "FIXED"], {
      type: "string",
      description: "PERCENT of the price so far, or a FIXED amount a parcel.",
      examples: ["PERCENT"],
    }),
    value: notNegative("Per cent, or amount.", 8.5, rateCardBounds.fixedMax),
    when: Type.Optional(
      Type.Enum([...surchargeConditions], {
        type: "string",
        description: "When it applies; left out: always.",
        examples: ["always"],
      }),
    ),
    longestSideCm: Type.Optional(positive("Of `oversize`: longest side above which a parcel is.", 100)),
  },
  { ...closed, description: "What is added, in the order listed." },
);

export const rateCard = Type.Object(
  {
    serviceCode: newIdentifier("The service that it prices.", "RM48"),
    currency: currency(),
    validFrom: Type.Optional(
      day(
        "First day of despatch that it holds for; left out: always. Of several cards that hold, the one with the latest wins.",
      ),
    ),
    validTo: Type.Optional(day("Last day of despatch that it holds for; left out: until further notice.")),
    stepKg: Type.Optional(
      positive(
        "Chargeable weight is rounded up to a multiple of this; left out: to the gram.",
        0.5,
        rateCardBounds.breakKgMax,
      ),
    ),
    zones: Type.Array(zone, { maxItems: 5_000, description: "Where it delivers." }),
    breaks: Type.Array(weightBreak, { maxItems: 20_000, description: "Prices by zone and weight." }),
    surcharges: Type.Optional(Type.Array(surcharge, { maxItems: 30, description: "What is added." })),
  },
  { ...closed, description: "The price matrix of a service." },
);

export type RateCard = Static<typeof rateCard>;
export type RateZone = Static<typeof zone>;
export type Surcharge = Static<typeof surcharge>;
export type SurchargeCondition = (typeof surchargeConditions)[number];

export const exchangeRate = Type.Object(
  {
    from: currency("One unit of this currency …"),
    to: currency("… is worth `rate` of this one."),
    date: day("First day on which it holds, until a later one takes its place."),
    rate: positive("How many units of `to` one of `from` is.", 0.86),
  },
  { ...closed, description: "A rate of exchange; where there is none the other way, its reverse." },
);

export type ExchangeRate = Static<typeof exchangeRate>;

export const mapping = Type.Object(
  {
    shippingMethods: Type.Optional(
      byName<string>(
        { type: "string", minLength: 1, maxLength: 64 },
        "Service level or service by shippingMethod; case means nothing.",
        {
          STD: "STANDARD",
        },
      ),
    ),
    carrierCodes: Type.Optional(
      byName<string>({ type: "string", minLength: 1, maxLength: 64 }, "carrierCode by alias; case means nothing.", {
        ROYALMAIL: "RM",
      }),
    ),
  },
  { ...closed, description: "What words of orders mean." },
);
