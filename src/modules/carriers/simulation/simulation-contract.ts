// Request and answer of a back-test (contract carriers.md, Back-test).
import Type, { type Static } from "typebox";
import { clientIdParameter, closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { carrierData } from "#/modules/carriers/data/data-contract.ts";

/** The example of a whole body: assembled from the examples of its leaves, zones and breaks would not match. */
const exampleDraft = {
  services: [
    {
      code: "RM48",
      carrierCode: "RM",
      name: "Tracked 48",
      serviceLevel: "STANDARD",
      countries: ["GB"],
      maxWeightKg: 20,
      dimensionalDivisor: 5_000,
      transitDays: { DOMESTIC: 2 },
    },
  ],
  rateCards: [
    {
      serviceCode: "RM48",
      currency: "GBP",
      stepKg: 0.5,
      zones: [{ zone: "DOMESTIC", country: "GB" }],
      breaks: [
        { zone: "DOMESTIC", upToKg: 2, price: 3.1 },
        { zone: "DOMESTIC", upToKg: 20, price: 5.4, perExtraKg: 0.25 },
      ],
      surcharges: [{ code: "FUEL", kind: "PERCENT", value: 8.5 }],
    },
  ],
};

export const simulationRequest = Type.Object(
  {
    clientId: clientIdParameter,
    from: moment("Decisions from this time on."),
    to: { ...moment("Decisions before this time."), examples: ["2026-11-21T10:00:00.000Z"] },
    draft: Type.Object(carrierData.properties, {
      ...closed,
      title: "CarrierData",
      description: "The draft of carrier data.",
      examples: [exampleDraft],
    }),
  },
  { ...closed, title: "SimulationRequest", description: "The decisions to repeat, and the draft." },
);

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const figure = (description: string, example: number) => Type.Number({ description, examples: [example] });

const comparison = {
  decisions: count("Number of repeated decisions.", 1_200),
  unchanged: count("Of these, those with the same service; its price may differ.", 1_000),
  changed: count("Of these, those with another service, or with a service where none fitted.", 190),
  nobodyFits: count("Of these, those without a fitting service in the draft.", 10),
  cost: Type.Object(
    {
      compared: count("Decisions with an old and a new price, both known in the currency.", 1_190),
      before: figure("Total of the old prices.", 7_140.5),
      after: figure("Total of the new prices.", 6_902.1),
      difference: figure("Negative: the draft is cheaper.", -238.4),
    },
    { ...closed, title: "CostComparison", description: "Comparison of prices, in the currency of the answer." },
  ),
  days: Type.Object(
    {
      compared: count("Decisions with an old and a new day of delivery.", 1_190),
      before: count("Total days from the decision to the old delivery.", 2_618),
      after: count("Total days from the decision to the new delivery.", 2_737),
      difference: count("Positive: the draft is slower.", 119),
    },
    { ...closed, title: "DaysComparison", description: "Comparison of days." },
  ),
};

export const simulation = Type.Object(
  {
    from: moment("As asked."),
    to: { ...moment("As asked."), examples: ["2026-11-21T10:00:00.000Z"] },
    isComplete: Type.Boolean({
      description: "Whether all decisions of the period were repeated; false: one answer does not hold them all.",
      examples: [true],
    }),
    continueFrom: nullable(
      moment("If incomplete: the time of the last repeated decision. Narrow the period, or continue from there."),
    ),
    decisions: count("Number of decisions read.", 1_200),
    notRun: count("Of these, those that can no longer be decided, because their facility does not exist.", 0),
    currency: Type.String({
      description: "The ranking currency of the draft; prices are converted by its rates.",
      examples: ["GBP"],
    }),
    total: Type.Object(comparison, { ...closed, title: "Comparison", description: "Over all decisions." }),
    zones: Type.Array(
      Type.Object(
        {
          zone: maybeText(
            "The old zone; where no service fitted, that of the draft; null: neither has one.",
            "DOMESTIC",
          ),
          ...comparison,
        },
        { ...closed, title: "ZoneComparison", description: "Of one zone." },
      ),
      { description: "By name of the zone." },
    ),
    services: Type.Array(
      Type.Object(
        {
          before: maybeText("The old service, or the carrier where it is not in the data; null: none fitted.", "RM48"),
          after: maybeText("The new service; null: none fits.", "RM24"),
          decisions: count("Number of decisions with this change.", 190),
        },
        { ...closed, title: "ServiceMove", description: "A change of service." },
      ),
      { description: "Changes of service, the most frequent first; at most 500." },
    ),
  },
  { ...closed, title: "Simulation", description: "The effect of a draft." },
);

export type SimulationRecord = Static<typeof simulation>;
