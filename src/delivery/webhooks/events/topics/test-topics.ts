import Type from "typebox";
import type { TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed, text } from "#/http/routes/schema.ts";

const data = Type.Object(
  {
    webhookId: text("The tested webhook.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12"),
    topicName: text("The topic of the sample: the first one of the webhook, or the one that was chosen.", "order:*"),
    sample: Type.Unsafe<object>({
      type: "object",
      additionalProperties: true,
      description: "Sample data of that topic, the data of an event of it, or what the request gave.",
      examples: [{ orderId: "WEB-100045", status: "DESPATCHED" }],
    }),
  },
  { ...closed, title: "WebhookTestData", description: "No real event: a test of the receiver." },
);

export const testTopics: TopicFamily = {
  title: "Tests",
  objectType: "webhook",
  object: "the webhookId",
  data,
  owners: ["client", "facility"],
  topics: [
    {
      topicName: "webhook:test",
      when: "On request, to test a receiver.",
      isUnlogged: true,
      sample: {
        objectId: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
        facilityCode: null,
        data: {
          webhookId: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12",
          topicName: "order:*",
          sample: { orderId: "WEB-100045", status: "DESPATCHED" },
        },
      },
    },
  ],
};
