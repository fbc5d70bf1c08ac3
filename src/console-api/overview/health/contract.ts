import Type, { type Static } from "typebox";
import { feedType } from "#/console-api/feeds/contract.ts";
import { closed, count } from "#/console-api/overview/flow/contract.ts";
import { scopeParameters } from "#/http/access/operator.ts";
import { moment, nullable } from "#/http/routes/schema.ts";

export const feedRateQuery = Type.Object(
  {
    ...scopeParameters,
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 46_080,
        default: 60,
        description:
          "How many minutes are looked at: up to 360 minute by minute, up to 11 520 (8 days) hour by hour, more day by day (UTC).",
        examples: [60],
      }),
    ),
    to: Type.Optional(moment("Where they end; left out: now.")),
  },
  closed,
);

const rate = Type.Object(
  {
    at: moment("Where the minute, hour or day begins."),
    feedType,
    accepted: count("Documents that were taken in."),
    rejected: count("Documents that were refused; parked ones, whose ACK says so too, among them.", 1),
  },
  { ...closed, title: "FeedRate", description: "Documents of a type within a minute, hour or day." },
);

export const feedRates = Type.Object(
  {
    from: moment("Where the first step begins."),
    to: moment("Where the last step ends."),
    stepSeconds: Type.Integer({ description: "Length of a step: 60, 3 600 or 86 400.", examples: [60] }),
    accepted: count("Documents taken in, over all steps and types.", 480),
    rejected: count("Documents refused, over all steps and types.", 3),
    items: Type.Array(rate, { description: "In the order of time; what had no documents is left out." }),
  },
  { ...closed, title: "FeedRates", description: "Documents by the moment at which they came in." },
);
export type FeedRates = Static<typeof feedRates>;

const troubled = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    webhookId: Type.String({ description: "Subscription.", examples: ["019a9c1e-7d2a-7c3b-9a44-0d1f5a3b7c10"] }),
    topicName: Type.String({ description: "What it is told of.", examples: ["order:*"] }),
    host: Type.String({ description: "Where it is sent to, without the path.", examples: ["hooks.example.com"] }),
    status: Type.Enum(["FAILING", "DISABLED"], { type: "string", description: "How it is.", examples: ["FAILING"] }),
    updatedAt: moment("When it last changed."),
  },
  { ...closed, title: "TroubledSubscription", description: "A subscription that fails or was switched off." },
);

const clientBehind = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    events: count("Events of it that have no deliveries yet.", 480),
    seconds: count("Age of the oldest of these events, in seconds.", 12),
  },
  { ...closed, title: "ClientBehind", description: "The client whose oldest event has waited longest for deliveries." },
);

export const webhookHealth = Type.Object(
  {
    asOf: moment("The moment of which all of it is."),
    active: count("Subscriptions that work."),
    failing: count("Subscriptions whose last tries failed.", 1),
    paused: count("Subscriptions that were paused.", 0),
    disabled: count("Subscriptions that were switched off.", 0),
    waiting: count("Deliveries that have not ended, without those of paused subscriptions; counted up to 10 000.", 7),
    oldestWaitingSeconds: nullable(count("Age of the oldest of them, in seconds; null without any.", 95)),
    triesLastHour: count("Tries that ended within the last hour.", 640),
    takenLastHour: count("Of them answered with a status from 200 to 299.", 637),
    givenUpLastDay: count("Deliveries that were given up within the last 24 hours.", 0),
    clientsBehind: count(
      "Clients with an event that has had no deliveries for more than a second: their fan-out is behind.",
      0,
    ),
    furthestBehind: nullable(clientBehind),
    troubled: Type.Array(troubled, { description: "Up to five that fail or were switched off, the latest first." }),
  },
  {
    ...closed,
    title: "WebhookHealth",
    description:
      "How webhooks reach their receivers. With a facility those of it and of all facilities; tries are of the clients' all.",
  },
);
export type WebhookHealth = Static<typeof webhookHealth>;

export const stockHealth = Type.Object(
  {
    asOf: moment("The moment of which all of it is."),
    backorderedSkus: count("Products, each in its facility, of which orders wait for stock.", 4),
    backorderedLines: count("Lines of orders that wait for them.", 9),
    expired: count("Lots of good stock whose last day is over.", 1),
    expiredAllocated: count("Of them still promised to orders or work orders.", 0),
    expiring: count("Lots of good stock whose last day is within the next 30 days.", 6),
    onHold: count("Products, each in its facility, of which something is on hold.", 3),
    failedChecks: count("What the nightly check of the ledger has found, and nobody has resolved.", 0),
  },
  { ...closed, title: "StockHealth", description: "What of the stock somebody should look at." },
);
export type StockHealth = Static<typeof stockHealth>;
