import Type, { type Static } from "typebox";
import { stageNames } from "#/console-api/overview/stages.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { orderStates } from "#/modules/orders/index.ts";

export const count = (description: string, example = 12) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const scopeQuery = Type.Object(scopeParameters, closed);

const secondsField = (description: string, example: number) => nullable(count(description, example));

const ageCount = Type.Object(
  {
    underSeconds: secondsField("Upper bound of the age; null: no bound.", 3_600),
    count: count("Number of orders.", 4),
  },
  { ...closed, title: "AgeCount", description: "Number of orders of a stage in an age band." },
);

const stage = Type.Object(
  {
    stage: Type.Enum([...stageNames], {
      type: "string",
      title: "OrderStage",
      description: "The stage.",
      examples: ["PICKING"],
    }),
    statuses: Type.Array(
      Type.Enum([...orderStates], {
        type: "string",
        title: "OrderStatus",
        description: "A state.",
        examples: ["PICKING"],
      }),
      {
        description: "States of these orders, for the order list.",
        examples: [["PICKING"]],
      },
    ),
    count: count("Orders."),
    oldestSeconds: secondsField("Seconds since the receipt of the oldest; null without orders.", 86_400),
    medianSeconds: secondsField("Median age in seconds; null without orders.", 3_600),
    ages: Type.Array(ageCount, { description: "Orders by age, the youngest first." }),
    atRisk: count("Of these, orders that are due within the hour and not late.", 2),
    late: count("Of these, orders past their despatch time.", 1),
  },
  {
    ...closed,
    title: "FlowStage",
    description:
      "A stage from receipt to delivery. DESPATCHED: no carrier has reported a parcel yet; IN_TRANSIT: a carrier has. For DELIVERED_TODAY, ages are the times from receipt to delivery.",
  },
);
export type FlowStage = Static<typeof stage>;

export const flow = Type.Object(
  {
    asOf: moment("Time of the figures."),
    open: count("Orders that have not completely left.", 420),
    atRisk: count("Of these, orders that are due within the hour and not late."),
    late: count("Of these, orders past their despatch time.", 3),
    lateStuck: count("Of the late ones, orders that are on hold, in whatever state, or back-ordered.", 2),
    stages: Type.Array(stage, { description: "All stages, in their order." }),
  },
  { ...closed, title: "OrderFlow", description: "Number and age of orders at each stage." },
);
export type Flow = Static<typeof flow>;

const board = {
  waiting: count("Orders due by the cut-off, or earlier, that are not packed.", 14),
  packed: count("Packed orders that have not left.", 6),
  done: count("Orders due by this cut-off that have left.", 180),
  atRisk: count("Of those that have not left: due within the hour and not late.", 5),
  late: count("Of those that have not left: past their despatch time.", 1),
};

const carrierBoard = Type.Object(
  {
    carrierCode: maybeText("Carrier; null while none is chosen.", "RM"),
    collectsUntil: maybeText(
      "Latest collection of the first of its services at the facility, HH:MM local time; null where only the facility's cut-off applies.",
      "17:00",
    ),
    ...board,
  },
  { ...closed, title: "CarrierCutOff", description: "Orders of a carrier against the cut-off." },
);
export type CarrierCutOff = Static<typeof carrierBoard>;

const facilityBoard = Type.Object(
  {
    distributionCentre: Type.String({ description: "Facility.", examples: ["DC1"] }),
    timezone: Type.String({ description: "Its time zone in the IANA database.", examples: ["Europe/London"] }),
    cutOffTime: Type.String({ description: "Its cut-off, HH:MM local time.", examples: ["17:00"] }),
    cutOffAt: moment("The next cut-off."),
    cutOffBefore: moment("The previous cut-off: orders due by the next one were accepted after it."),
    minutesLeft: count("Whole minutes until the next cut-off.", 80),
    ...board,
    carriers: Type.Array(carrierBoard, { description: "The same by carrier, most orders first." }),
  },
  { ...closed, title: "FacilityCutOff", description: "Orders of a facility against its next cut-off." },
);
export type FacilityCutOff = Static<typeof facilityBoard>;

export const cutOffs = Type.Object(
  {
    asOf: moment("Time of the figures."),
    items: Type.Array(facilityBoard, {
      description: "Facilities with a cut-off, the next one first.",
    }),
  },
  { ...closed, title: "CutOffBoard", description: "Orders against the cut-offs of their facilities." },
);
export type CutOffBoard = Static<typeof cutOffs>;

const dayCount = Type.Object(
  {
    day: Type.String({
      format: "date",
      description: "Day in the time zone of each facility.",
      examples: ["2026-11-20"],
    }),
    received: count("Orders received.", 310),
    despatched: count("Orders whose first parcel left.", 290),
    delivered: count("Orders delivered.", 285),
    leadTimeSeconds: secondsField("Median time from receipt to delivery in seconds; null without deliveries.", 172_800),
  },
  { ...closed, title: "DayCount", description: "The figures of a day." },
);
export type DayCount = Static<typeof dayCount>;

export const trends = Type.Object(
  {
    asOf: moment("Time of the figures."),
    items: Type.Array(dayCount, { description: "The last 30 days, today last." }),
  },
  { ...closed, title: "OrderTrends", description: "Orders received, despatched and delivered, day by day." },
);
export type Trends = Static<typeof trends>;
