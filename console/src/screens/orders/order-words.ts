import type { components } from "#operator";
import { beforeLeaving, type HoldType, holdTypes } from "../../order-filters.ts";
import { actorWord } from "../../parts/actor-word.ts";
import { wordOf } from "../../parts/tones.ts";

export type Order = components["schemas"]["ClientOrder"];
/** A row of the list over clients. */
export type ListedOrder = components["schemas"]["ListedOrder"];
export type OrderLine = Order["lines"][number];

const holdWords: Readonly<Record<HoldType, string>> = {
  OTHER: "Other",
  ADDRESS_INVALID: "Address is invalid",
  HAZMAT_REVIEW: "Dangerous goods under review",
  CLIENT_RULE: "Hold rule of the client",
  CARRIER_UNAVAILABLE: "No carrier fits",
  CLIENT_REQUEST: "Requested by the client",
  DO_NOT_SHIP: "Do not ship",
  SHIP_AFTER: "Not to leave yet",
  PRE_ORDER: "Pre-order",
  ADDRESS_CHECK: "Address is being verified",
};

export const holdOptions = holdTypes.map((value) => ({ value, label: holdWords[value] }));
export const holdWord = (type: string): string => holdWords[type as HoldType] ?? wordOf(type);

const holdTypePattern = new RegExp(`\\b(?:${holdTypes.join("|")})\\b`, "g");
const decisionPattern = /,? decision [0-9a-f]{8}-[0-9a-f-]{27}/g;

const changePattern = /^([A-Z_]+) to ([A-Z_]+)/;

/** A sentence of the server with states and types of holds in words, and without the ids of carrier decisions, which have a tab. */
export const inWords = (text: string): string =>
  text
    .replace(changePattern, (_change, from: string, to: string) => `${wordOf(from)} to ${wordOf(to).toLowerCase()}`)
    .replace(holdTypePattern, holdWord)
    .replace(decisionPattern, "");

export const hasLeft = ({ status }: Pick<Order, "status">): boolean =>
  !(beforeLeaving as readonly string[]).includes(status);

/**
 * The reason why address, carrier and priority are fixed; undefined while they can change. The service applies the same
 * rule.
 */
export function whyFixed(order: Order): string | undefined {
  if (order.lines.some(({ qtyDespatched }) => qtyDespatched > 0))
    return "Goods have left the warehouse. Units that come back are a return.";
  if (order.lines.some(({ qtyPacked }) => qtyPacked > 0))
    return "Its parcels are packed: address and service can no longer be changed.";
  return undefined;
}

export const quantitiesOf = (line: OrderLine | OrderLine["components"][number]) => ({
  ordered: line.qtyOrdered,
  open: line.qtyOpen,
  backordered: line.qtyBackordered,
  allocated: line.qtyAllocated,
  picked: line.qtyPicked,
  packed: line.qtyPacked,
  despatched: line.qtyDespatched,
  cancelled: line.qtyCancelled,
});

/** Reason why an order waits, or how it ended, in a sentence; undefined if its state is sufficient. */
export interface Explanation {
  readonly tone: "waiting" | "failed" | "moving" | "ended" | "done";
  readonly title: string;
  readonly text: string;
  /** Start time, ISO 8601. */
  readonly since?: string | undefined;
}

export function explanationsOf(order: Order, isCancelRequested: boolean): Explanation[] {
  const { holds, status, statusReason, milestones } = order;
  const found: Explanation[] = [];
  const last = (code: number) => milestones.findLast((milestone) => milestone.code === code)?.at;
  for (const { type, reason, since, by } of holds) {
    found.push({
      tone: "waiting",
      title: `Held: ${holdWord(type)}`,
      text: `${inWords(reason)} (by ${actorWord(by)})`,
      since,
    });
  }
  if (isCancelRequested) {
    const text = "The warehouse has the goods and has not answered yet. It reports for each line what it could stop.";
    found.push({ tone: "waiting", title: "Cancellation requested", text, since: last(88) });
  }
  // The first sentence of the page has the reason of a cancellation.
  if (found.length === 0 && statusReason !== null && status !== "CANCELLED") {
    const tone = statusReason === "LOST" ? "failed" : "moving";
    found.push({ tone, title: wordOf(status), text: sentenceOf(statusReason), since: order.updatedAt });
  }
  return found;
}

function sentenceOf(reason: string): string {
  if (reason === "PARTIALLY_DELIVERED") return "Not all of its parcels were delivered.";
  if (reason === "LOST") return "All of its parcels were lost.";
  return reason;
}
