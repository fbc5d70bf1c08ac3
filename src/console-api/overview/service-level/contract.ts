import Type, { type Static } from "typebox";
import { named, orderStatusField } from "#/console-api/orders/contract.ts";
import { day, namedDay, uncomputed } from "#/console-api/reports/days.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { closed, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";

/** A quarter: the longest report. */
export const daysMax = 93;

export const periods = ["day", "week", "month"] as const;

/** Reasons of a late order, the first that applies. */
export const lateCauses = ["HELD", "NO_STOCK", "WAREHOUSE"] as const;

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const seconds = (description: string) => nullable(Type.Integer({ description, examples: [93_600] }));

export const periodField = named(
  "ReportPeriod",
  periods,
  "Days, weeks from Monday, or months, each within the report's days.",
  "week",
);

export const serviceLevelQuery = Type.Object(
  {
    ...scopeParameters,
    clientId: identifier("Client.", "DEMO"),
    from: namedDay("First day of receipt, in the time zone of each order's facility."),
    to: namedDay(`Last day of receipt; the report covers at most ${daysMax} days.`),
    by: Type.Optional(periodField),
  },
  closed,
);

const counts = {
  received: count("Orders received.", 310),
  inTime: count("Orders whose last parcel left by their despatch time.", 296),
  late: count("Orders whose last parcel left after it.", 6),
  overdue: count("Orders that have not left, and whose despatch time has passed.", 2),
  open: count("Other orders that have not left.", 0),
  untimed: count("Orders that left, and had no despatch time.", 0),
  cancelled: count("Cancelled orders.", 6),
};

export const period = Type.Object(
  {
    day: day("The day of receipt, the Monday of the week, or the first day of the month."),
    ...counts,
    despatchSeconds: seconds(
      "Median time from receipt to the despatch of the last parcel, within 2.2 per cent; null without such orders.",
    ),
    deliverySeconds: seconds("Median time from receipt to delivery, within 2.2 per cent; null without deliveries."),
  },
  { ...closed, title: "ServiceLevelCount", description: "The orders of a period against their despatch times." },
);

export const lateOrder = Type.Object(
  {
    orderId: identifier("The order.", "WEB-100045"),
    distributionCentre: identifier("Facility that fulfils it.", "DC1"),
    status: orderStatusField("State of the order.", "BACKORDERED"),
    statusReason: maybeText("Reason of the state, where there is one.", "CLIENT_REQUEST: Address to be confirmed"),
    cause: named(
      "LateCause",
      lateCauses,
      "HELD: the order was on hold; NO_STOCK: it waited for stock; WAREHOUSE: neither.",
      "NO_STOCK",
    ),
    receivedAt: moment("When it was received."),
    despatchBy: moment("When it had to leave."),
    leftAt: nullable(moment("When its last parcel left; null: it has not left.")),
  },
  { ...closed, title: "LateOrder", description: "An order that left late, or has not left in time." },
);

export const serviceLevel = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    uncomputed,
    total: Type.Object(counts, { ...closed, title: "ServiceLevelCounts", description: "The orders of all periods." }),
    items: Type.Array(period, { description: "Periods with orders, the oldest first." }),
    lateOrders: Type.Array(lateOrder, {
      description: "Orders that left late or are overdue, the latest despatch time first; at most 200.",
    }),
  },
  { ...closed, title: "ServiceLevelReport", description: "The orders of a client against their despatch times." },
);
export type ServiceLevel = Static<typeof serviceLevel>;
