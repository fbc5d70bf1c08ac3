import Type, { type Static } from "typebox";
import { feedType } from "#/console-api/feeds/contract.ts";
import { count } from "#/console-api/overview/flow/contract.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { closed, moment, nullable } from "#/http/routes/schema.ts";

export const feedRateQuery = Type.Object(
  {
    ...scopeParameters,
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 46_080,
        default: 60,
        description:
          "Length of the period in minutes: up to 360 minute by minute, up to 11 520 (8 days) hour by hour, more day by day (UTC).",
        examples: [60],
      }),
    ),
    to: Type.Optional(moment("End of the period; left out: now.")),
  },
  closed,
);

const rate = Type.Object(
  {
    at: moment("Start of the minute, hour or day."),
    feedType,
    accepted: count("Accepted documents."),
    rejected: count("Rejected documents, including parked ones, whose ACK is a rejection too.", 1),
  },
  { ...closed, title: "FeedRate", description: "Documents of a type within a minute, hour or day." },
);

export const feedRates = Type.Object(
  {
    from: moment("Start of the first step."),
    to: moment("End of the last step."),
    stepSeconds: Type.Integer({ description: "Length of a step: 60, 3 600 or 86 400.", examples: [60] }),
    accepted: count("Accepted documents, over all steps and types.", 480),
    rejected: count("Rejected documents, over all steps and types.", 3),
    items: Type.Array(rate, { description: "By time; steps without documents are left out." }),
  },
  { ...closed, title: "FeedRates", description: "Documents by time of receipt." },
);
export type FeedRates = Static<typeof feedRates>;

export const troubled = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    webhookId: Type.String({ description: "Subscription.", examples: ["019a9c1e-7d2a-7c3b-9a44-0d1f5a3b7c10"] }),
    topicName: Type.String({ description: "Its topic.", examples: ["order:*"] }),
    additionalTopicNames: Type.Array(Type.String({ description: "A topic, or a group.", examples: ["parcel:load"] }), {
      description: "More topics of it.",
    }),
    host: Type.String({ description: "Host of its address, without the path.", examples: ["hooks.example.com"] }),
    status: Type.Enum(["FAILING", "DISABLED"], { type: "string", description: "Its state.", examples: ["FAILING"] }),
    updatedAt: moment("When it last changed."),
  },
  { ...closed, title: "TroubledSubscription", description: "A subscription that fails or is disabled." },
);

const clientBacklog = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    events: count("Events of it that have no deliveries yet.", 480),
    seconds: count("Age of the oldest of these events, in seconds.", 12),
  },
  { ...closed, title: "ClientBehind", description: "The client whose oldest event has waited longest for deliveries." },
);

export const webhookHealth = Type.Object(
  {
    asOf: moment("Time of the figures."),
    active: count("Active subscriptions."),
    failing: count("Subscriptions whose last attempts failed.", 1),
    paused: count("Paused subscriptions.", 0),
    disabled: count("Disabled subscriptions.", 0),
    waiting: count("Deliveries that have not ended, without those of paused subscriptions; counted up to 10 000.", 7),
    oldestWaitingSeconds: nullable(count("Age of the oldest of them, in seconds; null without any.", 95)),
    triesLastHour: count("Attempts that ended within the last hour.", 640),
    takenLastHour: count("Of these, attempts answered with a status from 200 to 299.", 637),
    givenUpLastDay: count("Deliveries that were given up within the last 24 hours.", 0),
    clientsDelayed: count(
      "Clients with an event that has had no deliveries for more than a second: their fan-out is behind.",
      0,
    ),
    mostDelayed: nullable(clientBacklog),
    troubled: Type.Array(troubled, {
      description: "Up to five subscriptions that fail or are disabled, the latest first.",
    }),
  },
  {
    ...closed,
    title: "WebhookHealth",
    description:
      "State of webhooks. With a facility: subscriptions of that facility and of all facilities; attempts are those of all.",
  },
);
export type WebhookHealth = Static<typeof webhookHealth>;

export const stockHealth = Type.Object(
  {
    asOf: moment("Time of the figures."),
    backorderedSkus: count("Products by facility for which orders wait.", 4),
    backorderedLines: count("Order lines that wait for them.", 9),
    expired: count("Lots of good stock past their last day.", 1),
    expiredAllocated: count("Of these, lots that are still allocated to orders or work orders.", 0),
    expiring: count("Lots of good stock whose last day is within the next 30 days.", 6),
    onHold: count("Products by facility with stock on hold.", 3),
    failedChecks: count("Unresolved findings of the nightly stock check.", 0),
  },
  { ...closed, title: "StockHealth", description: "Stock that needs attention." },
);
export type StockHealth = Static<typeof stockHealth>;
