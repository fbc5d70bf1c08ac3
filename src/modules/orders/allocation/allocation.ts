import { metrics } from "#/kernel/telemetry/metrics.ts";
import {
  type Book,
  facilityToday,
  listReservations,
  lotKey,
  type Movement,
  noExpiry,
  postMovements,
  type Reservation,
  wantExpected,
  writeReservations,
} from "#/modules/inventory/index.ts";
import {
  type BackorderPolicy,
  cancelsRest,
  findPolicy,
  listWaitingSkus,
} from "#/modules/orders/allocation/backorder-repository.ts";
import { type Release, releaseStock } from "#/modules/orders/allocation/deallocation.ts";
import { matchKits } from "#/modules/orders/allocation/kit-matches.ts";
import { type Match, type MatchAsk, matchLines } from "#/modules/orders/allocation/repository.ts";
import {
  findShortages,
  reasonOfInactive,
  reasonOfUnsellable,
  type Shortages,
} from "#/modules/orders/allocation/shortage-reason.ts";
import { withoutOrphans } from "#/modules/orders/commands/cancel-order.ts";
import { type RowPart, rowsByKit, surplusOf, withBuilt, withSurplusWaiting } from "#/modules/orders/kits.ts";
import {
  facilityOfLine,
  moved,
  type Order,
  type OrderLine,
  stateOf,
  totalsOf,
  withLines,
} from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { isReleasable } from "#/modules/orders/order-work.ts";
import { type OrderChange, settleOrders } from "#/modules/orders/settle.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

export interface AllocationAsk {
  /** SKUs whose free stock is allocated to the waiting orders. */
  readonly skus?: readonly string[];
  /**
   * Orders that were accepted, changed or released. The free stock of their SKUs is allocated to these orders and to
   * backordered ones, in order of precedence. What these orders do not get is backordered. Other orders with open
   * quantity have their own event in the outbox and get nothing before that event is consumed.
   */
  readonly orderIds?: readonly string[];
  /** True: only these orders get stock. */
  readonly isForThemAlone?: boolean;
  /** Lines that one call reads, at most; 20 000 by default. */
  readonly linesMax?: number;
}

export interface Allocation {
  readonly drafts: EventDraft[];
  /** Lines that got stock. */
  readonly lines: number;
  /** False: more than `linesMax` lines wait, and the caller must call again. */
  readonly isDone: boolean;
}

const linesMaxDefault = 20_000;
/** The status reason that a client with SHIP_AND_CANCEL gets for the part that is not in stock. */
export const notInStock = "not in stock; the client's setting cancels what cannot be shipped";

/**
 * Allocates free stock of the book to the waiting lines (lifecycle.md §1, Allocation): by priority, then by first
 * acceptance. For each SKU, lots are used by expiry date, then by receipt. The lock of the book keeps other allocations
 * out of this facility until the transaction ends, so no unit is allocated twice (docs/decisions/0013).
 */
export async function allocateOrders(tx: UnitOfWork, book: Book, ask: AllocationAsk): Promise<Allocation> {
  const { facilityCode } = book;
  const startedMs = performance.now();
  const requestedIds = new Set(ask.orderIds ?? []);
  const [policy, today, waiting] = await Promise.all([
    findPolicy(tx),
    facilityToday(tx.plain, facilityCode, book.at),
    requestedIds.size === 0 ? [] : listWaitingSkus(tx, [...requestedIds]),
  ]);
  const here = waiting.filter((line) => line.facility_code === facilityCode);
  const skus = new Set([...(ask.skus ?? []), ...here.map(({ sku }) => sku)]);
  if (skus.size === 0) return { drafts: [], lines: 0, isDone: true };
  const matchAsk: MatchAsk = {
    facilityCode,
    today,
    skus: [...skus],
    orders:
      ask.orderIds === undefined
        ? "ALL"
        : { orderIds: [...requestedIds], besides: ask.isForThemAlone ? "NOBODY" : "BACKORDERED" },
    linesMax: ask.linesMax ?? linesMaxDefault,
  };
  const found = await matchLines(tx, matchAsk);
  const { matches, isDone } = found.hasKits ? await matchKits(tx, matchAsk) : found;
  const byOrder = Map.groupBy(matches, ({ orderId }) => orderId);
  // No order is backordered while more stock could still be allocated to it.
  const toEnd = isDone ? here.map(({ order_id }) => order_id) : [];
  const orderIds = [...new Set([...byOrder.keys(), ...toEnd])];
  const [orders, held] = await Promise.all([
    lockOrders(tx, orderIds),
    listReservations(tx, "ORDER", [...byOrder.keys()]),
  ]);
  reserve(tx, book, matches, held);
  const releases: Release[] = [];
  const changed = orders.flatMap((before) => {
    const allocated = withMatches(before, byOrder.get(before.orderId) ?? []);
    const searched = { facilityCode, skus };
    const order = isDone && before.holds.length === 0 ? withoutRest(allocated, searched, policy, releases) : allocated;
    return order.lines.every((line, i) => line === before.lines[i]) ? [] : [{ before, order }];
  });
  await releaseStock(tx, new Map([[facilityCode, book]]), releases);
  const shortages = await findShortages(tx, { facilityCode, today }, changed);
  const changes = changed.map(({ before, order }) => changeOf(before, order, policy, shortages));
  const drafts = await settleOrders(tx, changes);
  // The allocator promises them a day.
  wantExpected(tx, facilityCode, [...new Set(changes.flatMap(newlyBackordered))]);
  const cause = ask.orderIds === undefined ? "stock" : "orders";
  noteAllocation(tx, orders, changes, skus, cause, startedMs);
  return { drafts, lines: new Set(matches.map(lineKey)).size, isDone };
}

/**
 * Allocates for orders until nothing more can be allocated. One call of `allocateOrders` is enough except for very many
 * lines.
 */
export async function allocateAll(tx: UnitOfWork, book: Book, ask: AllocationAsk): Promise<EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (;;) {
    const allocation = await allocateOrders(tx, book, ask);
    drafts.push(...allocation.drafts);
    if (allocation.isDone) return drafts;
  }
}

/** The SKUs of an order that have begun to wait. */
const newlyBackordered = ({ before, order }: OrderChange) =>
  order.lines.flatMap(({ sku, buckets }, i) =>
    buckets.backordered > (before.lines[i]?.buckets.backordered ?? 0) ? sku : [],
  );

const lineKey = ({ orderId, lineNumber }: Match) => `${lineNumber} ${orderId}`;

/** Writes the new reservations of the lines and their ledger entries. */
function reserve(tx: UnitOfWork, book: Book, matches: readonly Match[], held: readonly Reservation[]): void {
  if (matches.length === 0) return;
  const keyOf = (orderId: string, place: Reservation | Match) => `${orderId} ${place.lineNumber} ${lotKey(place)}`;
  const known = new Map(held.map((reservation) => [keyOf(reservation.ownerId, reservation), reservation]));
  const reservations = matches.map((match): Reservation => {
    const before = known.get(keyOf(match.orderId, match));
    return {
      ownerType: "ORDER",
      ownerId: match.orderId,
      lineNumber: match.lineNumber,
      facilityCode: book.facilityCode,
      sku: match.sku,
      stockPool: match.stockPool,
      batchRef: match.batchRef,
      expiryDate: match.expiryDate,
      allocated: (before?.allocated ?? 0) + match.qty,
      picked: before?.picked ?? 0,
      packed: before?.packed ?? 0,
      chosenBy: match.expiryDate === noExpiry ? "FIFO" : "FEFO",
      allocatedAt: before?.allocatedAt ?? book.at,
    };
  });
  writeReservations(tx, reservations);
  postMovements(
    tx,
    book,
    tx.change.ids,
    matches.map(
      (match): Movement => ({
        type: "ALLOCATION",
        sku: match.sku,
        condition: "GOOD",
        stockPool: match.stockPool,
        batchRef: match.batchRef,
        expiryDate: match.expiryDate,
        qty: match.qty,
        allocatedChange: match.qty,
        referenceType: "order",
        referenceId: match.orderId,
      }),
    ),
  );
}

/**
 * The order with its matched quantities allocated: from the open quantity first, then from the backordered quantity.
 */
function withMatches(order: Order, matches: readonly Match[]): Order {
  if (matches.length === 0) return order;
  const allocated = new Map<number, number>();
  for (const { lineNumber, qty } of matches) allocated.set(lineNumber, (allocated.get(lineNumber) ?? 0) + qty);
  return withLines(withBuiltKits(order, allocated), (line) => {
    const qty = allocated.get(line.lineNumber) ?? 0;
    const fromOpen = Math.min(qty, line.buckets.open);
    return moved(moved(line, "open", "allocated", fromOpen), "backordered", "allocated", qty - fromOpen);
  });
}

/** The lines of kits that take stock of the kit; `allocated` keeps the other matches. */
function withBuiltKits(order: Order, allocated: Map<number, number>): Order {
  const kitRows = rowsByKit(order.lines);
  const changed = new Map<number, OrderLine>();
  for (const { lineNumber } of order.kits) {
    const rows = kitRows(lineNumber);
    const qty = allocated.get(rows.built.lineNumber) ?? 0;
    if (qty === 0) continue;
    allocated.delete(rows.built.lineNumber);
    for (const row of withBuilt(rows, qty)) changed.set(row.lineNumber, row);
  }
  return changed.size === 0 ? order : withLines(order, (line) => changed.get(line.lineNumber) ?? line);
}

/** The stock that an allocation has looked at. */
interface Searched {
  readonly facilityCode: string;
  readonly skus: ReadonlySet<string>;
}

/**
 * Nothing more can be allocated to the order now. Of a kit, the components that are in stock go back to it where another
 * one is missing, and those of a kit that lost a component are cancelled.
 */
function withoutRest(order: Order, searched: Searched, policy: BackorderPolicy, releases: Release[]): Order {
  if (order.kits.length === 0) return withoutOpen(order, searched, policy);
  const kits = order.kits.filter((kit) => facilityOfLine(order, kit) === searched.facilityCode);
  const surplus = surplusOf({ lines: order.lines, kits });
  releases.push(...surplus.map((part) => ({ ...part, orderId: order.orderId })));
  const waiting = withoutOpen(withSurplusWaiting(order, surplus), searched, policy);
  const cancelled = withoutOrphans(cancelsRest(order, policy) ? withoutBackordered(waiting, surplus) : waiting);
  releases.push(...cancelled.releases);
  return cancelled.order;
}

function withoutBackordered(order: Order, surplus: readonly RowPart[]): Order {
  const qtyOf = new Map(surplus.map(({ lineNumber, qty }) => [lineNumber, qty]));
  return withLines(order, (line) => moved(line, "backordered", "cancelled", qtyOf.get(line.lineNumber) ?? 0));
}

/**
 * Stock was searched for the open quantity of these SKUs. The rest is backordered, or cancelled if the client's policy
 * says so.
 */
function withoutOpen(order: Order, { facilityCode, skus }: Searched, policy: BackorderPolicy): Order {
  const to = cancelsRest(order, policy) ? "cancelled" : "backordered";
  const isSearched = (line: OrderLine) => skus.has(line.sku) && facilityOfLine(order, line) === facilityCode;
  const end = (line: OrderLine) => (isSearched(line) ? moved(line, "open", to, line.buckets.open) : line);
  return withLines(order, end);
}

function changeOf(before: Order, order: Order, policy: BackorderPolicy, shortages: Shortages): OrderChange {
  const [was, is] = [totalsOf(before.lines), totalsOf(order.lines)];
  const hasCancelled = is.cancelled > was.cancelled;
  const { state } = stateOf(order);
  // The allocated part goes to the warehouse at once. For a fully allocated order the state already says this.
  const isNew = was.allocated === 0 && is.allocated > 0 && is.picked + is.packed === 0;
  const isReleased = isNew && state !== "ALLOCATED" && isReleasable(order, policy);
  const isAnnounced = state !== before.status || (state === "PARTIALLY_ALLOCATED" && was.open > 0);
  // After a short pick no other stock is available: the pick is complete.
  const isPicked = was.open > 0 && is.open + is.allocated === 0 && is.picked > 0;
  return {
    order,
    before,
    action: is.allocated > was.allocated ? "allocate" : "backorder",
    // The work of the warehouse has changed even if the state has not, for example during picking.
    topics: is.allocated > was.allocated && !isAnnounced ? ["order:updated"] : [],
    statusReason:
      reasonOfInactive({ before, order }, shortages) ??
      (hasCancelled ? notInStock : reasonOfUnsellable({ before, order }, shortages)),
    milestones: [...(isReleased ? [{ code: 40 }] : []), ...(isPicked ? [{ code: 55 }] : [])],
  };
}

/**
 * Counts the outcome of one allocation per line, for the SKUs that it allocated, after the commit. A rolled-back
 * transaction runs again and would be counted twice.
 *
 * @param orders as they were before
 */
function noteAllocation(
  tx: ClientTransaction,
  orders: readonly Order[],
  changes: readonly OrderChange[],
  skus: ReadonlySet<string>,
  cause: "orders" | "stock",
  startedMs: number,
): void {
  const seconds = (performance.now() - startedMs) / 1_000;
  const linesBefore = new Map(orders.map(({ orderId, lines }) => [orderId, lines]));
  const decided = { allocated: 0, partial: 0, none: 0 };
  for (const { order } of changes) {
    for (const [i, { sku, buckets }] of order.lines.entries()) {
      const was = linesBefore.get(order.orderId)?.[i]?.buckets;
      const wanted = was === undefined || !skus.has(sku) ? 0 : was.open + was.backordered;
      if (was === undefined || wanted === 0) continue;
      const allocated = buckets.allocated - was.allocated;
      decided[allocated >= wanted ? "allocated" : allocated > 0 ? "partial" : "none"]++;
    }
  }
  tx.afterCommit(() => {
    metrics.allocationDuration.observe({ cause }, seconds);
    for (const outcome of ["allocated", "partial", "none"] as const) {
      metrics.allocationLines.inc({ outcome }, decided[outcome]);
    }
  });
}
