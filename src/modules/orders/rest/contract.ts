import Type, { type Static } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import {
  clientIdParameter,
  closed,
  extendedAttributes,
  identifier,
  maybeText,
  moment,
  money,
  nullable,
  quantity,
} from "#/http/routes/schema.ts";
import { holdTypes } from "#/modules/orders/order.ts";
import { orderStates } from "#/modules/orders/states.ts";

/**
 * The Order record of the REST services (contract rest.md §4): the fields of the NO feed under the feed's names, and
 * the fields that the platform adds. Every field is always present; an unknown value is `null`.
 */
export const status = (of: string) =>
  Type.Enum([...orderStates], {
    type: "string",
    title: "OrderStatus",
    description: `State of the ${of}.`,
    examples: ["ALLOCATED"],
  });

const amount = (description: string) =>
  nullable(Type.Object(money.properties, { ...closed, title: "Money", description }));

const taxes = nullable(
  Type.Object(
    {
      amount: nullable(Type.Number({ description: "Sum of the taxes.", examples: [18.19] })),
      currency: maybeText("Currency code of ISO 4217.", "EUR"),
      tax: Type.Array(
        Type.Object(
          {
            type: maybeText("Kind of the tax.", "VAT"),
            amount: nullable(Type.Number({ description: "Amount of this tax.", examples: [17.36] })),
          },
          { ...closed, title: "Tax", description: "A tax." },
        ),
        { description: "Each tax." },
      ),
    },
    { ...closed, title: "Taxes", description: "Taxes, as in the feed." },
  ),
);

export const address = Type.Object(
  {
    addressId: maybeText("Identifier of the address.", "S-3302"),
    title: maybeText("Title of the person.", "Ms"),
    companyName: maybeText("Company.", "Muster UK Ltd"),
    department: maybeText("Department.", "Goods in"),
    firstName: maybeText("First name.", "Zoë"),
    lastName: maybeText("Last name.", "O’Neill"),
    address1: maybeText("Street and number.", "12 Harbour Road"),
    address2: maybeText("Second line.", "Unit 4"),
    city: maybeText("City.", "Bristol"),
    zip: maybeText("Postcode.", "BS1 5TY"),
    state: maybeText("State, province or county.", "Avon"),
    country: maybeText("Country code of ISO 3166-1, two letters.", "GB"),
    phone: maybeText("Telephone number.", "+44 117 4960100"),
    mobile: maybeText("Mobile number.", "+44 7700 900100"),
    email: maybeText("Mail address.", "zoe.oneill@example.com"),
  },
  { ...closed, title: "Address" },
);

export const addressOf = (description: string) =>
  nullable(Type.Object(address.properties, { ...closed, title: "Address", description }));

export const payment = Type.Object(
  { type: maybeText("Kind of payment.", "CARD"), tender: maybeText("Means of payment.", "VISA") },
  { ...closed, title: "Payment", description: "A payment." },
);

const buckets = {
  qtyOrdered: quantity("Ordered. The sum of open, backordered, allocated, picked, packed, despatched and cancelled."),
  qtyOpen: quantity("Not yet allocated or back-ordered."),
  qtyBackordered: quantity("Waiting for stock."),
  qtyAllocated: quantity("Reserved in the warehouse."),
  qtyPicked: quantity("Picked."),
  qtyPacked: quantity("Packed into parcels."),
  qtyDespatched: quantity("Gone out."),
  qtyCancelled: quantity("Cancelled."),
  qtyDelivered: quantity("Of the despatched quantity: delivered."),
  qtyReturned: quantity("Of the despatched quantity: returned."),
};

export const orderComponent = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number under which the warehouse reports it.", examples: [2_000_001] }),
    sku: identifier("The component.", "CUP-RED"),
    qtyPerKit: quantity("In one kit."),
    uom: Type.String({ description: "Its stock unit, the unit of all quantities.", examples: ["EA"] }),
    ...buckets,
  },
  { ...closed, title: "OrderComponent", description: "A component of a kit in an order." },
);

export const orderLine = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the line within the order.", examples: [1] }),
    distributionCentre: identifier("Facility that fulfils the line.", "DC1"),
    sku: identifier("Product.", "MUG-BLUE-330"),
    status: status("line"),
    qty: quantity("Quantity as in the feed, in qtyUom; or, after orderLine/update, as in that request."),
    qtyUom: maybeText("Unit of qty as in the feed; null: the stock unit.", "EA"),
    uom: Type.String({
      description: "Stock unit of the product, the unit of all following quantities.",
      examples: ["EA"],
    }),
    ...buckets,
    promisedOn: nullable(
      Type.String({
        format: "date",
        description:
          "Day on which open purchase orders bring what the line waits for, behind all orders before it; null: none says, or the line waits for nothing.",
        examples: ["2026-11-30"],
      }),
    ),
    components: Type.Array(orderComponent, {
      description:
        "Of a kit: its components, for the kits that are not taken from stock of the kit. Empty for any other line.",
    }),
    stockPool: Type.String({ description: "Stock pool from which the goods are taken first.", examples: ["DEFAULT"] }),
    lineTotal: amount("Total of the line."),
    unitNetPrice: amount("Price of one unit without tax."),
    extendedUnitNetPrice: amount("Price of the whole quantity without tax."),
    unitGrossPrice: amount("Price of one unit with tax."),
    taxes,
    extendedAttributes,
  },
  { ...closed, title: "OrderLine", description: "A line of an order." },
);

export const hold = Type.Object(
  {
    type: Type.Enum([...holdTypes], {
      type: "string",
      title: "HoldType",
      description: "Kind of the hold.",
      examples: ["DO_NOT_SHIP"],
    }),
    reason: Type.String({ description: "Why.", examples: ["doNotShip of the order"] }),
    since: moment("Since when."),
    by: Type.String({ description: "User or system that set it.", examples: ["feed"] }),
  },
  { ...closed, title: "Hold", description: "A hold of the order." },
);

export const milestone = Type.Object(
  {
    code: Type.Integer({ description: "Event code.", examples: [10] }),
    name: Type.String({ description: "Its name.", examples: ["Order Received"] }),
    at: moment("When."),
  },
  { ...closed, title: "Milestone", description: "A step in the order's life." },
);

export const order = Type.Object(
  {
    orderId: identifier("Identifier of the order, the client's own.", "WEB-100045"),
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    status: status("order"),
    statusReason: maybeText(
      "Reason of the state, where there is one; of a held order its first open hold: its type and reason.",
      "CLIENT_REQUEST: Address to be confirmed",
    ),
    externalOrderReference: maybeText("Reference in another system of the client.", "SHOP-2026-77812"),
    catalogId: maybeText("Catalogue that the order refers to.", "AUTUMN-2026"),
    doNotShip: Type.Boolean({
      description: "Whether the client has requested to hold the order.",
      examples: [false],
    }),
    origin: maybeText("Origin of the order.", "WEBSHOP"),
    language: maybeText("Language of documents.", "en-GB"),
    orderDate: moment("When the order was placed."),
    shippingMethod: maybeText("Shipping method.", "STANDARD"),
    shippingCost: amount("Cost of shipping."),
    subtotal: amount("Sum of the lines."),
    totalPrice: amount("Amount that the customer pays."),
    taxes,
    billToAddress: addressOf("Invoice address."),
    shipToAddress: addressOf("Delivery address."),
    payments: Type.Array(payment, { description: "Reference of the payment." }),
    distributionCentre: identifier(
      "Facility that fulfils the order, as routed; of a split order, the most lines.",
      "DC1",
    ),
    distributionCentres: Type.Array(identifier("Facility.", "DC1"), {
      description:
        "All facilities that fulfil lines of the order: `distributionCentre` first, others of a split order.",
    }),
    carrierCode: maybeText("Carrier that the client chose.", "RM"),
    shipAfter: nullable(moment("The order must not leave before this time: it is on hold until two hours before it.")),
    shipBy: nullable(moment("The order must leave by this time.")),
    deliverBy: nullable(moment("The order should be delivered by the day of this time at the facility.")),
    extendedAttributes,
    priority: Type.Integer({ minimum: 1, maximum: 9, description: "1 is served first, 9 last.", examples: [5] }),
    shipPartial: Type.Boolean({ description: "Whether the order may leave in parts.", examples: [false] }),
    holds: Type.Array(hold, { description: "Holds of the order." }),
    lines: Type.Array(orderLine, { description: "By lineNumber." }),
    milestones: Type.Array(milestone, { description: "Milestones, in order." }),
    olpns: Type.Array(identifier("Parcel (OLPN) of the order.", "006141410000000012"), {
      description: "Parcels of the order.",
    }),
    despatchBy: nullable(
      moment("Despatch deadline: shipBy, or else the cut-off of the facility; null where it has neither."),
    ),
    feedToken: Type.String({
      format: "uuid",
      description: "Token of the feed document that created the order.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    receivedAt: moment("When it was received."),
    updatedAt: moment("When it last changed."),
    personalDataErasedAt: nullable(
      moment("When names, addresses and payloads were erased; of the addresses only the country is kept."),
    ),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [1] }),
  },
  { ...closed, title: "Order", description: "A sales order." },
);

export type OrderRecord = Static<typeof order>;
export type OrderLineRecord = Static<typeof orderLine>;

export const orderPage = pageOf(order, "Orders, by receipt.");

export const orderPath = Type.Object({ orderId: identifier("The order.", "WEB-100045") }, closed);

export const orderQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const orderListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    status: Type.Optional(status("order")),
    distributionCentre: Type.Optional(identifier("Orders of which this facility fulfils lines.", "DC1")),
    externalOrderReference: Type.Optional(identifier("Orders with this reference.", "SHOP-2026-77812")),
    receivedFrom: Type.Optional(moment("Received at or after this time.")),
    receivedTo: Type.Optional(moment("Received before this time.")),
    updatedSince: Type.Optional(moment("Changed at or after this time; may repeat earlier answers.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

export type OrderListQuery = Static<typeof orderListQuery>;

export const orderCursors = defineReceiptCursors("orders");
