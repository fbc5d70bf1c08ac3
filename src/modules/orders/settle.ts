import { type AuditEntry, type Change, recordAudits } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { type OrderTopic, orderEvent, trackAndTrace } from "#/modules/orders/events.ts";
import { insertMilestones, type Milestone } from "#/modules/orders/milestone-repository.ts";
import {
  moved,
  type Order,
  type OrderLine,
  type OrderState,
  stateCodes,
  stateOf,
  totalsOf,
  withLines,
} from "#/modules/orders/order.ts";
import { writeHeaders, writeLines } from "#/modules/orders/order-repository.ts";
import { statusFeedOf } from "#/modules/orders/status-feed.ts";
import { listParcels, type ParcelFacts, parcelEnds } from "#/modules/parcels/index.ts";
import type { EventDraft } from "#/outbox/append.ts";

export interface MilestoneDraft {
  readonly code: number;
  /** Left out: the code is the whole order's. */
  readonly olpnId?: string | undefined;
  /** When it happened, ISO 8601 UTC; left out: now. */
  readonly at?: string | undefined;
  readonly location?: string | undefined;
  readonly text?: string | undefined;
  readonly rawCode?: string | undefined;
}

export interface OrderChange {
  /** As it is to be: new buckets, holds, takenAt …; its status is derived. */
  readonly order: Order;
  readonly before: { readonly status: OrderState; readonly statusReason?: string | undefined };
  /** Codes besides those that a change of state brings. */
  readonly milestones?: readonly MilestoneDraft[];
  /** Topics besides the state's own. */
  readonly topics?: readonly OrderTopic[];
  /** An OS is to go out although the state may be the same: despatch, cancelled quantity, answer to a cancel request. */
  readonly needsStatusFeed?: boolean;
  /** Why it is in its new state. */
  readonly statusReason?: string | undefined;
  /** What the audit log calls it; left out: `change`, or what the state says. */
  readonly action?: string | undefined;
  /** What the audit log says besides; never an address. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** All parcels of the order as they now are; loaded where they matter and are not given. */
  readonly parcels?: readonly ParcelFacts[] | undefined;
}

const topicOfState: Readonly<Partial<Record<OrderState, OrderTopic>>> = {
  ON_HOLD: "order:held",
  BACKORDERED: "order:backordered",
  PARTIALLY_ALLOCATED: "order:partiallyAllocated",
  ALLOCATED: "order:allocated",
  PICKING: "order:picking",
  PACKED: "order:packed",
  PARTIALLY_DESPATCHED: "order:partiallyDespatched",
  DESPATCHED: "order:despatched",
  DELIVERED: "order:delivered",
  RETURNED_TO_SENDER: "order:returnedToSender",
  CANCELLED: "order:cancelled",
};

/** Codes that topics bring of themselves, beside those of states. */
const codeOfTopic: Readonly<Partial<Record<OrderTopic, number>>> = {
  "order:held": 30,
  "order:released": 35,
  "order:cancelRequested": 88,
  "order:despatched": 100,
};

/** A carrier's code says of the parcel what these say of the order: they are not raised a second time. */
const codedByCarriers: ReadonlySet<OrderState> = new Set(["DELIVERED", "RETURNED_TO_SENDER"]);
/** What the allocation consumer listens to, besides order:received. */
const wakesAllocation: ReadonlySet<OrderTopic> = new Set(["order:updated", "order:released"]);
/** Not worth an OS of their own (outbound.md). */
const withoutStatusFeed: ReadonlySet<OrderState> = new Set(["RECEIVED", "PICKING"]);
const ends: ReadonlySet<OrderState> = new Set(["CANCELLED", "DELIVERED", "RETURNED_TO_SENDER"]);
/** Of these nothing is to leave any more. */
const done: ReadonlySet<OrderState> = new Set(["DESPATCHED", ...ends]);
/** Said by the parcels alone: gone when they say something else. */
const reasonsOfParcels: ReadonlySet<string | undefined> = new Set(["LOST", "PARTIALLY_DELIVERED"]);

/** Begins the statusReason of an order with lines that the catalogue says not to allocate. */
export const inactiveReason = "inactive in the catalogue: SKU ";

/**
 * Ends every change of orders: derives their states, writes headers, lines, milestones and audit lines set-wise, and
 * answers what is to be told. An order is named once; what it holds of stock has been written by the caller.
 */
export async function settleOrders(
  tx: Transaction,
  begun: Change,
  clientId: string,
  changes: readonly OrderChange[],
): Promise<EventDraft[]> {
  if (changes.length === 0) return [];
  const change = { ...begun, at: momentOf(begun, changes) };
  const parcelsOf = await findParcels(tx, clientId, changes);
  const settled = changes.map((one) => settle(one, change.at, parcelsOf(one)));
  writeLines(
    tx,
    clientId,
    settled.map(({ order }) => order),
  );
  writeHeaders(
    tx,
    clientId,
    change.at,
    settled.map(({ order, hasMoved }) => ({
      order,
      hasEnded: hasMoved && ends.has(order.status),
      isDone: done.has(order.status),
    })),
  );
  const milestones = settled.map((one) => milestonesOf(one, change));
  insertMilestones(tx, clientId, milestones.flat());
  recordAudits(tx, clientId, change, settled.map(auditOf));
  return settled.flatMap((one, i) => draftsOf(one, milestones[i] as Milestone[], change.at));
}

/**
 * Never before what was last told of one of the orders: a change that waited for the stock began before what it waited
 * for, and the statusTimeStamp tells a client which OS is the latest.
 */
function momentOf({ at }: Change, changes: readonly OrderChange[]): string {
  const lastMs = changes.reduce((last, { order }) => Math.max(last, Date.parse(order.updatedAt)), 0);
  return lastMs > Date.parse(at) ? new Date(lastMs + 1).toISOString() : at;
}

interface Settled {
  readonly change: OrderChange;
  readonly order: Order;
  readonly parcels: readonly ParcelFacts[];
  /** The state is another one. */
  readonly hasMoved: boolean;
  /** All that is told, in order, each once. */
  readonly topics: readonly OrderTopic[];
}

function settle(given: OrderChange, at: string, parcels: readonly ParcelFacts[]): Settled {
  const { before } = given;
  const request = withoutOvertaken(given.order);
  const { state, reason } = stateOf(request.order, parcelEnds(parcels));
  const change: OrderChange = {
    ...given,
    order: request.order,
    needsStatusFeed: given.needsStatusFeed === true || request.hasCancelled || request.wasTooLate,
    topics: [...(given.topics ?? []), ...(request.wasTooLate ? (["order:cancelRefused"] as const) : [])],
    statusReason:
      given.statusReason ?? (request.hasCancelled && state === "CANCELLED" ? given.order.cancelReason : undefined),
  };
  const hasMoved = state !== before.status;
  // Stock was given out since: allocation has said what still waits for its item.
  const isAnswered = given.action === "allocate" && before.statusReason?.startsWith(inactiveReason) === true;
  const isGone = hasMoved || isAnswered || reasonsOfParcels.has(before.statusReason);
  const kept = isGone ? undefined : before.statusReason;
  const isBackordered = change.order.lines.some(({ buckets }) => buckets.backordered > 0);
  const order = {
    ...change.order,
    status: state,
    statusReason: reason ?? change.statusReason ?? kept,
    backorderedSince: isBackordered ? (change.order.backorderedSince ?? at) : undefined,
  };
  const own = hasMoved ? topicOf(before.status, state) : undefined;
  const asked = [...(change.topics ?? [])];
  // Open quantity of an order that nothing holds is to be looked for: order:updated is what allocation listens to.
  const isOpen = order.holds.length === 0 && order.lines.some(({ buckets }) => buckets.open > 0);
  if (isOpen && !asked.some((topic) => wakesAllocation.has(topic))) asked.push("order:updated");
  if (hasMoved && isOvertaken(before.status, state)) asked.push("order:despatched");
  const topics = new Set([...asked, ...(own === undefined ? [] : [own])]);
  // What an OS says is an event too: where nothing else happened the order was at least updated.
  const hasNone = topics.size === 0 && (change.milestones ?? []).length === 0;
  if (change.needsStatusFeed && hasNone) topics.add("order:updated");
  return { change, order, parcels, hasMoved, topics: [...topics] };
}

/**
 * The order's last goods have left and its parcels are at their ends already: a carrier was quicker than the warehouse's
 * report, or what had not left was cancelled. It was despatched all the same.
 */
function isOvertaken(before: OrderState, state: OrderState): boolean {
  return codedByCarriers.has(state) && before !== "DESPATCHED" && !codedByCarriers.has(before);
}

/** An order is despatched once: one whose delivered parcel came back while another is lost has only another state now. */
function topicOf(before: OrderState, state: OrderState): OrderTopic | undefined {
  return isDespatchedAgain(before, state) ? "order:updated" : topicOfState[state];
}

function isDespatchedAgain(before: OrderState, state: OrderState): boolean {
  return state === "DESPATCHED" && codedByCarriers.has(before);
}

/** Parcels matter once something is packed: they tell how the order ended, and stand in its OS. */
async function findParcels(
  tx: Tx,
  clientId: string,
  changes: readonly OrderChange[],
): Promise<(change: OrderChange) => readonly ParcelFacts[]> {
  const missing = changes.flatMap(({ order, parcels }) => {
    const { packed, despatched } = totalsOf(order.lines);
    return parcels === undefined && packed + despatched > 0 ? order.orderId : [];
  });
  const found = missing.length === 0 ? [] : await listParcels(tx, clientId, missing);
  const byOrder = Map.groupBy(found, ({ orderId }) => orderId);
  return ({ order, parcels }) => parcels ?? byOrder.get(order.orderId) ?? [];
}

function milestonesOf({ change, order, hasMoved, topics }: Settled, { at, ids }: Change): Milestone[] {
  const codes = new Set(topics.flatMap((topic) => codeOfTopic[topic] ?? []));
  const ofState = stateCodes[order.status];
  // An order is received once, and its picking starts once: that it waits for stock anew is no second receipt, and that a
  // packed parcel was taken apart, or more came for a packed order, is no second start.
  const { status: was } = change.before;
  const isAgain = (order.status === "PICKING" && was === "PACKED") || isDespatchedAgain(was, order.status);
  const isStep = hasMoved && !isAgain;
  if (isStep && ofState !== undefined && ofState > 10 && !codedByCarriers.has(order.status)) codes.add(ofState);
  // What is allocated and not held stands in the warehouse's list with the same commit.
  if (hasMoved && order.status === "ALLOCATED") codes.add(40);
  // What is packed waits for its carrier.
  if (hasMoved && order.status === "PACKED") codes.add(75);
  const given = change.milestones ?? [];
  for (const { code, olpnId } of given) if (olpnId === undefined) codes.delete(code);
  const all: MilestoneDraft[] = [...given, ...[...codes].sort((left, right) => left - right).map((code) => ({ code }))];
  return all.map((milestone) => ({
    ...milestone,
    orderId: order.orderId,
    milestoneId: ids.next(Date.parse(at)),
    at: milestone.at ?? at,
    receivedAt: at,
  }));
}

function auditOf({ change, order, hasMoved }: Settled): AuditEntry {
  const { before, action = "change", detail } = change;
  return {
    action,
    objectType: "order",
    objectId: order.orderId,
    detail: {
      ...(hasMoved ? { from: before.status, to: order.status } : { status: order.status }),
      ...(order.statusReason === undefined ? {} : { reason: order.statusReason }),
      ...detail,
    },
  };
}

function draftsOf({ change, order, parcels, hasMoved, topics }: Settled, milestones: Milestone[], at: string) {
  const drafts: EventDraft[] = topics.map((topic) => orderEvent(topic, order));
  for (const milestone of milestones) {
    const parcel = parcels.find(({ olpnId }) => olpnId === milestone.olpnId);
    const facts = { trackingNumber: parcel?.trackingNumber, carrierCode: parcel?.carrierCode ?? order.carrierCode };
    drafts.push(
      trackAndTrace({ ...milestone, ...facts, facilityCode: order.distributionCentre, occurredAt: milestone.at }),
    );
  }
  const [was, is] = [change.before.statusReason, order.statusReason];
  // Of a DESPATCHED order that all is lost, and of a DELIVERED one that a part came back, is a state of its own.
  const isOtherEnd = was !== is && (reasonsOfParcels.has(was) || reasonsOfParcels.has(is));
  const hasNews = (hasMoved || isOtherEnd) && !withoutStatusFeed.has(order.status);
  if (!change.needsStatusFeed && !hasNews) return drafts;
  // One OS for a change: with the state's own event, which comes last of the topics, else with whatever is told.
  const carrier = Math.max(topics.length, 1) - 1;
  return drafts.map((draft, i) => (i === carrier ? { ...draft, outbound: statusFeedOf(order, parcels, at) } : draft));
}

/** What has become of an order's cancel request by other means than the warehouse's answer. */
interface OvertakenRequest {
  /** The same order where nothing of the request was overtaken. */
  readonly order: Order;
  /** Some of it was not there to be picked: nobody has it, so it is cancelled. */
  readonly hasCancelled: boolean;
  /** Some of it has left: it was too late. */
  readonly wasTooLate: boolean;
}

/**
 * A request asks for what the warehouse has: what is allocated, picked or packed. Where that becomes less than was asked
 * for, because it left or was not found, the request is answered to that extent, and ends when nothing of it is left.
 */
function withoutOvertaken(order: Order): OvertakenRequest {
  let hasCancelled = false;
  let wasTooLate = false;
  const after = withLines(order, (line) => {
    const most = inHouse(line);
    if (line.cancelRequested <= most) return line;
    const { open, backordered } = line.buckets;
    const overtaken = line.cancelRequested - most;
    const ofOpen = Math.min(overtaken, open);
    const ofBackordered = Math.min(overtaken - ofOpen, backordered);
    hasCancelled ||= ofOpen + ofBackordered > 0;
    wasTooLate ||= overtaken > ofOpen + ofBackordered;
    const rest = moved(moved(line, "open", "cancelled", ofOpen), "backordered", "cancelled", ofBackordered);
    return { ...rest, cancelRequested: most };
  });
  if (!hasCancelled && !wasTooLate) return { order, hasCancelled, wasTooLate };
  const isOver = after.lines.every(({ cancelRequested }) => cancelRequested === 0);
  const ended = isOver ? { ...after, cancelRequestedAt: undefined, cancelReason: undefined } : after;
  return { order: ended, hasCancelled, wasTooLate };
}

const inHouse = ({ buckets: { allocated, picked, packed } }: OrderLine) => allocated + picked + packed;
