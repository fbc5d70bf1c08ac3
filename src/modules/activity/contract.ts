import Type from "typebox";
import { readDateTime } from "#/http/requests/date-time.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { billedMeasureNames, billedMeasures } from "#/modules/activity/measures.ts";

const month = (description: string) => Type.String({ pattern: "^\\d{4}-\\d{2}$", description, examples: ["2026-11"] });

export const activityQuery = Type.Object(
  {
    clientId: clientIdParameter,
    month: Type.Refine(
      month("The month, of days in the time zone of each facility."),
      (value) => readDateTime(`${value}-01T00:00:00Z`) !== undefined,
      () => "must be a month such as 2026-11",
    ),
    distributionCentre: Type.Optional(identifier("Only figures of this facility.", "DC1")),
    by: Type.Optional(
      Type.Enum(["MONTH", "DAY"], {
        type: "string",
        title: "ActivityPeriod",
        default: "MONTH",
        description: "The sum of the month, or each day.",
        examples: ["MONTH"],
      }),
    ),
  },
  closed,
);

export const billedMeasure = Type.Enum([...billedMeasureNames], {
  type: "string",
  title: "ActivityMeasure",
  description: Object.entries(billedMeasures)
    .map(([name, meaning]) => `${name}: ${meaning}`)
    .join(" "),
  examples: ["PARCELS"],
});

const figure = Type.Object(
  {
    distributionCentre: identifier("Facility.", "DC1"),
    measure: billedMeasure,
    key: maybeText(
      "What the measure is divided by, such as the type of a paper; null: it is not divided.",
      "PACKING_SLIP",
    ),
    carrierCode: maybeText("With PARCELS: the carrier; null: not known.", "RM"),
    carrierServiceCode: maybeText("With PARCELS: its service; null: not known.", "RM48"),
    day: nullable(
      Type.String({
        format: "date",
        description: "With `by` DAY: the day in the facility's time zone; else null.",
        examples: [null],
      }),
    ),
    quantity: quantity("The figure. A correction may make a day negative."),
  },
  { ...closed, title: "ActivityFigure", description: "A figure that is not zero." },
);

export const activity = Type.Object(
  {
    month: month("The month."),
    asOf: moment("Time of the figures."),
    isComplete: Type.Boolean({
      description:
        "Whether the month has ended in every time zone, and every change is counted. A later change of the month, such as a cancellation, is counted within a minute.",
      examples: [true],
    }),
    items: Type.Array(figure, { description: "Figures by facility and measure." }),
  },
  { ...closed, title: "Activity", description: "What was done for a client in a month." },
);
