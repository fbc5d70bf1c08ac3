/** Texts of an order's history for operators; pure. */

import { wordsOf } from "#/console-api/exceptions/sentences.ts";
import type { TimelineEntry } from "#/console-api/orders/timeline-contract.ts";
import type {
  AllocationEntry,
  AuditEntry,
  DecisionEntry,
  DeliveryEntry,
  EventEntry,
  ExceptionEntry,
  FeedEntry,
  MilestoneEntry,
  NoteEntry,
  OrderHead,
  OutboundEntry,
} from "#/console-api/orders/timeline-repository.ts";
import { failureInWords } from "#/console-api/webhooks/failure-words.ts";
import { eventName } from "#/kernel/event-codes.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { timeOfId } from "#/kernel/values/ids.ts";

type Tone = TimelineEntry["tone"];

const plain = { code: null, detail: null, actor: null, tone: "NEUTRAL", link: null } as const;

/**
 * Codes of a waiting state, and codes of a failure. Of the other codes, final ones count as done, and the rest as
 * moving.
 */
const waitingCodes = new Set([30, 45, 48, 58, 88, 148, 165, 170, 175, 180, 185]);
const failedCodes = new Set([190, 195, 220, 230, 300, 390, 399]);
const doneCodes = new Set([200, 205, 210]);

function toneOfCode(code: number): Tone {
  if (failedCodes.has(code)) return "FAILED";
  if (waitingCodes.has(code)) return "WAITING";
  if (code === 90) return "NEUTRAL";
  return doneCodes.has(code) ? "DONE" : "MOVING";
}

/** A carrier's event that arrives sooner needs no second time. */
const lateMsMin = minuteMs;

/** Codes from the first pick to the despatch: the warehouse has reported what they state. */
const floorCodes = new Set([52, 55, 58, 60, 70, 75, 80, 95, 100]);

export function milestoneEntry(row: MilestoneEntry, head: OrderHead): TimelineEntry {
  const lateMs = Date.parse(row.received_at) - Date.parse(row.at);
  const late = lateMs >= lateMsMin && row.code > 100 ? `reported ${row.received_at}` : null;
  const raw = row.raw_code === null ? null : `carrier's code ${row.raw_code}`;
  return {
    ...plain,
    at: row.at,
    kind: "MILESTONE",
    code: row.code,
    actor: floorCodes.has(row.code) ? `warehouse:${head.distribution_centre}` : null,
    text: eventName(row.code),
    tone: toneOfCode(row.code),
    detail: joined(row.olpn_id && `Parcel ${row.olpn_id}`, row.location, row.text, raw, late),
    link: row.olpn_id === null ? null : { kind: "PARCEL", id: row.olpn_id },
  };
}

export function eventEntry(row: EventEntry): TimelineEntry {
  const detail = row.status === null ? null : `State then: ${wordsOf(row.status)}`;
  return { ...plain, at: row.at, kind: "EVENT", text: `Event: ${row.topic}`, detail };
}

/** The text of an audit action, as a sentence begins with it. */
const actionWords: Readonly<Record<string, string>> = {
  erase: "Names, addresses and payloads erased",
  create: "Order made",
  change: "Order changed",
  update: "Order changed",
  hold: "Held",
  release: "Released",
  cancel: "Cancelled",
  cancelLine: "Line cancelled",
  requestCancel: "Cancellation requested",
  answerCancel: "The warehouse answered the cancellation",
  giveUp: "Partial allocation removed",
  reroute: "Moved to a facility with stock",
  allocate: "Allocation run",
  deallocate: "Allocation removed",
  take: "Task accepted by the warehouse",
  pick: "Picked",
  swapLots: "Allocation moved to another lot",
  pack: "Packed",
  voidParcel: "Parcel voided",
  load: "Loaded",
  removeFromLoad: "Removed from the load",
  despatch: "Despatched",
  return: "Goods came back",
  carrierEvent: "Carrier event reported",
};

export function auditEntry(row: AuditEntry): TimelineEntry {
  const { from, to, status, reason, ...more } = row.detail as Readonly<Record<string, unknown>>;
  const move = from === undefined || to === undefined ? null : `${say(from)} to ${say(to)}`;
  const rest = Object.entries(more).map(([name, value]) => `${name} ${say(value)}`);
  return {
    ...plain,
    at: new Date(timeOfId(row.id)).toISOString(),
    kind: "CHANGE",
    actor: row.actor,
    text: actionWords[row.action] ?? `Change: ${row.action}`,
    detail: joined(move, reason === undefined ? null : say(reason), ...rest),
    tone: row.action === "hold" ? "WAITING" : "NEUTRAL",
  };
}

export const noteEntry = ({ at, author, text }: NoteEntry): TimelineEntry => ({
  ...plain,
  at,
  kind: "NOTE",
  actor: author,
  text: `Note: ${text}`,
});

const feedTones: Readonly<Record<string, Tone>> = {
  REJECTED: "FAILED",
  FAILED: "FAILED",
  PARKED: "WAITING",
  ACCEPTED: "MOVING",
  PROCESSED: "DONE",
};

/** @param row with its action, where the document has one; a document without an action requests a new order */
export function actionOf({ action, is_readable }: FeedEntry): string | null {
  return is_readable ? (action ?? "NEW") : null;
}

export function feedEntry(row: FeedEntry): TimelineEntry {
  const action = actionOf(row);
  const errors = row.errors === 0 ? null : `${row.errors} ${row.errors === 1 ? "error" : "errors"}`;
  return {
    ...plain,
    at: row.at,
    kind: "FEED",
    tone: feedTones[row.state] ?? "NEUTRAL",
    link: { kind: "FEED", id: row.id },
    text: `Order document (${row.feed_type}) received by ${row.channel}${action === null ? "" : `, ${wordsOf(action)}`}: ${wordsOf(row.state)}`,
    detail: joined(errors, `${row.body_bytes} bytes`),
  };
}

const routes = {
  NAMED: "named by the client or an operator",
  FILLS: "all lines can be filled from its stock",
  RULE: "chosen by the rule of the client among those that can fill all lines",
  FIRST: "first facility of the client; none can fill all lines",
  REROUTED: "another facility lacked stock, and this one can fill all lines",
  SPLIT: "no facility can fill all lines, and these fill more of them together",
} as const;

export function routingEntry({ received_at, facilities, routed_by }: OrderHead): TimelineEntry {
  const text = `Routed to ${facilities.join(", ")}`;
  return { ...plain, at: received_at, kind: "ROUTING", text, detail: routed_by && `Because ${routes[routed_by]}` };
}

const lotReasons = {
  FEFO: "first expired, first out",
  FIFO: "first in, first out",
  PICK: "picked by the warehouse instead",
} as const;

export function allocationEntry(row: AllocationEntry): TimelineEntry {
  const lot = joined(
    row.batch_ref === "" ? null : `lot ${row.batch_ref}`,
    row.expiry_date === "infinity" ? null : `expires ${row.expiry_date}`,
    row.stock_pool === "DEFAULT" ? null : `pool ${row.stock_pool}`,
  );
  return {
    ...plain,
    at: row.at,
    kind: "ALLOCATION",
    tone: "MOVING",
    text: `Line ${row.line_number}: ${Number(row.qty)} of ${row.sku} reserved at ${row.facility_code}`,
    detail: joined(lot, lotReasons[row.chosen_by]),
  };
}

export function decisionEntry(row: DecisionEntry): TimelineEntry {
  const chosen = row.carrier_code === null ? undefined : joined(row.carrier_code, row.service_code);
  return {
    ...plain,
    at: row.at,
    kind: "DECISION",
    link: { kind: "DECISION", id: row.id },
    text: chosen === undefined ? "No carrier fits the shipment" : `Carrier determined: ${chosen}`,
    detail: joined(
      row.olpn_id && `Parcel ${row.olpn_id}`,
      `${row.alternatives} other ${row.alternatives === 1 ? "service fits" : "services fit"}`,
      `${row.rejected} refused`,
    ),
    tone: chosen === undefined ? "FAILED" : "MOVING",
  };
}

const deliveryTones: Readonly<Record<string, Tone>> = {
  DELIVERED: "DONE",
  FAILED: "FAILED",
  RETRYING: "WAITING",
  HELD: "WAITING",
  PENDING: "MOVING",
};

export function deliveryEntry(row: DeliveryEntry): TimelineEntry {
  const attempts = `${row.attempts} ${row.attempts === 1 ? "attempt" : "attempts"}`;
  return {
    ...plain,
    at: new Date(timeOfId(row.id)).toISOString(),
    kind: "DELIVERY",
    link: { kind: "DELIVERY", id: row.id },
    text: `Webhook delivery of ${row.topic_name}: ${wordsOf(row.status)}`,
    detail: joined(attempts, row.last_error && failureInWords(row.last_error)),
    tone: deliveryTones[row.status] ?? "NEUTRAL",
  };
}

export function outboundEntry(row: OutboundEntry): TimelineEntry {
  return {
    ...plain,
    at: row.at,
    kind: "OUTBOUND",
    link: { kind: "OUTBOUND", id: row.id },
    text: `${row.type} document created for the client`,
    detail: joined(
      `${row.size} bytes`,
      row.acknowledged_at === null ? "not fetched yet" : `taken ${row.acknowledged_at}`,
    ),
    tone: row.acknowledged_at === null ? "MOVING" : "DONE",
  };
}

export function exceptionEntry(row: ExceptionEntry): TimelineEntry {
  const link = { kind: "EXCEPTION", id: row.id } as const;
  return { ...plain, at: row.at, kind: "EXCEPTION", text: row.summary, detail: row.kind, tone: "FAILED", link };
}

function joined(...parts: readonly (string | null)[]): string | null {
  const texts = parts.filter((part) => part !== null && part !== "");
  return texts.length === 0 ? null : texts.join(" · ");
}

function say(value: unknown): string {
  if (Array.isArray(value)) return value.map(say).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
