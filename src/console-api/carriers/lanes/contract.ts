// Cost and time of the parcels that left, by lane and carrier service (contract carriers.md, Lanes).
import Type, { type Static } from "typebox";
import { day, namedDay, uncomputed } from "#/console-api/reports/days.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";

/** Days of a range. */
export const laneDaysMax = 366;

export const laneDestinations = ["COUNTRY", "ZONE"] as const;

export const laneQuery = Type.Object(
  {
    ...scopeParameters,
    from: namedDay("First day of despatch, in the time zone of each facility."),
    to: namedDay(`Last day of despatch; the report covers at most ${laneDaysMax} days.`),
    destination: Type.Optional(
      Type.Enum([...laneDestinations], {
        type: "string",
        title: "LaneDestination",
        description: "End of a lane: the country, which is the default, or the zone of the rate card in the country.",
        examples: ["COUNTRY"],
      }),
    ),
  },
  closed,
);

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });

const cost = Type.Object(
  {
    currency: Type.String({ description: "Currency code of ISO 4217.", examples: ["GBP"] }),
    parcels: count("Parcels with a price in this currency.", 812),
    amount: Type.Number({ description: "Sum of their prices.", examples: [4312.2] }),
    perParcel: Type.Number({ description: "Mean of a parcel, to four decimals.", examples: [5.3106] }),
    perKg: nullable(
      Type.Number({ description: "Sum by the kilograms of these parcels; null: they weigh nothing.", examples: [2.1] }),
    ),
  },
  { ...closed, title: "LaneCost", description: "Prices in one currency." },
);
export type LaneCost = Static<typeof cost>;

const hours = (description: string, example: number) => nullable(count(description, example));

const figures = Type.Object(
  {
    parcels: count("Parcels that left.", 840),
    costs: Type.Array(cost, { description: "Prices of the carrier decisions, by currency; empty: no parcel has one." }),
    delivered: count("Of the parcels: delivered.", 790),
    medianHours: hours("Hours from despatch to delivery in which half of them arrived; null: none has.", 31),
    p90Hours: hours("Hours in which nine of ten arrived.", 52),
    due: count("Parcels with a promised day that are delivered, or whose promised day is over.", 800),
    onTime: count("Of these: delivered on the promised day or before.", 764),
  },
  { ...closed, title: "LaneFigures", description: "Figures of a lane and service in one range." },
);
export type LaneFigures = Static<typeof figures>;

const lane = Type.Object(
  {
    distributionCentre: Type.String({ description: "Facility of despatch.", examples: ["DC1"] }),
    country: maybeText("Country of the destination; null: not known.", "GB"),
    zone: maybeText("Zone, with `destination` ZONE; null: the decision has none.", "REMOTE"),
    carrierCode: maybeText("Carrier; null: not known.", "RM"),
    serviceCode: maybeText("Its service; null: not known.", "RM48"),
    current: figures,
    before: figures,
  },
  {
    ...closed,
    title: "CarrierLane",
    description: "A lane with a carrier service, in the range and in the one before.",
  },
);
export type CarrierLane = Static<typeof lane>;

export const lanes = Type.Object(
  {
    asOf: moment("Time of the figures."),
    uncomputed,
    from: day("First day of the range."),
    to: day("Last day of the range."),
    beforeFrom: day("First day of the range before, which is as long and ends on the day before `from`.", "2026-10-21"),
    items: Type.Array(lane, { description: "Lanes, those with the most parcels first." }),
  },
  { ...closed, title: "CarrierLanes", description: "Cost and time by lane and carrier service." },
);
export type CarrierLanes = Static<typeof lanes>;
