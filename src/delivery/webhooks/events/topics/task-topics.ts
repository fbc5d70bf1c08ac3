import Type from "typebox";
import { leftOut, type TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed } from "#/http/routes/schema.ts";
import { type TaskRecord, taskSchema } from "#/modules/warehouse/index.ts";

const data = Type.Object(
  { ...taskSchema.properties, ...leftOut },
  { ...closed, title: "TaskData", description: "A task, as `task/get` of the warehouse port answers it." },
);

const taskId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

function sampleOf(version: number, withdrawnAt: string | null) {
  const task: TaskRecord = {
    taskId,
    type: "RETURN",
    clientId: "DEMO",
    objectId: "RMA-5001",
    version,
    priority: 5,
    dueAt: null,
    releasedAt: "2026-11-20T09:58:30.000Z",
    withdrawnAt,
    lines: [
      {
        lineNumber: 1,
        sku: "MUG-BLUE-330",
        qty: 2,
        uom: "EA",
        stockPool: "DEFAULT",
        returnReasonCode: "DAMAGED",
        attributeOne: "Handle broken",
      },
    ],
    shipTo: null,
    carrierCode: null,
    orderReference: "WEB-100045",
    orderId: "WEB-100045",
  };
  return { objectId: taskId, data: task };
}

/** The work of a facility. A warehouse subscribes to it at the port; a client cannot. */
export const taskTopics: TopicFamily = {
  title: "Tasks of a warehouse",
  objectType: "task",
  object: "the taskId",
  data,
  owners: ["facility"],
  topics: [
    { topicName: "task:released", when: "Work was released to the facility.", sample: sampleOf(1, null) },
    {
      topicName: "task:changed",
      when: "The work of a task changed, or a withdrawn task is open again.",
      sample: sampleOf(2, null),
    },
    {
      topicName: "task:withdrawn",
      when: "A task ended: its work is done, or is not wanted any more.",
      sample: sampleOf(3, "2026-11-20T10:00:00.000Z"),
    },
  ],
};
