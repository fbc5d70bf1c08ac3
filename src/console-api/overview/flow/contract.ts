import Type, { type Static } from "typebox";
import { stageNames } from "#/console-api/overview/stages.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { moment, nullable } from "#/http/routes/schema.ts";
import { orderStates } from "#/modules/orders/index.ts";

export const closed = { additionalProperties: false } as const;

export const count = (description: string, example = 12) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const scopeQuery = Type.Object(scopeParameters, closed);

const secondsField = (description: string, example: number) => nullable(count(description, example));

const ageCount = Type.Object(
  {
    underSeconds: secondsField("No older than this, and older than the one before; null: the rest.", 3_600),
    count: count("How many orders.", 4),
  },
  { ...closed, title: "AgeCount", description: "How many orders of a stage are of an age." },
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
        description: "States of its orders, for the list behind it.",
        examples: [["PICKING"]],
      },
    ),
    count: count("Orders."),
    oldestSeconds: secondsField("Age of the oldest, in seconds since it was received; null without orders.", 86_400),
    medianSeconds: secondsField("Half of the orders are younger, in seconds; null without orders.", 3_600),
    ages: Type.Array(ageCount, { description: "Orders by their age, the youngest first." }),
    atRisk: count("Of them to leave within the hour, and not late yet.", 2),
    late: count("Of them past the moment by which they were to leave.", 1),
  },
  {
    ...closed,
    title: "FlowStage",
    description:
      "A stage of the way from receipt to delivery. DESPATCHED: no carrier has told of a parcel yet; IN_TRANSIT: one has. Of DELIVERED_TODAY ages are the times from receipt to delivery.",
  },
);
export type FlowStage = Static<typeof stage>;

export const flow = Type.Object(
  {
    asOf: moment("The moment of which all of it is."),
    open: count("Orders that have not wholly left.", 420),
    atRisk: count("Of them to leave within the hour, and not late yet."),
    late: count("Of them past the moment by which they were to leave.", 3),
    stages: Type.Array(stage, { description: "Every stage, in the order of the way." }),
  },
  { ...closed, title: "OrderFlow", description: "How many orders are at each stage, and how old they are." },
);
export type Flow = Static<typeof flow>;

const board = {
  waiting: count("Orders to leave by the cut-off, or earlier, that are not packed.", 14),
  packed: count("Packed, and not gone yet.", 6),
  done: count("Orders to leave by this cut-off that have left.", 180),
  atRisk: count("Of those that have not left: to leave within the hour, and not late yet.", 5),
  late: count("Of those that have not left: past the moment by which they were to leave.", 1),
};

const carrierBoard = Type.Object(
  {
    carrierCode: nullable(Type.String({ description: "Carrier; null while nobody has said which.", examples: ["RM"] })),
    collectsUntil: nullable(
      Type.String({
        description:
          "Until when the first of its services collects at the facility, HH:MM by the clock there; null where only the facility's own cut-off holds.",
        examples: ["17:00"],
      }),
    ),
    ...board,
  },
  { ...closed, title: "CarrierCutOff", description: "Orders of a carrier against the cut-off." },
);
export type CarrierCutOff = Static<typeof carrierBoard>;

const facilityBoard = Type.Object(
  {
    distributionCentre: Type.String({ description: "Facility.", examples: ["DC1"] }),
    timezone: Type.String({ description: "Its time zone, of the IANA data base.", examples: ["Europe/London"] }),
    cutOffTime: Type.String({ description: "Its cut-off, HH:MM by the clock there.", examples: ["17:00"] }),
    cutOffAt: moment("The next cut-off."),
    cutOffBefore: moment("The cut-off before it: orders due by the next one were accepted after it."),
    minutesLeft: count("Whole minutes until then.", 80),
    ...board,
    carriers: Type.Array(carrierBoard, { description: "The same by carrier, most orders first." }),
  },
  { ...closed, title: "FacilityCutOff", description: "Orders of a facility against its next cut-off." },
);
export type FacilityCutOff = Static<typeof facilityBoard>;

export const cutOffs = Type.Object(
  {
    asOf: moment("The moment of which all of it is."),
    items: Type.Array(facilityBoard, {
      description: "Facilities with a cut-off, the next one first.",
    }),
  },
  { ...closed, title: "CutOffBoard", description: "Orders against the cut-offs of their facilities." },
);
export type CutOffBoard = Static<typeof cutOffs>;

const dayCount = Type.Object(
  {
    day: Type.String({ format: "date", description: "Day of each facility's own.", examples: ["2026-11-20"] }),
    received: count("Orders received.", 310),
    despatched: count("Orders of which a first parcel left.", 290),
    delivered: count("Orders delivered.", 285),
    leadTimeSeconds: secondsField(
      "Half of the delivered took less from receipt to delivery, in seconds; null where none was.",
      172_800,
    ),
  },
  { ...closed, title: "DayCount", description: "What a day has seen." },
);
export type DayCount = Static<typeof dayCount>;

export const trends = Type.Object(
  {
    asOf: moment("The moment of which all of it is."),
    items: Type.Array(dayCount, { description: "The last 30 days, today last." }),
  },
  { ...closed, title: "OrderTrends", description: "Orders received, despatched and delivered, day by day." },
);
export type Trends = Static<typeof trends>;
