import Type, { type Static } from "typebox";
import { newIdentifier } from "#/http/schema.ts";

/**
 * The set of data that carriers are determined by, as the operator or a client gives it (contract carriers.md, Data). What
 * is not known here is refused, so that nothing is kept that was never judged.
 */
const closed = { additionalProperties: false } as const;

export const serviceLevels = ["ECONOMY", "STANDARD", "EXPRESS", "NEXT_DAY", "SAME_DAY"] as const;

export const serviceLevel = Type.Enum([...serviceLevels], {
  type: "string",
  description: "How fast the service is.",
  examples: ["STANDARD"],
});

const positive = (description: string, example: number) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description, examples: [example] });

const flag = (description: string) => Type.Optional(Type.Boolean({ description, examples: [false] }));

const day = (description: string) =>
  Type.Optional(
    Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$", description, examples: ["2026-11-01"] }),
  );

const byName = <Value>(schema: object, description: string, example: object) =>
  Type.Optional(
    Type.Unsafe<Readonly<Record<string, Value>>>({
      type: "object",
      additionalProperties: schema,
      description,
      examples: [example],
    }),
  );

const service = Type.Object(
  {
    code: newIdentifier("Code of the service; no code twice.", "RM48"),
    carrierCode: newIdentifier("Carrier that offers it.", "RM"),
    name: Type.String({ minLength: 1, maxLength: 128, description: "What people call it.", examples: ["Tracked 48"] }),
    serviceLevel,
    countries: Type.Optional(
      Type.Array(Type.String({ description: "Country code of ISO 3166-1, two capitals.", examples: ["GB"] }), {
        minItems: 1,
        maxItems: 300,
        description: "Countries that it delivers to; left out: all.",
      }),
    ),
    maxWeightKg: Type.Optional(positive("Most that a parcel may weigh, in kg.", 20)),
    maxLongestSideCm: Type.Optional(positive("Longest side that a parcel may have, in cm.", 61)),
    dimensionalDivisor: Type.Optional(positive("Divides the volume in cm³ into the volumetric weight in kg.", 5000)),
    hazmat: flag("Whether it takes hazardous goods; left out: it does not."),
    bulky: flag("Whether it takes bulky goods; left out: it does not."),
    signature: flag("Whether it obtains a signature; left out: it does not."),
    trackable: Type.Optional(
      Type.Boolean({ description: "Whether its parcels can be tracked; left out: they can.", examples: [true] }),
    ),
    maxDeclaredValue: Type.Optional(
      Type.Object(
        {
          amount: Type.Number({ minimum: 0, maximum: 1e12, description: "Amount.", examples: [100] }),
          currency: Type.String({ description: "Currency code of ISO 4217.", examples: ["GBP"] }),
        },
        { ...closed, description: "Most that a parcel may be worth." },
      ),
    ),
    transitDays: byName<number>(
      { type: "integer", minimum: 0, maximum: 365 },
      "Days on the way, by zone of its rate card.",
      { DOMESTIC: 2 },
    ),
    cutOff: byName<string>(
      { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" },
      "Local time, HH:MM, until which it collects, by facility.",
      { DC1: "17:00" },
    ),
    activeFrom: day("First day on which it is offered."),
    activeTo: day("Last day on which it is offered."),
  },
  { ...closed, description: "A service of a carrier." },
);

export type CarrierService = Static<typeof service>;

export const servicesMax = 5_000;

export const carrierData = Type.Object(
  { services: Type.Array(service, { maxItems: servicesMax, description: "Services of carriers." }) },
  { ...closed, description: "All that carriers are determined by." },
);

export type CarrierData = Static<typeof carrierData>;
