// Single objects of the facility (warehouse.md), as the warehouse sees them.
import Type, { type Static } from "typebox";
import { closed, identifier } from "#/http/routes/schema.ts";
import { detailedInventory, detailedItem } from "#/modules/inventory/index.ts";
import { type OrderRecord, orderLineSchema, orderSchema } from "#/modules/orders/index.ts";

/** A warehouse needs no prices and no payer to ship an order; customs papers have their values. */
const commercialFields = ["billToAddress", "payments", "shippingCost", "subtotal", "totalPrice", "taxes"] as const;
const commercialLineFields = ["lineTotal", "unitNetPrice", "extendedUnitNetPrice", "unitGrossPrice", "taxes"] as const;

const line = Type.Omit(orderLineSchema, [...commercialLineFields], {
  ...closed,
  title: "WarehouseOrderLine",
  description: "A line of an order, without its prices.",
});

export const warehouseOrder = Type.Object(
  {
    ...Type.Omit(orderSchema, [...commercialFields, "lines"]).properties,
    lines: Type.Array(line, { description: "By lineNumber." }),
  },
  { ...closed, title: "WarehouseOrder", description: "An order as a warehouse needs it: without prices and payer." },
);

export type WarehouseOrderRecord = Static<typeof warehouseOrder>;

/** Leaves out what a warehouse does not need. */
export function warehouseOrderRecord(order: OrderRecord): WarehouseOrderRecord {
  return {
    ...without(order, commercialFields),
    lines: order.lines.map((record) => without(record, commercialLineFields)),
  };
}

function without<Fields extends object, Name extends keyof Fields>(
  record: Fields,
  names: readonly Name[],
): Omit<Fields, Name> {
  const kept = Object.entries(record).filter(([name]) => !names.some((left) => left === name));
  return Object.fromEntries(kept) as Omit<Fields, Name>;
}

export const warehouseStock = Type.Object(
  { ...Type.Omit(detailedInventory, ["items"]).properties, ...detailedItem.properties },
  { ...closed, title: "WarehouseStock", description: "Stock of one SKU in the facility, by lot." },
);

const clientId = Type.Optional(
  Type.String({
    pattern: "^[A-Za-z0-9_-]{1,10}$",
    description: "Client; required where several clients of the facility have an object with this id.",
    examples: ["DEMO"],
  }),
);

export const objectQuery = Type.Object({ clientId }, closed);
export const noQuery = Type.Object({}, closed);

export const orderPath = Type.Object({ orderId: identifier("The order.", "WEB-100045") }, closed);
export const taskPath = Type.Object(
  { taskId: identifier("The task.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11") },
  closed,
);
export const parcelPath = Type.Object({ olpnId: identifier("The parcel.", "006141410000000012") }, closed);
export const skuPath = Type.Object({ sku: identifier("The product.", "MUG-BLUE-330") }, closed);
export const returnPath = Type.Object({ rmaNumber: identifier("The return.", "RMA-5001") }, closed);
export const workOrderPath = Type.Object({ workOrderId: identifier("The work order.", "WO-100") }, closed);
export const purchaseOrderPath = Type.Object(
  {
    purchaseOrderId: Type.String({
      minLength: 1,
      // Two identifiers and the slash.
      maxLength: 129,
      description: "The objectId of its task: poNumber, or poNumber/vendorOrderId with the slash as %2F.",
      examples: ["PO-7001"],
    }),
  },
  closed,
);
