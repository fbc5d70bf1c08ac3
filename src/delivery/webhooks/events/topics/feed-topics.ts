import Type from "typebox";
import { oneOf, type TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed, maybeText, text } from "#/http/routes/schema.ts";
import { feedTypes } from "#/kernel/feed-types.ts";

const token = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

const data = Type.Object(
  {
    token: Type.String({ format: "uuid", description: "Token of the document, as in its ACK.", examples: [token] }),
    feedType: oneOf(feedTypes, "Type of the document.", "NO"),
    objectId: maybeText("Object of the document, as in its ACK; null where it is not one object.", "WEB-100045"),
    errors: Type.Array(
      text("A sentence that starts with its code.", "[STATE] UPDATE is not allowed in state CANCELLED"),
      {
        description: "Reasons of the rejection or failure; empty otherwise.",
      },
    ),
  },
  { ...closed, title: "FeedData", description: "A document of the client." },
);

const sampleOf = (errors: readonly string[] = []) => ({
  objectId: token,
  facilityCode: null,
  data: { token, feedType: "NO", objectId: "WEB-100045", errors },
});

/** The results of the documents that a client sends (lifecycle.md §6). */
export const feedTopics: TopicFamily = {
  title: "Feed documents",
  objectType: "feed",
  object: "the token of the document",
  data,
  topics: [
    { topicName: "feed:accepted", when: "A document was accepted.", sample: sampleOf() },
    {
      topicName: "feed:rejected",
      when: "A document was rejected.",
      sample: sampleOf(["[UNKNOWN_SKU] The request references unknown SKUs: MUG-RED-330"]),
    },
    {
      topicName: "feed:processed",
      when: "The asynchronous processing of an accepted document has succeeded.",
      sample: sampleOf(),
    },
    {
      topicName: "feed:failed",
      when: "The asynchronous processing of an accepted document has failed; an operator can retry it.",
      sample: sampleOf(["Asynchronous processing of the document failed; the operator was notified"]),
    },
    {
      topicName: "feed:overdue",
      when: "An accepted document has no asynchronous outcome within the client's feedDeadlineMinutes.",
      sample: sampleOf(),
    },
  ],
};
