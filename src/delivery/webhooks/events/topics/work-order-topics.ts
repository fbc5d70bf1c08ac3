import Type from "typebox";
import { amount, oneOf, type TopicFamily, utc } from "#/delivery/webhooks/events/topic.ts";
import { closed, maybeText, text } from "#/http/routes/schema.ts";
import { type WorkOrderRecord, workOrderSchema } from "#/modules/workorders/index.ts";
import { workOrderStates } from "#/modules/workorders/states.ts";

const completion = Type.Object(
  {
    workOrderId: text("The work order.", "WO-100"),
    role: oneOf(
      ["FINISHED_GOOD", "COMPONENT"],
      "Whether it reports the finished good or a consumed component.",
      "FINISHED_GOOD",
    ),
    sku: text("The finished good, or the consumed component.", "GIFT-SET"),
    qty: amount("Quantity of this report, in the stock unit.", 5),
    qtyTotal: amount("Quantity of all reports of the work order.", 15),
    batchRef: maybeText("Batch; null where there is none, or the quantity has several.", "B-2026-11"),
    reportedAt: utc("When it was reported."),
    status: oneOf(workOrderStates, "State of the work order after this report.", "IN_PROGRESS"),
  },
  { ...closed, title: "WorkOrderCompletionData", description: "A finished good, or a component of it." },
);

const object = "the workOrderId";

/** One event for the finished good and one for each component (specification §6.2). */
export const completionTopics: TopicFamily = {
  title: "Work order completions",
  objectType: "workOrder",
  object,
  data: completion,
  topics: [
    {
      topicName: "workOrder:completion",
      when: "A finished good was reported, or a component was reported or consumed for one: one event each.",
      sample: {
        objectId: "WO-100",
        data: {
          workOrderId: "WO-100",
          role: "FINISHED_GOOD",
          sku: "GIFT-SET",
          qty: 5,
          qtyTotal: 15,
          batchRef: "B-2026-11",
          reportedAt: "2026-11-20T09:58:30.000Z",
          status: "IN_PROGRESS",
        },
      },
    },
  ],
};

const sampleOf = (status: WorkOrderRecord["status"], qtyOrdered: number, version: number) => ({
  objectId: "WO-100",
  data: {
    workOrderId: "WO-100",
    clientId: "DEMO",
    facilityCode: "DC1",
    status,
    finishedGoodSku: "GIFT-SET",
    uom: "EA",
    qtyOrdered,
    qtyCompleted: 0,
    consumption: "BACKFLUSH",
    components: [
      {
        lineNumber: 1,
        sku: "MUG-BLUE-330",
        uom: "EA",
        qtyPer: 2,
        qtyRequired: qtyOrdered * 2,
        qtyAllocated: 0,
        qtyConsumed: 0,
      },
    ],
    dueDate: "2026-11-30T12:00:00.000Z",
    priority: 5,
    notes: null,
    receivedAt: "2026-11-20T09:00:00.000Z",
    updatedAt: "2026-11-20T10:00:00.000Z",
    version,
  } satisfies WorkOrderRecord,
});

/** Events whose data is the record of the REST service. */
export const workOrderTopics: TopicFamily = {
  title: "Work orders",
  objectType: "workOrder",
  object,
  data: workOrderSchema,
  topics: [
    { topicName: "workOrder:created", when: "A work order was created.", sample: sampleOf("CREATED", 20, 1) },
    {
      topicName: "workOrder:updated",
      when: "The work order changed: requested quantity, allocation, or state.",
      sample: sampleOf("WAITING_COMPONENTS", 30, 2),
    },
    { topicName: "workOrder:cancelled", when: "The work order was cancelled.", sample: sampleOf("CANCELLED", 20, 3) },
  ],
};
