import Type, { type Static, type TSchema } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import {
  auditedReason,
  clientIdParameter,
  closed,
  identifier,
  moment,
  newIdentifier,
  nullable,
  positiveQuantity,
  quantity,
} from "#/http/routes/schema.ts";
import type { Consumption } from "#/modules/workorders/domain.ts";
import { componentsMax } from "#/modules/workorders/repository.ts";
import { workOrderStates } from "#/modules/workorders/states.ts";

/** The schemas of the Work Order service (rest.md §2–§4). */
const consumptions = ["BACKFLUSH", "REPORTED"] as const satisfies readonly Consumption[];

const status = Type.Enum([...workOrderStates], {
  type: "string",
  title: "WorkOrderStatus",
  description: "State of the work order.",
  examples: ["RELEASED"],
});

export const consumptionField = Type.Enum([...consumptions], {
  type: "string",
  title: "Consumption",
  description:
    "BACKFLUSH: a finished good consumes its components by qtyPer. REPORTED: the warehouse reports the consumed components. Fixed at creation.",
  examples: ["BACKFLUSH"],
});

const sku = (description: string, example: string) => identifier(description, example);
const priorityField = { minimum: 1, maximum: 9, description: "1 is served first, 9 last.", examples: [5] };
const notesField = { maxLength: 4000, description: "Notes for the warehouse.", examples: ["Gift wrap in red."] };
const dueDateField = {
  format: "date-time",
  description: "Due time.",
  examples: ["2026-11-30T12:00:00.000Z"],
};

const component = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the component within the work order.", examples: [1] }),
    sku: sku("Component.", "MUG-BLUE-330"),
    uom: Type.String({ description: "Stock unit of the component, in which its quantities are.", examples: ["EA"] }),
    qtyPer: quantity("Quantity for one finished good."),
    qtyRequired: quantity("Quantity for the whole work order."),
    qtyAllocated: quantity("Reserved for it in the warehouse."),
    qtyConsumed: quantity("Consumed so far, scrap included."),
  },
  { ...closed, title: "WorkOrderComponent", description: "A component of a work order." },
);

export const workOrder = Type.Object(
  {
    workOrderId: identifier("Identifier of the work order.", "WO-100"),
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    facilityCode: identifier("Facility that assembles.", "DC1"),
    status,
    finishedGoodSku: sku("The finished good.", "GIFT-SET"),
    uom: Type.String({ description: "Stock unit of the finished good.", examples: ["EA"] }),
    qtyOrdered: quantity("Quantity to make."),
    qtyCompleted: quantity("Quantity made."),
    consumption: consumptionField,
    components: Type.Array(component, { description: "Its components." }),
    dueDate: nullable(moment("Due time.")),
    priority: Type.Integer(priorityField),
    notes: nullable(Type.String(notesField)),
    receivedAt: moment("When it was created."),
    updatedAt: moment("When it last changed."),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [1] }),
  },
  { ...closed, title: "WorkOrder", description: "Assembles a finished good from components." },
);

export type WorkOrderRecord = Static<typeof workOrder>;

const wanted = (description: string) =>
  positiveQuantity(`${description} At most three decimals; whole where the stock unit is EA.`, 2);

const newComponents = Type.Array(
  Type.Object(
    { sku: sku("Component.", "MUG-BLUE-330"), qtyPer: wanted("Quantity for one finished good.") },
    { ...closed, title: "WorkOrderComponentCreate", description: "A component of a new work order." },
  ),
  { minItems: 1, maxItems: componentsMax, description: "Its components; each SKU once." },
);

export const workOrderCreate = Type.Object(
  {
    clientId: clientIdParameter,
    facilityCode: identifier("Facility that assembles.", "DC1"),
    workOrderId: Type.Optional(newIdentifier("Identifier of the work order; generated if left out.", "WO-100")),
    finishedGoodSku: sku("The finished good.", "GIFT-SET"),
    qty: wanted("Quantity to make."),
    components: newComponents,
    consumption: Type.Optional(consumptionField),
    dueDate: Type.Optional(moment("Due time.")),
    priority: Type.Optional(Type.Integer({ ...priorityField, default: 5 })),
    notes: Type.Optional(Type.String(notesField)),
  },
  { ...closed, title: "WorkOrderCreate", description: "A work order to be created." },
);

export type WorkOrderCreate = Static<typeof workOrderCreate>;

/** In a merge patch null resets a field to its default. `nullable` is for answers; the validator needs this form. */
function clearable<Schema extends TSchema>(type: string, field: object) {
  return Type.Optional(Type.Unsafe<Static<Schema> | null>({ ...field, type: [type, "null"] }));
}

export const workOrderPatch = Type.Object(
  {
    clientId: clientIdParameter,
    qty: Type.Optional(wanted("Quantity to make.")),
    components: Type.Optional(newComponents),
    dueDate: clearable<ReturnType<typeof Type.String>>("string", dueDateField),
    priority: clearable<ReturnType<typeof Type.Integer>>("integer", priorityField),
    notes: clearable<ReturnType<typeof Type.String>>("string", notesField),
  },
  { ...closed, title: "WorkOrderPatch", description: "JSON merge patch (RFC 7396) of a work order." },
);

export type WorkOrderPatch = Static<typeof workOrderPatch>;

export const workOrderCancel = Type.Object(
  {
    clientId: clientIdParameter,
    reason: auditedReason("Not wanted any more"),
  },
  { ...closed, title: "WorkOrderCancel", description: "Optional." },
);

export const workOrderPage = pageOf(workOrder, "Work orders, by receipt.");

export const workOrderPath = Type.Object({ workOrderId: identifier("The work order.", "WO-100") }, closed);

export const workOrderQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const workOrderListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    status: Type.Optional(status),
    facilityCode: Type.Optional(identifier("Work orders of this facility.", "DC1")),
    updatedSince: Type.Optional(moment("Changed at or after this time; may repeat earlier answers.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

export type WorkOrderListQuery = Static<typeof workOrderListQuery>;

export const workOrderCursors = defineReceiptCursors("workOrders");
