// Price matrices of carrier data (contract carriers.md, Data).
import Type, { type Static } from "typebox";
import { closed, newIdentifier } from "#/http/routes/schema.ts";
import { byName, currency, day, flag, notNegative, positive } from "#/modules/carriers/data/data-parts.ts";

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
    zone: newIdentifier("Name of the zone; several entries may form one zone.", "REMOTE"),
    country: Type.String({ description: "Country code of ISO 3166-1, two capitals.", examples: ["GB"] }),
    postcodePrefixes: Type.Optional(
      Type.Array(postcode("Beginnings of its postcodes; blanks, dashes and case are ignored.", "IV"), {
        minItems: 1,
        maxItems: 2_000,
        description: "Only these postcodes of the country; with ranges: either.",
      }),
    ),
    postcodeRanges: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: postcode("First postcode beginning.", "20000"),
            to: postcode("Last postcode beginning, of the same form.", "20999"),
          },
          {
            ...closed,
            description: "Postcodes whose beginning, at the length of the bounds, is between them or equal to one.",
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
    upToKg: positive("Maximum chargeable weight of the break, in kg.", 2, rateCardBounds.breakKgMax),
    price: notNegative("Price of a parcel.", 3.1, rateCardBounds.priceMax),
    perExtraKg: Type.Optional(
      notNegative("Price of each started kg above the previous break.", 0.25, rateCardBounds.perExtraKgMax),
    ),
  },
  { ...closed, description: "Price of a parcel up to a weight; breaks of a zone are in ascending order." },
);

const surcharge = Type.Object(
  {
    code: newIdentifier("Code of the surcharge; unique in a card.", "FUEL"),
    kind: Type.Enum(["PERCENT", "FIXED"], {
      type: "string",
      description: "PERCENT of the price so far, or a FIXED amount a parcel.",
      examples: ["PERCENT"],
    }),
    value: notNegative("Percentage, or amount.", 8.5, rateCardBounds.fixedMax),
    when: Type.Optional(
      Type.Enum([...surchargeConditions], {
        type: "string",
        description: "When it applies; left out: always.",
        examples: ["always"],
      }),
    ),
    longestSideCm: Type.Optional(positive("Of `oversize`: the longest side above which a parcel is oversize.", 100)),
  },
  { ...closed, description: "Surcharges, in the order of application." },
);

export const rateCard = Type.Object(
  {
    serviceCode: newIdentifier("The service of the card.", "RM48"),
    currency: currency(),
    validFrom: Type.Optional(
      day(
        "First day of despatch; left out: always. Of several cards in force, the one with the latest first day applies.",
      ),
    ),
    validTo: Type.Optional(day("Last day of despatch; left out: until further notice.")),
    stepKg: Type.Optional(
      positive(
        "Chargeable weight is rounded up to a multiple of this; left out: to the gram.",
        0.5,
        rateCardBounds.breakKgMax,
      ),
    ),
    zones: Type.Array(zone, { maxItems: 5_000, description: "Its zones." }),
    breaks: Type.Array(weightBreak, { maxItems: 20_000, description: "Prices by zone and weight." }),
    surcharges: Type.Optional(Type.Array(surcharge, { maxItems: 30, description: "Surcharges." })),
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
    date: day("First day on which it is in force, until a later rate replaces it."),
    rate: positive("Units of `to` for one unit of `from`.", 0.86),
  },
  { ...closed, description: "An exchange rate; without one in the other direction, its inverse is used." },
);

export type ExchangeRate = Static<typeof exchangeRate>;

export const mapping = Type.Object(
  {
    shippingMethods: Type.Optional(
      byName<string>(
        { type: "string", minLength: 1, maxLength: 64 },
        "Service level or service by shippingMethod; case is ignored.",
        {
          STD: "STANDARD",
        },
      ),
    ),
    carrierCodes: Type.Optional(
      byName<string>({ type: "string", minLength: 1, maxLength: 64 }, "carrierCode by alias; case is ignored.", {
        ROYALMAIL: "RM",
      }),
    ),
  },
  { ...closed, description: "Mappings of values in orders." },
);
