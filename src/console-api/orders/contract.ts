import Type, { type Static } from "typebox";
import { stageNames } from "#/console-api/overview/stages.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { defineCursor, pageOf, pageParameters, placeText } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { holdTypes, orderStates } from "#/modules/orders/index.ts";

export const oneOf = <const Values extends readonly string[]>(values: Values, description: string, example: string) =>
  Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description, examples: [example] });

/** An enumeration that several schemas share: generators create one type for it. */
export const named = <const Values extends readonly string[]>(
  title: string,
  values: Values,
  description: string,
  example: string,
) => Type.Unsafe<Values[number]>({ ...oneOf(values, description, example), title });

export const orderStatusField = (description: string, example = "ON_HOLD") =>
  named("OrderStatus", orderStates, description, example);
export const holdTypeField = (description: string) => named("HoldType", holdTypes, description, "ADDRESS_INVALID");

export const clientField = Type.String({ description: "Client.", examples: ["DEMO"] });

/**
 * By receipt, or by the time left until the order must leave; with a minus the latest first.
 *
 * Not by despatch: an order's time of despatch is in its parcels, whose index by it has neither the state nor the facility
 * of the order. A page of a facility or a state with one order in 10,000 reads 25 pages for each 1,000 parcels of the
 * past. A column of the order with an index for each of (client, state), (client, facility, state) and (facility, state),
 * as the sort by receipt has them, adds 9 % to the log of an order's changes, though only despatched orders are in them
 * (bench/results.md). `despatchedOn` and `leftSince` find orders by despatch with the index of the parcels.
 */
export const orderSorts = ["receivedAt", "-receivedAt", "despatchBy", "-despatchBy"] as const;
export type OrderSort = (typeof orderSorts)[number];

/** Filter value for orders without a carrier. */
export const noCarrier = "NONE";

const dayOf = (description: string) =>
  Type.Refine(
    Type.String({ format: "date", description, examples: ["2026-11-20"] }),
    (day) => readDateTime(`${day}T00:00:00Z`) !== undefined,
    () => "must be a date such as 2026-11-20",
  );

/** Each excluded carrier is a range of the index that is looked up separately. */
const carriersMax = 20;
const carriers = (description: string) =>
  Type.Array(identifier("A carrier.", "RM"), {
    minItems: 1,
    maxItems: carriersMax,
    description,
    examples: [["RM"]],
  });

const filters = {
  ...scopeParameters,
  status: Type.Optional(
    Type.Array(orderStatusField("A state.", "BACKORDERED"), {
      maxItems: orderStates.length,
      description: "Orders in one of these states; repeat the parameter for several.",
      examples: [["BACKORDERED"]],
    }),
  ),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Beginning of the orderId or of the externalOrderReference, in any case of letters.",
      examples: ["WEB-1000"],
    }),
  ),
  customer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Beginning of the customer's last name, whole name, e-mail address or postcode (ship-to), in any case of letters, or the whole telephone number, with or without the prefix of the country; of at most 2 000 orders.",
      examples: ["Greta Archer"],
    }),
  ),
  sku: Type.Optional(
    identifier("Orders with a line of this product that has not left completely; at most 2 000.", "MUG-BLUE-330"),
  ),
  lotNumber: Type.Optional(identifier("Orders that goods of this lot left with; at most 2 000.", "B-2026-11")),
  serialNumber: Type.Optional(identifier("Orders that took the unit with this serial number.", "SN-004711")),
  carrierCode: Type.Optional(
    carriers(
      `Orders with one of these carriers, chosen by the client; repeat the parameter for several. \`${noCarrier}\` is also a value: orders without a carrier; with it, only orders that have not left.`,
    ),
  ),
  exceptCarrierCode: Type.Optional(
    carriers("Orders for which the client chose a carrier, but none of these; repeat the parameter for several."),
  ),
  shippingMethod: Type.Optional(identifier("Orders with this shipping method.", "STANDARD")),
  holdType: Type.Optional(holdTypeField("Orders with a hold of this type.")),
  isHeld: Type.Optional(
    Type.Boolean({
      description: "True: only orders with a hold of any type; false: only orders without a hold.",
      examples: [true],
    }),
  ),
  priority: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9, description: "Orders of this priority.", examples: [1] }),
  ),
  isAtRisk: Type.Optional(
    Type.Boolean({
      description:
        "True: only orders that have not left, are due within the hour, and are not late. With isLate: either.",
      examples: [true],
    }),
  ),
  isLate: Type.Optional(
    Type.Boolean({
      description: "True: only orders that have not left and whose despatchBy has passed. With isAtRisk: either.",
      examples: [true],
    }),
  ),
  stage: Type.Optional(
    named("OrderStage", stageNames, "Orders at this stage, as `readOrderFlow` counts them.", "PICKING"),
  ),
  despatchBefore: Type.Optional(moment("Orders that have not left and are due before this time.")),
  dueBy: Type.Optional(moment("Orders that have not left and are due at this time or earlier.")),
  dueAt: Type.Optional(moment("Orders whose despatchBy is this time, in any state.")),
  leavesWith: Type.Optional(
    carriers(
      `Orders of one of these carriers: the carrier of their parcels, or else the carrier that the client chose; repeat the parameter for several. \`${noCarrier}\` is also a value: neither is known; with it, and without dueAt and leftSince, only orders that have not left.`,
    ),
  ),
  leftSince: Type.Optional(moment("Orders with a parcel that left at or after this time.")),
  receivedOn: Type.Optional(dayOf("Orders received on this day in the time zone of their facility.")),
  despatchedFrom: Type.Optional(
    dayOf("Orders whose first parcel left on this day in the time zone of their facility, or later."),
  ),
  despatchedTo: Type.Optional(dayOf("Orders whose first parcel left on this day at the latest.")),
  deliveredOn: Type.Optional(dayOf("Orders delivered on this day in the time zone of their facility.")),
  receivedFrom: Type.Optional(moment("Received at or after this time.")),
  receivedTo: Type.Optional(moment("Received before this time.")),
  updatedSince: Type.Optional(moment("Changed at or after this time.")),
};

export const orderCountQuery = Type.Object(filters, closed);
export type OrderCountQuery = Static<typeof orderCountQuery>;

export const orderListQuery = Type.Object(
  {
    ...filters,
    sort: Type.Optional(
      Type.Enum([...orderSorts], {
        type: "string",
        default: "-receivedAt",
        description:
          "By receipt, or by despatchBy: orders that have not left, the earliest due first. With a minus the latest first; for despatchBy, orders without one are before them.",
        examples: ["-receivedAt"],
      }),
    ),
    ...pageParameters,
  },
  closed,
);
export type OrderListQuery = Static<typeof orderListQuery>;

export const orderCount = Type.Object(
  {
    count: Type.Integer({ description: "Number of matching orders; 1 000 where there are more.", examples: [42] }),
    isMore: Type.Boolean({ description: "Whether there are more.", examples: [false] }),
  },
  { ...closed, title: "OrderCount", description: "Number of matching orders, up to a limit." },
);

export const orderFigures = Type.Object(
  { toLeave: orderCount, atRisk: orderCount, late: orderCount, held: orderCount, waiting: orderCount },
  {
    ...closed,
    title: "OrderFigures",
    description:
      "Counts of orders: not left completely, isAtRisk, isLate, isHeld, and in BACKORDERED or PARTIALLY_ALLOCATED.",
  },
);
export const orderFiguresQuery = Type.Object(scopeParameters, closed);

export const holdField = Type.Object(
  {
    type: holdTypeField("Kind of the hold."),
    reason: Type.String({ description: "Why.", examples: ["the postcode is not one of the town"] }),
    since: moment("Since when."),
    by: Type.String({ description: "User or system that set it.", examples: ["user:anna"] }),
  },
  { ...closed, title: "OrderHold", description: "A hold of an order." },
);

export const orderQuantities = Type.Object(
  {
    ordered: quantity("Ordered."),
    open: quantity("Not yet allocated or back-ordered."),
    backordered: quantity("Waiting for stock."),
    allocated: quantity("Reserved in the warehouse."),
    picked: quantity("Picked."),
    packed: quantity("Packed into parcels."),
    despatched: quantity("Gone out."),
    cancelled: quantity("Cancelled."),
  },
  { ...closed, title: "OrderQuantities", description: "Totals of all lines, each in the stock unit of its product." },
);

const cost = Type.Object(
  {
    amount: Type.Number({ description: "Amount with at most four decimals.", examples: [7.98] }),
    currency: Type.String({ description: "Currency code of ISO 4217.", examples: ["GBP"] }),
  },
  { ...closed, title: "CarrierCost", description: "Carrier cost in one currency." },
);

export const orderParcels = Type.Object(
  {
    count: Type.Integer({ description: "Number of parcels.", examples: [2] }),
    despatchedAt: nullable(moment("When the first of them left; null before.")),
    carrierCode: maybeText("Carrier of the parcel that was packed first.", "RM"),
    carrierServiceCode: maybeText("Service of that parcel.", "RM48"),
    services: Type.Integer({ description: "Number of different services of carriers.", examples: [1] }),
    trackingNumber: maybeText("The first tracking number, in the order of packing.", "RM123456785GB"),
    trackingNumbers: Type.Integer({ description: "Number of different tracking numbers.", examples: [2] }),
    costs: Type.Array(cost, {
      description:
        "Sum of the prices of their carrier decisions, for each currency; empty while none has a decision with a price.",
      examples: [[{ amount: 7.98, currency: "GBP" }]],
    }),
  },
  { ...closed, title: "OrderParcels", description: "The parcels of an order together, without voided ones." },
);

export const listedOrder = Type.Object(
  {
    clientId: clientField,
    orderId: identifier("Identifier of the order, the client's own.", "WEB-100045"),
    externalOrderReference: maybeText("Reference in another system of the client.", "SHOP-2026-77812"),
    status: orderStatusField("State of the order.", "BACKORDERED"),
    statusReason: maybeText(
      "Reason of the state, where there is one; of a held order its first open hold: its type and reason.",
      "CLIENT_REQUEST: Address to be confirmed",
    ),
    statusSince: nullable(moment("When it entered this state; null where unknown.")),
    distributionCentre: identifier("Facility that fulfils the order.", "DC1"),
    priority: Type.Integer({ description: "1 is served first, 9 last.", examples: [5] }),
    shipToName: maybeText("Who gets it: first and last name, or else the company.", "Zoë Ward"),
    country: maybeText("Country of destination, ISO 3166-1, two letters.", "GB"),
    shippingMethod: maybeText("Shipping method.", "STANDARD"),
    carrierCode: maybeText("Carrier that the client chose.", "RM"),
    parcels: orderParcels,
    holds: Type.Array(holdField, { description: "Holds of the order." }),
    lines: Type.Integer({ description: "Number of lines.", examples: [3] }),
    quantities: orderQuantities,
    missingSkus: Type.Optional(
      Type.Array(identifier("A SKU.", "MUG-BLUE-330"), {
        description: "SKUs that its lines wait for, of a kit those of its components; at most 10.",
        examples: [["MUG-BLUE-330"]],
      }),
    ),
    despatchBy: nullable(moment("Despatch deadline; null where it has none.")),
    isCancelRequested: Type.Boolean({
      description: "Whether the warehouse was asked to cancel the order or a part of it, and has not answered.",
      examples: [false],
    }),
    receivedAt: moment("When it was received."),
    updatedAt: moment("When it last changed."),
  },
  { ...closed, title: "ListedOrder", description: "An order in a list over clients." },
);
export type ListedOrder = Static<typeof listedOrder>;

export const orderPage = pageOf(listedOrder, "Orders of several clients, in the requested order.");

/** A moment as microseconds since 1970; an order without a due time has a larger value than any moment. */
const orderPlace = Type.Object({
  us: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  client: placeText(),
  id: placeText(),
});
export type OrderPlace = Static<typeof orderPlace>;

export const orderCursors = {
  receivedAt: defineCursor("console-orders:receivedAt", orderPlace),
  "-receivedAt": defineCursor("console-orders:-receivedAt", orderPlace),
  despatchBy: defineCursor("console-orders:despatchBy", orderPlace),
  "-despatchBy": defineCursor("console-orders:-despatchBy", orderPlace),
} as const;

export const orderPath = Type.Object({ orderId: identifier("The order.", "WEB-100045") }, closed);
