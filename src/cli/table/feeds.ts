// The commands for feeds and webhooks.
import { type Command, loaded } from "#/cli/command.ts";
import { feedTypes } from "#/kernel/feed-types.ts";

const webhookOwner = "the client, or `facility:DC1` for the webhooks of a facility";

export const feedCommands: readonly Command[] = [
  {
    name: "feed send",
    summary: "Sends a file as a client would, and prints its ACK; exits 1 when it is rejected.",
    arguments: [{ name: "FILE", meaning: "the document; - for standard input" }],
    options: [
      { name: "client", value: "ID", meaning: "the client that sends it", isRequired: true },
      { name: "type", value: feedTypes.join("|"), meaning: "the feed type", isRequired: true },
    ],
    run: loaded(async () => (await import("#/cli/commands/feeds.ts")).feedSend),
  },
  {
    name: "feed validate",
    summary:
      "Validates a file against the current rules without storing it, and prints the ACK; exits 1 when it would be rejected.",
    arguments: [{ name: "FILE", meaning: "the document; - for standard input" }],
    options: [
      { name: "type", value: feedTypes.join("|"), meaning: "the feed type", isRequired: true },
      {
        name: "client",
        value: "ID",
        meaning: "the client that would send it; without it the client that the document names",
      },
    ],
    run: loaded(async () => (await import("#/cli/commands/feeds.ts")).feedValidate),
  },
  {
    name: "feed show",
    summary: "Shows the state, times, errors and warnings of a document.",
    arguments: [{ name: "TOKEN", meaning: "the token of its ACK, which is also its X-Correlation-Token" }],
    options: [
      { name: "client", value: "ID", meaning: "the client of the document; without it, all clients are searched" },
    ],
    run: loaded(async () => (await import("#/cli/commands/feeds.ts")).feedShow),
  },
  {
    name: "webhook list",
    summary:
      "Lists a client's webhooks and pushes of outbound feeds, or a facility's webhooks, with their addresses and states.",
    arguments: [],
    options: [{ name: "client", value: "ID", meaning: webhookOwner, isRequired: true }],
    run: loaded(async () => (await import("#/cli/commands/webhooks.ts")).webhookList),
  },
  {
    name: "webhook replay",
    summary: "Sends an ended delivery again, with the same webhook-id; running servers send it at once.",
    arguments: [
      {
        name: "DELIVERY_ID",
        meaning: "as `GET /v1/webhookService/webhook/deliveries/{webhookId}` lists it, or `outbound show`",
      },
    ],
    options: [{ name: "client", value: "ID", meaning: webhookOwner, isRequired: true }],
    run: loaded(async () => (await import("#/cli/commands/webhooks.ts")).webhookReplay),
  },
];
