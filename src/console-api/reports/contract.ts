import Type, { type Static } from "typebox";
import { periodField } from "#/console-api/overview/service-level/contract.ts";
import { day, isDay, namedDay, uncomputed } from "#/console-api/reports/days.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { closed, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";
import { billedMeasure } from "#/modules/activity/index.ts";

/** A year: the longest report. */
export const daysMax = 366;

const month = Type.Refine(
  Type.String({
    pattern: "^\\d{4}-\\d{2}$",
    description: "The month, of days in the time zone of each facility.",
    examples: ["2026-11"],
  }),
  (value) => isDay(`${value}-01`),
  () => "must be a month such as 2026-11",
);

export const activityQuery = Type.Object({ ...scopeParameters, month }, closed);

const clientFigure = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    distributionCentre: text("Facility.", "DC1"),
    measure: billedMeasure,
    key: maybeText("What the measure is divided by; null: it is not divided.", "PACKING_SLIP"),
    carrierCode: maybeText("With PARCELS: the carrier.", "RM"),
    carrierServiceCode: maybeText("With PARCELS: its service.", "RM48"),
    quantity: Type.Number({ description: "Sum of the month.", examples: [812] }),
  },
  { ...closed, title: "BilledFigure", description: "A figure of a client in a month." },
);
export type ClientFigure = Static<typeof clientFigure>;

export const activityReport = Type.Object(
  {
    asOf: moment("Time of the figures."),
    uncomputed,
    items: Type.Array(clientFigure, { description: "Figures that are not zero." }),
  },
  { ...closed, title: "ActivityReport", description: "What was done for each client in a month." },
);

export const performanceQuery = Type.Object(
  {
    ...scopeParameters,
    from: namedDay("First day, in the time zone of each facility."),
    to: namedDay(`Last day; the report covers at most ${daysMax} days.`),
    by: Type.Optional(periodField),
  },
  closed,
);

const count = (description: string, example: number) => Type.Number({ minimum: 0, description, examples: [example] });
const seconds = (description: string, example: number) =>
  nullable(Type.Integer({ minimum: 0, description, examples: [example] }));

const times = (description: string) =>
  Type.Object(
    {
      median: seconds("Half of the orders, in seconds; null without orders.", 93_600),
      p90: seconds("Nine of ten.", 151_200),
      p95: seconds("Nineteen of twenty.", 180_000),
    },
    { ...closed, title: "CycleTimes", description },
  );

const cost = Type.Object(
  {
    currency: Type.String({ description: "Currency code of ISO 4217.", examples: ["GBP"] }),
    parcels: count("Parcels with a price in this currency.", 812),
    amount: Type.Number({ description: "Sum of their prices.", examples: [4312.2] }),
  },
  { ...closed, title: "ReportCost", description: "Prices in one currency." },
);

const figures = {
  received: count("Orders received.", 310),
  inTime: count("Of these: their last parcel left by their despatch time.", 296),
  late: count("It left after it.", 6),
  overdue: count("They have not left, and their despatch time has passed.", 2),
  open: count("Others that have not left.", 0),
  untimed: count("They left, and had no despatch time.", 0),
  cancelled: count("Cancelled.", 6),
  linesLeft: count("Lines of the orders that have left.", 512),
  linesInFull: count("Of these lines: left in full.", 509),
  despatchTimes: times("From receipt to the despatch of the last parcel, each within 2.2 per cent."),
  deliveryTimes: times("From receipt to delivery, each within 2.2 per cent."),
  parcels: count("Parcels that left in these days.", 330),
  costs: Type.Array(cost, { description: "Prices of these parcels by currency; parcels without a price are in none." }),
  unitsDespatched: count("Units that left in these days.", 911),
  unitsReturned: count("Units that came back in these days.", 31),
  feeds: count("Documents received in these days, in UTC. With a facility they are not counted.", 402),
  feedsRejected: count("Of these: rejected or failed.", 9),
};

const clientPerformance = Type.Object(
  { clientId: text("Client.", "DEMO"), ...figures },
  { ...closed, title: "ClientPerformance", description: "The figures of a client." },
);
const periodPerformance = Type.Object(
  { day: day("The day, the Monday of the week, or the first day of the month."), ...figures },
  { ...closed, title: "PeriodPerformance", description: "The figures of a period." },
);
const totalPerformance = Type.Object(figures, {
  ...closed,
  title: "Performance",
  description: "The figures of all days and clients.",
});
export type Performance = Static<typeof totalPerformance>;

export const performanceReport = Type.Object(
  {
    asOf: moment("Time of the figures."),
    uncomputed,
    total: totalPerformance,
    periods: Type.Array(periodPerformance, { description: "Periods with figures, the oldest first." }),
    clients: Type.Array(clientPerformance, { description: "Clients with figures, by identifier." }),
  },
  {
    ...closed,
    title: "PerformanceReport",
    description: "Orders by their day of receipt, parcels, returns and documents by their own day.",
  },
);
