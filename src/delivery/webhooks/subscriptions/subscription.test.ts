import assert from "node:assert/strict";
import { test } from "node:test";
import { receives, wants } from "#/delivery/webhooks/subscriptions/subscription.ts";

const subscription = {
  kind: "WEBHOOK",
  topicName: "order:*",
  additionalTopicNames: [],
  facilityCode: "DC1",
  fromPosition: 10,
} as const;
const event = { topic: "order:despatched", facility_code: "DC1", position: 11 };

test("a subscription matches an event by topic, facility and position", () => {
  assert.equal(wants(subscription, event), true);
  assert.equal(wants(subscription, { ...event, position: 10 }), false);
  assert.equal(wants(subscription, { ...event, topic: "parcel:load" }), false);
  assert.equal(wants(subscription, { ...event, facility_code: "DC2" }), false);
});

test("a subscription matches a topic by name, by group or by *; a name is not a group", () => {
  const of = (topicName: string, topic: string) => wants({ ...subscription, topicName }, { ...event, topic });
  assert.equal(of("*", "parcel:load"), true);
  assert.equal(of("order:despatched", "order:despatched"), true);
  assert.equal(of("order:despatched", "order:despatchedLate"), false);
  assert.equal(of("order:*", "orderLine:x"), false);
  assert.equal(of("workOrder:*", "order:updated"), false);
});

test("a subscription matches an event by any of its topics", () => {
  const several = { ...subscription, additionalTopicNames: ["parcel:load", "return:*"] };
  const of = (topic: string) => wants(several, { ...event, topic });
  assert.deepEqual(["order:packed", "parcel:load", "return:closed", "parcel:packed", "feed:accepted"].map(of), [
    true,
    true,
    true,
    false,
    false,
  ]);
  assert.equal(wants(several, { ...event, topic: "parcel:load", facility_code: "DC2" }), false);
  assert.equal(wants({ ...several, kind: "OUTBOUND" }, event), false);
});

test("an event without a facility goes to the subscriptions of every facility, and a subscription of all gets every event", () => {
  assert.equal(wants(subscription, { ...event, facility_code: null }), true);
  assert.equal(wants({ ...subscription, facilityCode: "*" }, { ...event, facility_code: "DC2" }), true);
});

test("the address of an outbound feed receives no events", () => {
  assert.equal(wants({ ...subscription, kind: "OUTBOUND", topicName: "*" }, event), false);
});

test("an active and a failing subscription receive, a paused and a disabled one do not", () => {
  assert.deepEqual((["ACTIVE", "FAILING", "PAUSED", "DISABLED"] as const).map(receives), [true, true, false, false]);
});
