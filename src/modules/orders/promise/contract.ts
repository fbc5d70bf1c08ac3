import Type, { type Static } from "typebox";
import { closed, copyOf, identifier, nullable, positiveQuantity, quantity } from "#/http/routes/schema.ts";
import { requestOf, sentOf } from "#/intake/json/contract.ts";
import { carrierDecision } from "#/modules/carriers/index.ts";
import { explanation } from "#/modules/orders/explain/contract.ts";
import { address, order, orderComponent, orderLine } from "#/modules/orders/rest/contract.ts";

/** The promise for a basket (contract rest.md §3). Its fields have the names of the order that it may become. */

export const promiseLinesMax = 100;

const day = (description: string) => nullable(Type.String({ format: "date", description, examples: ["2026-11-30"] }));

const shipToAddress = copyOf(requestOf(address, { required: ["country"], optional: ["city", "zip", "state"] }), {
  title: "BasketAddress",
  description: "Delivery address, as far as it is known.",
});

const basketLine = Type.Object(
  {
    sku: orderLine.properties.sku,
    qty: positiveQuantity("Wanted, in qtyUom. At most three decimals.", 2),
    qtyUom: Type.Optional(identifier("The stock unit of the item, or a pack of it; left out: the stock unit.", "EA")),
    stockPool: Type.Optional(identifier("Stock pool from which the goods are taken first.", "DEFAULT")),
  },
  { ...closed, title: "BasketLine", description: "Goods in a basket." },
);

export const promiseRequest = sentOf(
  order,
  {
    required: ["shipToAddress", "lines"],
    optional: [
      ...["distributionCentre", "shippingMethod", "carrierCode", "shipAfter", "deliverBy", "totalPrice"],
      "extendedAttributes",
    ],
    more: {
      shipToAddress,
      lines: Type.Array(basketLine, { minItems: 1, maxItems: promiseLinesMax, description: "Goods of the basket." }),
    },
  },
  "PromiseRequest",
  "A basket and where it goes: the fields of `order/create` that decide when and how it leaves.",
);

const promisedLine = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Place in the basket, from 1.", examples: [1] }),
    sku: orderLine.properties.sku,
    uom: orderComponent.properties.uom,
    qty: quantity("Wanted, in stock units."),
    qtyAvailable: quantity("Of these: could be allocated now."),
    qtyShort: quantity("Of these: is missing."),
    availableOn: day(
      "Day on which open purchase orders bring what is missing, behind all orders that wait; null: nothing is missing, or no purchase order says.",
    ),
  },
  { ...closed, title: "PromisedLine", description: "A line of the basket." },
);

const promisedShipment = Type.Object(
  {
    distributionCentre: identifier(
      "Facility from which it leaves: one of several where the order would be split.",
      "DC1",
    ),
    availableOn: day("Day on which all of its goods are there; null: not known, and so nothing else is."),
    despatchBy: nullable(
      Type.String({
        format: "date-time",
        description: "Cut-off with which it leaves; null: the facility has none.",
        examples: ["2026-11-30T17:00:00.000Z"],
      }),
    ),
    carrier: carrierDecision.properties.chosen,
    lines: Type.Array(
      Type.Object(
        {
          lineNumber: Type.Integer({ description: "Line of the basket.", examples: [1] }),
          qty: quantity("In stock units."),
        },
        { ...closed, title: "PromisedPart", description: "Part of a line." },
      ),
      { description: "What it has." },
    ),
  },
  { ...closed, title: "PromisedShipment", description: "Goods that leave together." },
);

export const promise = Type.Object(
  {
    clientId: order.properties.clientId,
    distributionCentre: identifier("Facility to which an order of this basket would be routed.", "DC1"),
    routedBy: explanation.properties.routing.properties.by,
    lines: Type.Array(promisedLine, { description: "In the order of the basket." }),
    shipments: Type.Array(promisedShipment, {
      description: "By facility and day: all goods at once, or in parts where the client's orders leave in parts.",
    }),
    warnings: Type.Array(
      Type.String({
        description: "A sentence.",
        examples: ["no carrier is chosen: items without weight: MUG-BLUE-330"],
      }),
      { description: "What could not be promised, and replaced values." },
    ),
  },
  { ...closed, title: "Promise", description: "What an order of this basket would get if it came now." },
);

export type PromiseRecord = Static<typeof promise>;
