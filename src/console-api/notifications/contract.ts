import Type, { type Static } from "typebox";
import { conditionKinds } from "#/console-api/notifications/conditions.ts";
import { mailStatus } from "#/console-api/outbound/contract.ts";
import { channels, rulesMax, schedules, severities } from "#/delivery/notifications/index.ts";
import { defineCursor, pageOf, pageParameters, placeIdV7 } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";

/** Notification rules and their messages, for admins (contract operations.md, Notifications). */
const ruleId = Type.String({
  format: "uuid",
  description: "The rule.",
  examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
});
const channel = Type.Enum([...channels], {
  type: "string",
  title: "NotificationChannel",
  description: 'MAIL; WEBHOOK, signed as those of clients; SLACK: an incoming webhook that takes `{"text": …}`.',
  examples: ["MAIL"],
});
const schedule = Type.Enum([...schedules], {
  type: "string",
  title: "NotificationSchedule",
  description: "AT_ONCE: within a minute, and at most every five minutes.",
  examples: ["AT_ONCE"],
});
const severity = Type.Enum([...severities], {
  type: "string",
  title: "NotificationSeverity",
  description: "SEVERE: what failed or is late.",
  examples: ["SEVERE"],
});
const conditionKind = Type.Enum([...conditionKinds], {
  type: "string",
  title: "NotificationKind",
  description: "A type of exception; RECEIVER_FAILING: a webhook or push with an incident; LOW_STOCK.",
  examples: ["ORDER_LATE"],
});
const name = Type.String({ minLength: 1, maxLength: 100, description: "Its name.", examples: ["Late orders, Leeds"] });
const isActive = Type.Boolean({ description: "False: it reports nothing.", examples: [true] });
const url = Type.String({
  maxLength: 1_000,
  pattern: "^https?://[!-~]+$",
  description: "Where the webhook is; plain http in a sandbox only. Not shown again in full.",
  examples: ["https://hooks.example.com/alerts"],
});
const clockTime = (description: string, example: string) =>
  Type.String({ pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$", description, examples: [example] });
const some = (of: string, example: string) =>
  Type.Array(identifier(of, example), {
    maxItems: 100,
    uniqueItems: true,
    description: `Only these; empty: all.`,
    examples: [[example]],
  });

const selection = {
  addresses: Type.Array(Type.String({ maxLength: 254, description: "Mail address.", examples: ["ops@example.com"] }), {
    maxItems: 20,
    uniqueItems: true,
    description: "Recipients of MAIL, a message each; otherwise none.",
    examples: [["ops@example.com"]],
  }),
  clientIds: some("Client.", "DEMO"),
  facilityCodes: some("Facility.", "DC1"),
  kinds: Type.Array(conditionKind, {
    maxItems: conditionKinds.length,
    uniqueItems: true,
    description: "Only these; empty: all.",
    examples: [["ORDER_LATE"]],
  }),
  severity,
  schedule,
};
const dailyAt = clockTime("When a DAILY rule reports, by the clock of its time zone.", "08:00");
const quietFrom = clockTime("Nothing is reported from then on.", "22:00");
const quietUntil = clockTime("Until then.", "06:00");
const timeZone = Type.String({ maxLength: 64, description: "IANA time zone.", examples: ["Europe/London"] });
const remindHours = Type.Integer({
  minimum: 1,
  maximum: 720,
  description: "A condition that lasts is reported again after so many hours; null: once.",
  examples: [24],
});

export const rule = Type.Object(
  {
    ruleId,
    name,
    channel,
    isActive,
    ...selection,
    shownUrl: maybeText("URL of the webhook without its secret parts.", "https://hooks.example.com/…"),
    dailyAt: nullable(dailyAt),
    quietFrom: nullable(quietFrom),
    quietUntil: nullable(quietUntil),
    timeZone,
    remindHours: nullable(remindHours),
    signingSecret: maybeText(
      "Of a WEBHOOK, where it is new: `whsec_` and 32 bytes in base64, shown only now.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwSx4eW0sQ1Zk=",
    ),
    updatedBy: text("Who changed it last.", "user:anna"),
    updatedAt: moment("When."),
    version: Type.Integer({ description: "Counts up with every change.", examples: [1] }),
  },
  { ...closed, title: "NotificationRule", description: "Who is notified of which conditions, and when." },
);
export type RuleRecord = Static<typeof rule>;

export const ruleList = Type.Object(
  { items: Type.Array(rule, { description: `In the order of their creation; at most ${rulesMax}.` }) },
  { ...closed, title: "NotificationRules", description: "All notification rules." },
);

export const rulePath = Type.Object({ ruleId }, closed);

// Null removes a value, which a request says with an empty text or 0: the validator of requests does not know null.
const orEmpty = (pattern: string, description: string, example: string) =>
  Type.String({ pattern: `^(?:${pattern})?$`, description: `${description} Empty: none.`, examples: [example] });
const clock = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
const settable = {
  name: Type.Optional(name),
  isActive: Type.Optional(isActive),
  url: Type.Optional(url),
  addresses: Type.Optional(selection.addresses),
  clientIds: Type.Optional(selection.clientIds),
  facilityCodes: Type.Optional(selection.facilityCodes),
  kinds: Type.Optional(selection.kinds),
  severity: Type.Optional(severity),
  schedule: Type.Optional(schedule),
  dailyAt: Type.Optional(orEmpty(clock, "When a DAILY rule reports.", "08:00")),
  quietFrom: Type.Optional(orEmpty(clock, "Nothing is reported from then on.", "22:00")),
  quietUntil: Type.Optional(orEmpty(clock, "Until then.", "06:00")),
  timeZone: Type.Optional(timeZone),
  remindHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      description: "A condition that lasts is reported again after so many hours; 0: it is reported once.",
      examples: [24],
    }),
  ),
};

export const ruleCreate = Type.Object(
  { ...settable, name, channel },
  {
    ...closed,
    title: "NotificationRuleCreate",
    description: "A rule to set up.",
    examples: [{ name: "Late orders, Leeds", channel: "MAIL", addresses: ["ops@example.com"], kinds: ["ORDER_LATE"] }],
  },
);
export const rulePatch = Type.Object(
  {
    ...settable,
    hasNewSecret: Type.Optional(
      Type.Boolean({ description: "True: a new signing secret, which the answer shows.", examples: [false] }),
    ),
  },
  {
    ...closed,
    title: "NotificationRulePatch",
    description: "Changes. Fields that are left out do not change.",
    examples: [{ isActive: false }],
  },
);
export type RuleChanges = Static<typeof rulePatch>;

export const nothing = (description: string) => Type.Unsafe<null>({ type: "null", description });

const message = Type.Object(
  {
    messageId: text(
      "The message: Message-ID of a mail, `webhook-id` of a webhook.",
      "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
    ),
    ruleName: text("Rule.", "Late orders, Leeds"),
    channel,
    recipient: text("Mail address, or host of the webhook.", "ops@example.com"),
    title: text("What it says first.", "Order late: 12, DC1"),
    conditions: Type.Integer({ description: "Number of conditions; 0: a test message.", examples: [3] }),
    status: mailStatus,
    tries: Type.Integer({ description: "Attempts so far.", examples: [1] }),
    answer: maybeText("Last answer of the recipient's server.", "200 ok"),
    createdAt: moment("When it was written."),
    nextTryAt: nullable(moment("The next attempt, while it waits.")),
    endedAt: nullable(moment("When it was sent or given up.")),
  },
  { ...closed, title: "NotificationMessage", description: "A message of a rule to one recipient." },
);
export const messagePage = pageOf(message, "Messages of the last 90 days, the newest first.");
export const messageQuery = Type.Object(pageParameters, closed);
export const messageCursor = defineCursor("notifications", Type.Object({ id: placeIdV7 }));
