// Request and answer of a back-test (contract carriers.md, Back-test).
import Type, { type Static } from "typebox";
import { clientIdParameter, moment, nullable } from "#/http/routes/schema.ts";
import { carrierData } from "#/modules/carriers/data/data-contract.ts";
import { closed } from "#/modules/carriers/data/data-parts.ts";

/** The example of a whole body: assembled from the examples of its leaves, zones and breaks would not match. */
const exampleDraft = {
  services: [
    {
      ...{ code: "RM48", carrierCode: "RM", name: "Tracked 48", serviceLevel: "STANDARD", countries: ["GB"] },
      ...{ maxWeightKg: 20, dimensionalDivisor: 5_000, transitDays: { DOMESTIC: 2 } },
    },
  ],
  rateCards: [
    {
      ...{ serviceCode: "RM48", currency: "GBP", stepKg: 0.5, zones: [{ zone: "DOMESTIC", country: "GB" }] },
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
    from: moment("Decisions since then."),
    to: { ...moment("Decisions before then."), examples: ["2026-11-21T10:00:00.000Z"] },
    draft: Type.Object(carrierData.properties, {
      ...closed,
      title: "CarrierData",
      description: "The set of carrier data that they are to be run under.",
      examples: [exampleDraft],
    }),
  },
  { ...closed, title: "SimulationRequest", description: "Which decisions to run again, and under what." },
);

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const figure = (description: string, example: number) => Type.Number({ description, examples: [example] });

const comparison = {
  decisions: count("Decisions that were run again.", 1_200),
  unchanged: count("Of these, those with the same service; its price may be another.", 1_000),
  changed: count("Those with another service, or with one where nobody had fitted.", 190),
  nobodyFits: count("Those for which nobody fits under the draft.", 10),
  cost: Type.Object(
    {
      compared: count("Decisions that have a price before and under the draft, both known in the currency.", 1_190),
      before: figure("Sum of their prices as decided.", 7_140.5),
      after: figure("Sum under the draft.", 6_902.1),
      difference: figure("Below zero: the draft is cheaper.", -238.4),
    },
    { ...closed, title: "CostComparison", description: "What it costs, in the currency of the answer." },
  ),
  days: Type.Object(
    {
      compared: count("Decisions that have a day of delivery before and under the draft.", 1_190),
      before: count("Sum of their days from the decision to the delivery.", 2_618),
      after: count("Sum under the draft.", 2_737),
      difference: count("Above zero: the draft is slower.", 119),
    },
    { ...closed, title: "DaysComparison", description: "How long it takes." },
  ),
};

const service = (description: string, example: string) => nullable(Type.String({ description, examples: [example] }));

export const simulation = Type.Object(
  {
    from: moment("As asked."),
    to: { ...moment("As asked."), examples: ["2026-11-21T10:00:00.000Z"] },
    isComplete: Type.Boolean({
      description: "Whether all decisions of the span were run; false: there are more than fit in one answer.",
      examples: [true],
    }),
    continueFrom: nullable(
      moment(
        "Where it is not complete: the moment of the last decision that was run. Narrow the span, or go on from there.",
      ),
    ),
    decisions: count("Decisions that were read.", 1_200),
    notRun: count("Of these, those that cannot be decided any more, because their facility is gone.", 0),
    currency: Type.String({
      description: "The ranking currency of the draft, into which prices are turned by its rates.",
      examples: ["GBP"],
    }),
    total: Type.Object(comparison, { ...closed, title: "Comparison", description: "Of all decisions." }),
    zones: Type.Array(
      Type.Object(
        {
          zone: nullable(
            Type.String({
              description: "The zone as decided; where nobody had fitted, that of the draft; null: neither has one.",
              examples: ["DOMESTIC"],
            }),
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
          before: service("Service as decided, or the carrier where it is of none; null: nobody fitted.", "RM48"),
          after: service("Service under the draft; null: nobody fits.", "RM24"),
          decisions: count("How many went from the one to the other.", 190),
        },
        { ...closed, title: "ServiceMove", description: "A change of service." },
      ),
      { description: "Changes of service, the most frequent first; at most 500." },
    ),
  },
  { ...closed, title: "Simulation", description: "The difference that a draft would have made." },
);

export type SimulationRecord = Static<typeof simulation>;
