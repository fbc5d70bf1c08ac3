import type { Change } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import {
  type Book,
  facilityToday,
  listReservations,
  lotKey,
  type Movement,
  noExpiry,
  postMovements,
  type Reservation,
  writeReservations,
} from "#/modules/inventory/index.ts";
import { type BackorderPolicy, cancelsRest, findPolicy } from "#/modules/orders/allocation/backorder-policy.ts";
import { listWaitingSkus } from "#/modules/orders/allocation/backorder-repository.ts";
import { type Match, type MatchAsk, matchLines } from "#/modules/orders/allocation/repository.ts";
import { moved, type Order, type OrderLine, stateOf, totalsOf, withLines } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { isReleasable } from "#/modules/orders/order-work.ts";
import { inactiveReason, type OrderChange, settleOrders } from "#/modules/orders/settle.ts";
import type { EventDraft } from "#/outbox/append.ts";

export interface AllocationAsk {
  /** SKUs whose stock is to be given to whoever waits for it. */
  readonly skus?: readonly string[];
  /**
   * Orders that were accepted, changed or released: their SKUs are given out, to whoever is first of these and of those
   * that are backordered, and what these did not get is backordered. Others with open quantity have an event of their own
   * on the way, and are not served in parts before it comes.
   */
  readonly orderIds?: readonly string[];
  /** Nobody besides these orders gets anything. */
  readonly isForThemAlone?: boolean;
  /** Lines that one call looks at, at the most; 20 000 unless told. */
  readonly linesMax?: number;
}

export interface Allocation {
  readonly drafts: EventDraft[];
  /** Lines that got something. */
  readonly lines: number;
  /** False: there was more than `linesMax`, and it is to be called again. */
  readonly isDone: boolean;
}

const linesMaxDefault = 20_000;
/** What a client with SHIP_AND_CANCEL is told of the part that is not there. */
export const notInStock = "not in stock; the client's setting is to cancel what cannot be shipped";

/**
 * Gives free stock of the book to the lines that wait for it (lifecycle.md §1, Allocation): by priority, then by first
 * acceptance; of each SKU what expires first, then what came first. Nobody else allocates in this facility until the
 * transaction ends, because the book is locked, so no unit is given twice (docs/decisions/0013).
 */
export async function allocateOrders(
  tx: Transaction,
  change: Change,
  book: Book,
  ask: AllocationAsk,
): Promise<Allocation> {
  const { clientId, facilityCode } = book;
  const startedMs = performance.now();
  const asked = new Set(ask.orderIds ?? []);
  const [policy, today, waiting] = await Promise.all([
    findPolicy(tx, clientId),
    facilityToday(tx, facilityCode, book.at),
    asked.size === 0 ? [] : listWaitingSkus(tx, clientId, [...asked]),
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
        : { orderIds: [...asked], besides: ask.isForThemAlone ? "NOBODY" : "BACKORDERED" },
    linesMax: ask.linesMax ?? linesMaxDefault,
  };
  const { matches, isDone } = await matchLines(tx, clientId, matchAsk);
  const byOrder = Map.groupBy(matches, ({ orderId }) => orderId);
  // While more could be given nobody is told that there is nothing.
  const toEnd = isDone ? here.map(({ order_id }) => order_id) : [];
  const orderIds = [...new Set([...byOrder.keys(), ...toEnd])];
  const [orders, held] = await Promise.all([
    lockOrders(tx, clientId, orderIds),
    listReservations(tx, clientId, "ORDER", [...byOrder.keys()]),
  ]);
  reserve(tx, change, book, matches, held);
  const changed = orders.flatMap((before) => {
    const given = withMatches(before, byOrder.get(before.orderId) ?? []);
    const order = isDone && before.holds.length === 0 ? withoutOpen(given, skus, policy) : given;
    return order.lines.every((line, i) => line === before.lines[i]) ? [] : [{ before, order }];
  });
  const inactive = await findInactive(
    tx,
    clientId,
    changed.flatMap(({ order }) => order.lines.filter(lacksGoods)),
  );
  const changes = changed.map(({ before, order }) => changeOf(before, order, policy, inactive));
  const drafts = await settleOrders(tx, change, clientId, changes);
  const cause = ask.orderIds === undefined ? "stock" : "orders";
  noteAllocation(tx, orders, changes, skus, cause, startedMs);
  return { drafts, lines: new Set(matches.map(lineKey)).size, isDone };
}

/** Allocates for orders until nothing more can be given, which one call does but for very many lines. */
export async function allocateAll(
  tx: Transaction,
  change: Change,
  book: Book,
  ask: AllocationAsk,
): Promise<EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (;;) {
    const allocation = await allocateOrders(tx, change, book, ask);
    drafts.push(...allocation.drafts);
    if (allocation.isDone) return drafts;
  }
}

const lineKey = ({ orderId, lineNumber }: Match) => `${lineNumber} ${orderId}`;

/** Writes what the lines hold from now on, and the ledger's entries of it. */
function reserve(
  tx: Transaction,
  { ids }: Change,
  book: Book,
  matches: readonly Match[],
  held: readonly Reservation[],
): void {
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
  writeReservations(tx, book.clientId, reservations);
  postMovements(
    tx,
    book,
    ids,
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

/** The order with what its lines were given: what was open first, then what was backordered. */
function withMatches(order: Order, matches: readonly Match[]): Order {
  if (matches.length === 0) return order;
  const given = new Map<number, number>();
  for (const { lineNumber, qty } of matches) given.set(lineNumber, (given.get(lineNumber) ?? 0) + qty);
  return withLines(order, (line) => {
    const qty = given.get(line.lineNumber) ?? 0;
    const fromOpen = Math.min(qty, line.buckets.open);
    return moved(moved(line, "open", "allocated", fromOpen), "backordered", "allocated", qty - fromOpen);
  });
}

/** What is still open of these SKUs has been looked for: it is backordered, or cancelled where the client wants that. */
function withoutOpen(order: Order, skus: ReadonlySet<string>, policy: BackorderPolicy): Order {
  const to = cancelsRest(order, policy) ? "cancelled" : "backordered";
  const end = (line: OrderLine) => (skus.has(line.sku) ? moved(line, "open", to, line.buckets.open) : line);
  return withLines(order, end);
}

const lacksGoods = ({ buckets }: OrderLine) => buckets.backordered + buckets.cancelled > 0;

/** Which SKUs of these lines the catalogue says not to allocate. */
async function findInactive(tx: Tx, clientId: string, lines: readonly OrderLine[]): Promise<ReadonlySet<string>> {
  const rules = await findItemRules(
    tx,
    clientId,
    lines.map(({ sku }) => sku),
  );
  return new Set([...rules.values()].flatMap(({ sku, isActive }) => (isActive ? [] : [sku])));
}

/** Why lines wait, or were cancelled, whatever stock there is; undefined where it is the stock. */
function reasonOfInactive(order: Order, inactive: ReadonlySet<string>): string | undefined {
  const named = order.lines.filter((line) => lacksGoods(line) && inactive.has(line.sku)).map(({ sku }) => sku);
  const skus = [...new Set(named)];
  if (skus.length === 0) return undefined;
  const more = skus.length > skusNamedMax ? ` and ${skus.length - skusNamedMax} more` : "";
  return `${inactiveReason}${skus.slice(0, skusNamedMax).join(", ")}${more}`;
}

const skusNamedMax = 3;

function changeOf(before: Order, order: Order, policy: BackorderPolicy, inactive: ReadonlySet<string>): OrderChange {
  const [was, is] = [totalsOf(before.lines), totalsOf(order.lines)];
  const hasCancelled = is.cancelled > was.cancelled;
  const { state } = stateOf(order);
  // The part that is there goes to the warehouse at once. Of an order that is all there the state says it.
  const isNew = was.allocated === 0 && is.allocated > 0 && is.picked + is.packed === 0;
  const isReleased = isNew && state !== "ALLOCATED" && isReleasable(order, policy);
  // Of what was short in its pick nothing else is there: the pick is at its end.
  const isPicked = was.open > 0 && is.open + is.allocated === 0 && is.picked > 0;
  return {
    order,
    before,
    action: is.allocated > was.allocated ? "allocate" : "backorder",
    // What the warehouse is to do has changed, although the state, as of one that is being picked, has not.
    topics: is.allocated > was.allocated && state === before.status ? ["order:updated"] : [],
    needsStatusFeed: hasCancelled,
    statusReason: reasonOfInactive(order, inactive) ?? (hasCancelled ? notInStock : undefined),
    milestones: [...(isReleased ? [{ code: 40 }] : []), ...(isPicked ? [{ code: 55 }] : [])],
  };
}

/**
 * Counts what one allocation has decided, line by line, of the SKUs that it gave out, once it is committed: one that is
 * rolled back is run again, and would count twice.
 *
 * @param orders as they were before
 */
function noteAllocation(
  tx: Transaction,
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
      const given = buckets.allocated - was.allocated;
      decided[given >= wanted ? "allocated" : given > 0 ? "partial" : "none"]++;
    }
  }
  tx.afterCommit(() => {
    metrics.allocationDuration.observe({ cause }, seconds);
    for (const outcome of ["allocated", "partial", "none"] as const) {
      metrics.allocationLines.inc({ outcome }, decided[outcome]);
    }
  });
}
