// Services of carriers in the carrier data (contract carriers.md, Data).
import Type, { type Static } from "typebox";
import { closed, newIdentifier } from "#/http/routes/schema.ts";
import type { Weekday } from "#/kernel/values/working-calendar.ts";
import {
  byName,
  day,
  flag,
  notNegative,
  positive,
  serviceLevel,
  weekdayList,
} from "#/modules/carriers/data/data-parts.ts";

export const carrierService = Type.Object(
  {
    code: newIdentifier("Code of the service; unique.", "RM48"),
    carrierCode: newIdentifier("Carrier that offers it.", "RM"),
    name: Type.String({ minLength: 1, maxLength: 128, description: "Display name.", examples: ["Tracked 48"] }),
    serviceLevel,
    countries: Type.Optional(
      Type.Array(Type.String({ description: "Country code of ISO 3166-1, two capitals.", examples: ["GB"] }), {
        minItems: 1,
        maxItems: 300,
        description: "Countries that it delivers to; left out: all.",
      }),
    ),
    maxWeightKg: Type.Optional(positive("Maximum weight of a parcel, in kg.", 20)),
    maxLongestSideCm: Type.Optional(positive("Maximum longest side of a parcel, in cm.", 61)),
    dimensionalDivisor: Type.Optional(positive("Divides the volume in cm³ into the volumetric weight in kg.", 5000)),
    hazmat: flag("Whether it accepts hazardous goods; left out: it does not."),
    bulky: flag("Whether it accepts bulky goods; left out: it does not."),
    signature: flag("Whether it obtains a signature; left out: it does not."),
    trackable: Type.Optional(
      Type.Boolean({ description: "Whether its parcels can be tracked; left out: they can.", examples: [true] }),
    ),
    trackingUrl: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: "^https?://[!-~]*\\{trackingNumber\\}[!-~]*$",
        description: "Tracking page of the carrier: an address with {trackingNumber} as a placeholder.",
        examples: ["https://track.example/{trackingNumber}"],
      }),
    ),
    maxDeclaredValue: Type.Optional(
      Type.Object(
        {
          amount: notNegative("Amount.", 100, 1e9),
          currency: Type.String({ description: "Currency code of ISO 4217.", examples: ["GBP"] }),
        },
        { ...closed, description: "Maximum value of a parcel." },
      ),
    ),
    postal: flag(
      "Whether it is a postal service, whose parcels get a CN22 or CN23 across a customs border; left out: it is not.",
    ),
    cn22MaxValue: Type.Optional(
      Type.Object(
        {
          amount: notNegative("Amount.", 270, 1e9),
          currency: Type.String({ description: "Currency code of ISO 4217.", examples: ["GBP"] }),
        },
        {
          ...closed,
          description:
            "Maximum value of a parcel with a CN22; left out: 300 XDR, the special drawing rights of the UPU.",
        },
      ),
    ),
    transitDays: Type.Optional(
      byName<number>({ type: "integer", minimum: 0, maximum: 365 }, "Transit days, by zone of its rate card.", {
        DOMESTIC: 2,
      }),
    ),
    cutOff: Type.Optional(
      byName<string>(
        { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" },
        "Local time of the last collection, HH:MM, by facility; left out: the facility's cut-off.",
        { DC1: "17:00" },
      ),
    ),
    pickUpDays: Type.Optional(
      byName<readonly Weekday[]>(
        weekdayList("Days of the week."),
        "Days of the week on which it collects, by facility; left out: the operating days of the facility.",
        { DC1: ["MON", "TUE", "WED", "THU", "FRI"] },
      ),
    ),
    deliveryDays: Type.Optional(
      weekdayList(
        "Days of the week on which it delivers, which are the days that count as transit days; left out: MON to SAT.",
      ),
    ),
    labelSources: Type.Optional(
      Type.Array(newIdentifier("A label source, or OWN for the label of the platform.", "EASYPOST-EU"), {
        minItems: 1,
        maxItems: 5,
        description:
          "Where the labels of its parcels are bought, in the order in which they are tried; left out: the platform prints them.",
      }),
    ),
    liveRateMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        description:
          "A rate of its label sources that is not older takes the place of the price matrix; left out: the matrix.",
        examples: [60],
      }),
    ),
    activeFrom: Type.Optional(day("First day on which it is offered.")),
    activeTo: Type.Optional(day("Last day on which it is offered.")),
  },
  { ...closed, description: "A service of a carrier." },
);

export type CarrierService = Static<typeof carrierService>;
