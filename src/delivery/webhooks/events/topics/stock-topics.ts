import Type, { type TSchema } from "typebox";
import { amount, oneOf, type TopicFamily } from "#/delivery/webhooks/events/topic.ts";
import { closed, text } from "#/http/routes/schema.ts";
import { reasonCodes } from "#/modules/inventory/index.ts";

const quantities = Type.Object(
  {
    onHand: amount("In the facility, in all conditions.", 120),
    available: amount("What can be sold: onHand − allocated − unsellable.", 96),
    allocated: amount("Allocated to orders and work orders.", 20),
    onHold: amount("On hold, in quarantine or expired.", 3),
    damaged: amount("Damaged.", 1),
    unsellable: amount("Not allocated, and not allowed to be: onHold, damaged, too near its expiry, or inactive.", 4),
    expected: amount("Open quantity of purchase orders.", 200),
    inReturn: amount("Announced by returns, not yet received.", 0),
    backordered: amount("Back-ordered quantity.", 0),
  },
  { ...closed, title: "Quantities", description: "Over all stock pools, in the state of this event." },
);

const names = { sku: text("Product.", "MUG-BLUE-330"), distributionCentre: text("Facility.", "DC1"), quantities };

const familyOf = (
  title: string,
  dataTitle: string,
  fields: Record<string, TSchema>,
  topic: { readonly topicName: string; readonly when: string; readonly sample: object },
): TopicFamily => ({
  title,
  objectType: "stock",
  object: "the facility, a slash, and the SKU",
  data: Type.Object({ ...names, ...fields }, { ...closed, title: dataTitle, description: "Stock of a SKU." }),
  topics: [
    {
      topicName: topic.topicName,
      when: topic.when,
      sample: {
        objectId: "DC1/MUG-BLUE-330",
        data: {
          sku: "MUG-BLUE-330",
          distributionCentre: "DC1",
          quantities: {
            onHand: 120,
            available: 96,
            allocated: 20,
            onHold: 3,
            damaged: 1,
            unsellable: 4,
            expected: 200,
            inReturn: 0,
            backordered: 0,
          },
          ...topic.sample,
        },
      },
    },
  ],
});

export const adjustedTopics = familyOf(
  "Adjustments",
  "InventoryAdjustedData",
  { reason: oneOf(reasonCodes, "Why.", "FOUND") },
  {
    topicName: "inventory:adjusted",
    when: "Stock of the SKU was adjusted: a difference, damage, a change of condition.",
    sample: { reason: "FOUND" },
  },
);

export const changedTopics = familyOf(
  "Stock levels",
  "InventoryChangedData",
  {
    reason: Type.Null({
      description: "Always null: the changes of ten seconds may have several reasons.",
      examples: [null],
    }),
    position: Type.Integer({
      description:
        "Position of the facility's ledger for these quantities. The event with the higher position is the newer one.",
      examples: [88214],
    }),
  },
  {
    topicName: "inventory:changed",
    when: "Quantities of the SKU changed. They are absolute, and published at most once in ten seconds.",
    sample: { reason: null, position: 88214 },
  },
);

export const lowTopics = familyOf(
  "Low stock",
  "InventoryLowData",
  {
    reason: oneOf(["LOW_STOCK"], "Always LOW_STOCK.", "LOW_STOCK"),
    threshold: amount("The item's LowStockThreshold.", 100),
  },
  {
    topicName: "inventory:low",
    when: "The available quantity of the SKU reached its LowStockThreshold, or fell below it.",
    sample: { reason: "LOW_STOCK", threshold: 100 },
  },
);
