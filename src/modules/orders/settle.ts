import { isShortageReason } from "#/modules/orders/allocation/shortage-reason.ts";
import { eventsOfParts, type OrderTopic, orderEvent, trackAndTrace, wakesAllocation } from "#/modules/orders/events.ts";
import { withoutLostBuilt } from "#/modules/orders/kits.ts";
import {
  codesOfReceipt,
  findReached,
  insertMilestones,
  isForward,
  type Milestone,
} from "#/modules/orders/milestone-repository.ts";
import {
  type Hold,
  moved,
  type Order,
  type OrderLine,
  reasonOfHolds,
  stateCodes,
  stateOf,
  totalsOf,
  withLines,
} from "#/modules/orders/order.ts";
import { writeHeaders, writeLines } from "#/modules/orders/order-repository.ts";
import { doneStates, endStates, type OrderState } from "#/modules/orders/states.ts";
import { hasOtherStatus, statusFeedOf } from "#/modules/orders/status-feed.ts";
import { listParcels, type ParcelFacts, parcelEnds } from "#/modules/parcels/index.ts";
import { type AuditEntry, type Change, isByMachine, recordAudits } from "#/store/db/audit.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

export interface MilestoneDraft {
  readonly code: number;
  /** Omitted: the code concerns the whole order. */
  readonly olpnId?: string | undefined;
  /** When it happened, ISO 8601 UTC; omitted: now. */
  readonly at?: string | undefined;
  readonly location?: string | undefined;
  readonly text?: string | undefined;
  readonly rawCode?: string | undefined;
}

export interface OrderChange {
  /** The changed order: new buckets, holds, takenAt …; its status is derived. */
  readonly order: Order;
  readonly before: Order;
  /** Codes in addition to those of a change of state. */
  readonly milestones?: readonly MilestoneDraft[];
  /** Topics in addition to the state's own. */
  readonly topics?: readonly OrderTopic[];
  /** Sends an OS even if it shows what the last one shows: the answer to a cancel request. */
  readonly needsStatusFeed?: boolean;
  /** The reason of the new state. */
  readonly statusReason?: string | undefined;
  /** The action in the audit log; omitted: `change`. */
  readonly action?: string | undefined;
  /** Further detail for the audit log; never an address. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** All current parcels of the order; if omitted, they are loaded when the state depends on them. */
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

/** Codes of topics, in addition to those of states. */
const codeOfTopic: Readonly<Partial<Record<OrderTopic, number>>> = {
  "order:held": 30,
  "order:released": 35,
  "order:cancelRequested": 88,
};

/** For these states the carrier's code of the parcel already covers the order. */
const codedByCarriers: ReadonlySet<OrderState> = new Set(["DELIVERED", "RETURNED_TO_SENDER"]);
const ends: ReadonlySet<OrderState> = new Set(endStates);
const done: ReadonlySet<OrderState> = new Set(doneStates);
/** Reasons that derive from the parcels alone; they are removed when the parcels no longer give them. */
const reasonsOfParcels: ReadonlySet<string | undefined> = new Set(["LOST", "PARTIALLY_DELIVERED"]);

/**
 * Completes every change of orders: derives their states, writes headers, lines, milestones and audit lines set-wise,
 * and returns the events to publish. Each order occurs once. The caller has already written its reservations.
 */
export async function settleOrders(tx: UnitOfWork, changes: readonly OrderChange[]): Promise<EventDraft[]> {
  if (changes.length === 0) return [];
  const change = { ...tx.change, at: momentOf(tx.change, changes) };
  const parcelsOf = await findParcels(tx, changes);
  const settled = changes.map((orderChange) => settle(orderChange, change.at, parcelsOf(orderChange)));
  writeLines(
    tx,
    settled.map(({ order }) => order),
  );
  writeHeaders(
    tx,
    change.at,
    settled.map(({ order, hasMoved }) => ({
      order,
      hasEnded: hasMoved && ends.has(order.status),
      isDone: done.has(order.status),
    })),
  );
  const milestones = await listSteps(tx.with(change), settled);
  insertMilestones(tx, milestones.flat());
  const audited = isByMachine(change)
    ? settled.filter((step, i) => !isStated(step, milestones[i] as Milestone[]))
    : settled;
  recordAudits(tx.with(change), audited.map(auditOf));
  return settled.flatMap((settledOrder, i) => draftsOf(settledOrder, milestones[i] as Milestone[], change.at));
}

/**
 * The moment of the change, always after the last change of each order. A change that waited for a lock began before
 * the change that held the lock, and clients use the statusTimeStamp to find the latest OS.
 */
function momentOf({ at }: Change, changes: readonly OrderChange[]): string {
  const lastMs = changes.reduce((last, { order }) => Math.max(last, Date.parse(order.updatedAt)), 0);
  return lastMs > Date.parse(at) ? new Date(lastMs + 1).toISOString() : at;
}

interface Settled {
  readonly change: OrderChange;
  readonly order: Order;
  readonly parcels: readonly ParcelFacts[];
  /** The state has changed. */
  readonly hasMoved: boolean;
  /** Topic and code announce the state. */
  readonly isAnnounced: boolean;
  /** The content of the OS of this change; undefined: it sends none. HOLDS: nothing but other holds. */
  readonly news: "STATUS" | "HOLDS" | undefined;
  /** All topics to publish, in order, without duplicates. */
  readonly topics: readonly OrderTopic[];
}

function settle(orderChange: OrderChange, at: string, parcels: readonly ParcelFacts[]): Settled {
  const { before } = orderChange;
  const request = withoutOvertaken(withoutLostBuilt(orderChange.order));
  const { state, reason } = stateOf(request.order, parcelEnds(parcels));
  const change: OrderChange = {
    ...orderChange,
    order: request.order,
    needsStatusFeed: orderChange.needsStatusFeed === true || request.wasTooLate,
    topics: [...(orderChange.topics ?? []), ...(request.wasTooLate ? (["order:cancelRefused"] as const) : [])],
    statusReason:
      orderChange.statusReason ??
      (request.hasCancelled && state === "CANCELLED" ? orderChange.order.cancelReason : undefined),
  };
  const hasMoved = state !== before.status;
  // Allocation ran since then and has set the reason again for lines that still wait for it.
  const isAnswered = orderChange.action === "allocate" && isShortageReason(before.statusReason);
  const isOfHold = before.holds.length > 0 && before.statusReason === reasonOfHolds(before.holds);
  const isGone = hasMoved || isAnswered || isOfHold || reasonsOfParcels.has(before.statusReason);
  const kept = isGone ? undefined : before.statusReason;
  const isBackordered = change.order.lines.some(({ buckets }) => buckets.backordered > 0);
  const ofHold = done.has(state) ? undefined : reasonOfHolds(change.order.holds);
  const order = {
    ...change.order,
    status: state,
    statusReason: reason ?? ofHold ?? change.statusReason ?? kept,
    backorderedSince: isBackordered ? (change.order.backorderedSince ?? at) : undefined,
  };
  const [wasAsking, isAsking] = [asksForStock(before), asksForStock(order)];
  const isPart = state === "PARTIALLY_ALLOCATED";
  // Before allocation has looked for the rest, a part is not the result. Afterwards it is, even if the state was set before.
  const isAnnounced = isPart ? !isAsking && (hasMoved || wasAsking) : hasMoved;
  const orderTopic = isAnnounced ? topicOf(before.status, state) : undefined;
  const requestedTopics = [...(change.topics ?? [])];
  if (isAsking && !requestedTopics.some((topic) => wakesAllocation.has(topic))) requestedTopics.push("order:updated");
  if (isOvertaken(before, order)) requestedTopics.push("order:despatched");
  const topics = new Set([...requestedTopics, ...(orderTopic === undefined ? [] : [orderTopic])]);
  return { change, order, parcels, hasMoved, isAnnounced, news: newsOf(change, order), topics: [...topics] };
}

/**
 * Open quantity of an order without holds goes to allocation, which listens to order:updated. What the order shows until
 * then is not a result yet, so the OS waits for that of the allocation.
 */
function asksForStock({ holds, lines }: Order): boolean {
  return holds.length === 0 && lines.some(({ buckets }) => buckets.open > 0);
}

/** The last OS of an order shows what REST answers, except while the order asks for stock (outbound.md). */
function newsOf({ before, needsStatusFeed }: OrderChange, order: Order): Settled["news"] {
  if (asksForStock(order)) return undefined;
  if (needsStatusFeed || asksForStock(before) || hasOtherStatus(before, order)) return "STATUS";
  return areDifferent(before.holds, order.holds) ? "HOLDS" : undefined;
}

/** A hold that stays is the same object. */
function areDifferent(before: readonly Hold[], after: readonly Hold[]): boolean {
  return before.length !== after.length || after.some((hold) => !before.includes(hold));
}

/**
 * The order's last goods leave, and its parcels have already ended, because a carrier reported before the warehouse. The
 * order is despatched all the same. Code 100 is left out: the carrier's code is already past it.
 */
function isOvertaken(before: Order, { status, lines }: Order): boolean {
  return codedByCarriers.has(status) && totalsOf(lines).despatched > totalsOf(before.lines).despatched;
}

/** An order is despatched once. If its delivered parcel comes back while another is lost, only the state changes. */
function topicOf(before: OrderState, state: OrderState): OrderTopic | undefined {
  return isDespatchedAgain(before, state) ? "order:updated" : topicOfState[state];
}

function isDespatchedAgain(before: OrderState, state: OrderState): boolean {
  return state === "DESPATCHED" && codedByCarriers.has(before);
}

/** Parcels matter once something is packed: they determine the end of the order, and its OS lists them. */
async function findParcels(
  tx: ClientTx,
  changes: readonly OrderChange[],
): Promise<(change: OrderChange) => readonly ParcelFacts[]> {
  const missing = changes.flatMap(({ order, parcels }) => {
    const { packed, despatched } = totalsOf(order.lines);
    return parcels === undefined && packed + despatched > 0 ? order.orderId : [];
  });
  const found = missing.length === 0 ? [] : await listParcels(tx, missing);
  const byOrder = Map.groupBy(found, ({ orderId }) => orderId);
  return ({ order, parcels }) => parcels ?? byOrder.get(order.orderId) ?? [];
}

/**
 * The codes of each change. A code about the whole order that is a step forward is raised once and never after a later
 * one: the first codes are those of the receipt, whatever happens first.
 */
async function listSteps(tx: UnitOfWork, settled: readonly Settled[]): Promise<Milestone[][]> {
  const drafts = settled.map(draftMilestones);
  const concerned = settled.filter((_, i) => drafts[i]?.some(({ olpnId }) => olpnId === undefined));
  const reached = await findReached(
    tx,
    concerned.map(({ order }) => order.orderId),
  );
  return settled.map(({ order }, i) => {
    const { orderId, receivedAt } = order;
    let last = reached.get(orderId) ?? 0;
    const ofChange = drafts[i] as MilestoneDraft[];
    const isOfOrder = ofChange.some(({ olpnId }) => olpnId === undefined);
    const first =
      isOfOrder && last === 0 ? codesOfReceipt.map((code) => ({ code, at: receivedAt, olpnId: undefined })) : [];
    const steps = [...first, ...ofChange].filter(({ code, olpnId }) => {
      if (olpnId !== undefined || !isForward(code)) return true;
      const isNew = code > last;
      last = Math.max(last, code);
      return isNew;
    });
    return steps.map((step: MilestoneDraft) => ({
      ...step,
      orderId,
      milestoneId: tx.change.ids.next(Date.parse(tx.change.at)),
      at: step.at ?? tx.change.at,
      receivedAt: tx.change.at,
    }));
  });
}

function draftMilestones({ change, order, hasMoved, isAnnounced, topics }: Settled): MilestoneDraft[] {
  const codes = new Set(topics.flatMap((topic) => codeOfTopic[topic] ?? []));
  const ofState = stateCodes[order.status];
  const isAgain = isDespatchedAgain(change.before.status, order.status);
  // The carrier's code of the parcel covers these states.
  const isCoded = isAgain || codedByCarriers.has(order.status);
  if (isAnnounced && ofState !== undefined && !isCoded) codes.add(ofState);
  // An allocated order without holds is in the warehouse's list with the same commit.
  if (hasMoved && order.status === "ALLOCATED") codes.add(40);
  // A packed order waits for its carrier.
  if (hasMoved && order.status === "PACKED") codes.add(75);
  const changeMilestones = change.milestones ?? [];
  for (const { code, olpnId } of changeMilestones) if (olpnId === undefined) codes.delete(code);
  return [...changeMilestones, ...[...codes].sort((left, right) => left - right).map((code) => ({ code }))];
}

/** An event or a milestone states the change; `order:updated` states only that there is one. */
const isStated = ({ topics }: Settled, milestones: readonly Milestone[]) =>
  milestones.length > 0 || topics.some((topic) => topic !== "order:updated");

function auditOf({ change, order, hasMoved }: Settled): AuditEntry {
  const { before, action = "change", detail } = change;
  // A hold that stays is not why this change was made.
  const isOfOther = !hasMoved && order.statusReason === reasonOfHolds(order.holds);
  return {
    action,
    objectType: "order",
    objectId: order.orderId,
    detail: {
      ...(hasMoved ? { from: before.status, to: order.status } : { status: order.status }),
      ...(order.statusReason === undefined || isOfOther ? {} : { reason: order.statusReason }),
      ...detail,
    },
  };
}

function draftsOf({ order, parcels, news, topics }: Settled, milestones: Milestone[], at: string): EventDraft[] {
  const drafts: EventDraft[] = topics.map((topic) => orderEvent(topic, order, parcels));
  for (const milestone of milestones) {
    const parcel = parcels.find(({ olpnId }) => olpnId === milestone.olpnId);
    const facts = {
      trackingNumber: parcel?.trackingNumber,
      trackingUrl: parcel?.trackingUrl,
      carrierCode: parcel?.carrierCode ?? order.carrierCode,
    };
    drafts.push(
      trackAndTrace({
        ...milestone,
        ...facts,
        facilityCode: parcel?.facilityCode ?? order.distributionCentre,
        occurredAt: milestone.at,
      }),
    );
  }
  drafts.push(...eventsOfParts(topics, order));
  if (news === undefined) return drafts;
  // An OS needs an event, and that of a parcel names the facility of the parcel.
  const isOfOrder = ({ facilityCode }: EventDraft) => facilityCode === order.distributionCentre;
  if (!drafts.some(isOfOrder)) drafts.push(orderEvent("order:updated", order));
  // One OS for each change: it goes with the event of the state, which is the last of the topics, else with the first
  // event.
  const carrier = topics.length > 0 ? topics.length - 1 : drafts.findIndex(isOfOrder);
  const outbound = statusFeedOf(order, parcels, at, news === "HOLDS");
  return drafts.map((draft, i) => (i === carrier ? { ...draft, outbound } : draft));
}

/** The part of an order's cancel request that other events than the warehouse's answer have settled. */
interface OvertakenRequest {
  /** The same object if no part of the request was overtaken. */
  readonly order: Order;
  /** Some quantity was missing at the pick, so it is cancelled. */
  readonly hasCancelled: boolean;
  /** Some quantity has left: the request was too late. */
  readonly wasTooLate: boolean;
}

/**
 * A request covers allocated, picked or packed quantity. If less than the requested quantity remains, because some has
 * left or was not found, the request is answered to that extent. It ends when nothing of it remains.
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
