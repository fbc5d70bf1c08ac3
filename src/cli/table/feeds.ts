// The commands for feeds, orders, purchase orders, returns and webhooks.
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
    name: "order show",
    summary: "Shows an order: its state, lines, parcels and timeline, and a link to its page in the console.",
    arguments: [{ name: "ID", meaning: "the order" }],
    options: [{ name: "client", value: "ID", meaning: "the client of the order", isRequired: true }],
    notes: ["With --json it prints what `GET /v1/orderService/order/get/{orderId}` answers."],
    run: loaded(async () => (await import("#/cli/commands/order/order-show.ts")).orderShow),
  },
  {
    name: "order explain",
    summary: "Explains why an order has not shipped, and what happens next.",
    arguments: [{ name: "ID", meaning: "the order" }],
    options: [{ name: "client", value: "ID", meaning: "the client of the order", isRequired: true }],
    notes: [
      "For each line that lacks goods it lists the pools, lots and facilities that refused, in the order of allocation, what would change each, and the purchase orders that are expected. With --json it prints what `GET /v1/orderService/order/explain/{orderId}` answers.",
    ],
    run: loaded(async () => (await import("#/cli/commands/order/order-explain.ts")).orderExplain),
  },
  {
    name: "purchase-order close",
    summary: "Closes a purchase order that expects no more goods.",
    arguments: [{ name: "PO_NUMBER", meaning: "the purchase order" }],
    options: [
      { name: "client", value: "ID", meaning: "the client of the purchase order", isRequired: true },
      {
        name: "vendor-order",
        value: "ID",
        meaning: "the vendorOrderId, where several purchase orders have the number",
      },
      { name: "reason", value: "TEXT", meaning: "reason; stored in the audit log" },
    ],
    notes: [
      "Lines that lack goods are SHORT; the client gets a GR that says so, and `expected` no longer counts them. A receipt within 30 days reopens the purchase order.",
    ],
    run: loaded(async () => (await import("#/cli/commands/purchase-order-close.ts")).purchaseOrderClose),
  },
  {
    name: "return close",
    summary: "Closes a return in receipt that expects no more goods.",
    arguments: [{ name: "RMA_NUMBER", meaning: "the return" }],
    options: [
      { name: "client", value: "ID", meaning: "the client of the return", isRequired: true },
      { name: "reason", value: "TEXT", meaning: "reason; stored in the audit log" },
    ],
    notes: [
      "Lines that lack goods are SHORT; the client gets an RS that says so, and `inReturn` no longer counts them. Goods that still arrive are a blind return. A return without received goods is cancelled or expires instead.",
    ],
    run: loaded(async () => (await import("#/cli/commands/return-close.ts")).returnClose),
  },
  {
    name: "webhook list",
    summary:
      "Lists a client's webhooks and pushes of outbound feeds, or a facility's webhooks, with their addresses and states.",
    arguments: [],
    options: [{ name: "client", value: "ID", meaning: webhookOwner, isRequired: true }],
    run: loaded(async () => (await import("#/cli/commands/webhook/webhook-list.ts")).webhookList),
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
    run: loaded(async () => (await import("#/cli/commands/webhook/webhook-replay.ts")).webhookReplay),
  },
];
