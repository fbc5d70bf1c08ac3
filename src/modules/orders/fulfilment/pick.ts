import { conflict, type Refusal, unprocessable, unprocessableFields } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { faultsOfLot, findItemRules, type ItemRules, type LotFault } from "#/modules/catalogue/index.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import {
  type Book,
  type Lot,
  listBalances,
  listReservations,
  listReservationsOfLots,
  listSerials,
  localDate,
  lotKey,
  openBook,
  postMovements,
  type Reservation,
  type SerialPlace,
  shortPick,
  writeReservations,
  writeSerials,
} from "#/modules/inventory/index.ts";
import { findPolicy } from "#/modules/orders/allocation/backorder-repository.ts";
import {
  type FulfilmentResult,
  orderAnswer,
  orderClaim,
  refusalOfCancelled,
  refusalOfHeld,
  refusalOfLines,
  refusalOfOrder,
  reservationBook,
  serialClaim,
  withLine,
} from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { lotFits, type PickWant, planPick } from "#/modules/orders/fulfilment/pick-plan.ts";
import { moved, type Order, stateOf, totalsOf } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { isReleasable } from "#/modules/orders/order-work.ts";
import { type OrderChange, settleOrders } from "#/modules/orders/settle.ts";
import type { ClientTransaction, UnitOfWork } from "#/store/db/database.ts";

/**
 * Records picked and short quantities of an order (lifecycle.md §1). A pick from another GOOD lot than the allocated
 * one swaps the allocations. A short quantity goes on hold until a count, and the line goes back to allocation for
 * other stock. The first pick takes the order.
 */
export async function reportPick(tx: UnitOfWork, facilityCode: string, body: PickReport): Promise<FulfilmentResult> {
  const { orderId } = body;
  tx.claim(orderClaim(orderId));
  const book = await openBook(tx, facilityCode, tx.change.at);
  const orderReservations = await listReservations(tx, "ORDER", [orderId]);
  const known = await readFacts(tx, book, orderReservations, body);
  // An exchange of lots changes other orders, and a short quantity changes the lot for all.
  if (known.balances.length > 0 || body.lines.some(({ qtyShort = 0 }) => qtyShort > 0)) tx.requireAlone();
  for (const { sku, serial } of known.places) tx.claim(serialClaim(sku, serial));
  const reservations = reservationBook([...orderReservations, ...known.others]);
  // The plan runs before the order locks, because it names the other orders to lock: all are locked in key order.
  const wants = wantsOf(orderReservations, known, facilityCode, body);
  const plan = wants.ok ? planPick({ ...known, orderId, reservations, at: book.at, body }, wants.value) : wants;
  const locked = await lockOrders(tx, [orderId, ...(plan.ok ? plan.value.swappedWith : [])]);
  const order = locked.find((candidate) => candidate.orderId === orderId);
  const refusal = refusalOfOrder(order, orderId, facilityCode);
  if (refusal || !order) return refused(refusal as Refusal);
  const forbidden = (await refusalOfPick(tx, order)) ?? refusalOfLines(order, facilityCode, body.lines);
  if (forbidden) return refused(forbidden);
  if (!wants.ok) return wants;
  if (!plan.ok) return plan;
  const { movements, shorts } = plan.value;

  writeReservations(tx, reservations.changed());
  postMovements(tx, book, tx.change.ids, movements);
  writeSerials(tx, book.at, ownedBy(orderId, known.places, wants.value));
  const picked = afterPick(order, tx.change.at, wants.value);
  const swapped = locked.filter((other) => other.orderId !== orderId);
  const events = await settleOrders(tx, [
    changeOf(order, picked),
    ...swapped.map(
      (other): OrderChange => ({ order: other, before: other, action: "swapLots", topics: ["order:updated"] }),
    ),
  ]);
  events.push(...(await shortPick(tx, book, { orderId, occurredAt: body.occurredAt, lots: shorts })));
  return ok({ answer: orderAnswer(picked), events });
}

interface Facts {
  readonly rules: ReadonlyMap<string, ItemRules>;
  /** The places of the serials in the report. */
  readonly places: readonly SerialPlace[];
  readonly balances: Awaited<ReturnType<typeof listBalances>>;
  /** Reservations of other owners on the named lots. */
  readonly others: readonly Reservation[];
  readonly today: string;
}

/**
 * The facts that check the report. Lots of other owners are read only if the report names lots that the lines do not
 * hold.
 */
async function readFacts(
  tx: ClientTransaction,
  book: Book,
  orderReservations: readonly Reservation[],
  body: PickReport,
): Promise<Facts> {
  const { facilityCode } = book;
  const skuOf = new Map(orderReservations.map(({ lineNumber, sku }) => [lineNumber, sku]));
  const serialsOf = new Map<string, string[]>();
  const swapped = new Set<string>();
  for (const line of body.lines) {
    const sku = skuOf.get(line.lineNumber);
    if (sku === undefined) continue;
    if (line.serials?.length) serialsOf.set(sku, [...(serialsOf.get(sku) ?? []), ...line.serials]);
    const { lot } = wantOf(line);
    const fitting = orderReservations.filter(
      (reservation) => reservation.lineNumber === line.lineNumber && lotFits(reservation, lot),
    );
    const held = fitting.reduce((sum, { allocated }) => sum + allocated, 0);
    // A serial's lot is known only after its lookup.
    if (line.serials?.length || held < quantityOf(line.qtyPicked) + quantityOf(line.qtyShort ?? 0)) swapped.add(sku);
  }
  const [rules, balances, facility, ...places] = await Promise.all([
    findItemRules(tx, [...skuOf.values()]),
    listBalances(tx, facilityCode, [...swapped]),
    swapped.size === 0 ? undefined : findFacility(tx.plain, facilityCode),
    ...[...serialsOf].map(([sku, serials]) => listSerials(tx, sku, serials)),
  ]);
  const lots = balances.filter(({ condition, allocated }) => condition === "GOOD" && allocated > 0);
  const holders = await listReservationsOfLots(tx, facilityCode, lots);
  return {
    rules,
    places: places.flat(),
    balances,
    others: holders.filter(({ ownerType, ownerId }) => ownerType !== "ORDER" || ownerId !== body.orderId),
    today: localDate(facility?.timezone ?? "UTC", Date.parse(book.at)),
  };
}

async function refusalOfPick(tx: ClientTransaction, order: Order): Promise<Refusal | undefined> {
  const refusal = refusalOfCancelled(order) ?? refusalOfHeld(order, "pick");
  if (refusal || order.takenAt !== undefined) return refusal;
  if (isReleasable(order, await findPolicy(tx))) return undefined;
  return conflict(`Order ${order.orderId} is ${order.status}: it is not released to the warehouse.`);
}

/** The wants of the report, line by line; for lines with serials, lot by lot. */
function wantsOf(
  orderReservations: readonly Reservation[],
  known: Facts,
  facilityCode: string,
  body: PickReport,
): Result<PickWant[], Refusal> {
  const wants: PickWant[] = [];
  const seen = new Set<string>();
  for (const [i, reported] of body.lines.entries()) {
    const name = `order ${body.orderId}, line ${reported.lineNumber}`;
    const line = orderReservations.find(({ lineNumber }) => lineNumber === reported.lineNumber);
    if (!line) return refused(conflict(`Of ${name}, no quantity is allocated.`));
    const want = { ...wantOf(reported), sku: line.sku };
    if (want.picked + want.short === 0) {
      return refused(unprocessable(`Of ${name}, neither a picked nor a short quantity is reported.`));
    }
    const rules = known.rules.get(line.sku);
    const faults = rules === undefined ? [] : faultsOfPicked(rules, want, reported);
    if (faults.length > 0) return refused(unprocessableFields(`Of ${name}`, `#/lines/${i}`, faults));
    if (want.serials.length === 0) {
      wants.push(want);
      continue;
    }
    const lots = new Map<string, PickWant>();
    for (const serial of want.serials) {
      const place = known.places.find((candidate) => candidate.sku === line.sku && candidate.serial === serial);
      const wrong =
        refusalOfSerial(place, want, facilityCode) ?? (seen.has(`${line.sku} ${serial}`) && "is present twice");
      if (!place || wrong) return refused(conflict(`Of ${name}: serial ${serial} of SKU ${line.sku} ${wrong}.`));
      seen.add(`${line.sku} ${serial}`);
      const { stockPool, batchRef, expiryDate } = place;
      const lot = { stockPool, batchRef, expiryDate };
      const before = lots.get(lotKey(place)) ?? { ...want, picked: 0, short: 0, lot, serials: [] };
      lots.set(lotKey(place), { ...before, picked: before.picked + 1000, serials: [...before.serials, serial] });
    }
    wants.push(...lots.values());
    if (want.short > 0) wants.push({ ...want, picked: 0, serials: [] });
  }
  return ok(wants);
}

function faultsOfPicked(
  rules: ItemRules,
  want: PickWant,
  reported: PickReportLine,
): { field: string; message: string }[] {
  const short = faultsOfLot({ ...rules, captureSerial: false }, want.short, { ...reported, serials: [] });
  const named = (faults: readonly LotFault[], qtyField: string) =>
    faults.map(({ field, message }) => ({ field: field === "qty" ? qtyField : field, message }));
  if (short.length > 0) return named(short, "qtyShort");
  const ofPicked = { ...rules, captureSerial: rules.captureSerial && want.picked > 0 };
  return named(faultsOfLot(ofPicked, want.picked, reported), "qtyPicked");
}

/** Why the unit is not a valid pick; the end of a sentence. */
function refusalOfSerial(place: SerialPlace | undefined, want: PickWant, facilityCode: string): string | undefined {
  if (place?.state !== "IN_STOCK" || place.facilityCode !== facilityCode) return "is not in stock there";
  if (place.condition !== "GOOD") return `is ${place.condition}`;
  if (place.ownerId !== undefined) return `is used by ${place.ownerId}`;
  return lotFits(place, want.lot) ? undefined : "is of another lot";
}

function ownedBy(orderId: string, places: readonly SerialPlace[], wants: readonly PickWant[]): SerialPlace[] {
  const picked = new Set(wants.flatMap(({ sku, serials }) => serials.map((serial) => `${sku} ${serial}`)));
  return places
    .filter(({ sku, serial }) => picked.has(`${sku} ${serial}`))
    .map((place) => ({ ...place, ownerType: "ORDER", ownerId: orderId }));
}

function afterPick(order: Order, at: string, wants: readonly PickWant[]): Order {
  return wants.reduce<Order>(
    (whole, { lineNumber, picked, short }) =>
      withLine(whole, lineNumber, (line) =>
        moved(moved(line, "allocated", "picked", picked), "allocated", "open", short),
      ),
    { ...order, takenAt: order.takenAt ?? at },
  );
}

function changeOf(before: Order, order: Order): OrderChange {
  const [was, is] = [totalsOf(before.lines), totalsOf(order.lines)];
  const codes: number[] = [];
  if (before.status !== "PICKING" && before.status !== "PACKED" && stateOf(order).state === "PICKING") codes.push(52);
  if (is.open > was.open) codes.push(58);
  // Other stock may cover the short quantity: allocation raises code 55 if nothing more can be picked.
  if (is.allocated + is.open === 0 && is.picked > 0) codes.push(55);
  return { order, before, action: "pick", milestones: codes.map((code) => ({ code })) };
}

export interface PickReport {
  readonly orderId: string;
  readonly lines: readonly PickReportLine[];
  /** ISO 8601 UTC; when it happened on the floor. */
  readonly occurredAt?: string | undefined;
  /** An operator lets a lot leave that expires before the item's MinShelfLifeDays. */
  readonly isForced?: boolean | undefined;
}

/** Quantities are JSON numbers in the stock unit. */
interface PickReportLine {
  readonly lineNumber: number;
  readonly qtyPicked: number;
  readonly qtyShort?: number | undefined;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

/** A line of the report as input of the plan; the caller sets the SKU from the order. */
function wantOf(line: PickReportLine): PickWant {
  const lot: Partial<Lot> = {
    ...(line.stockPool === undefined ? {} : { stockPool: line.stockPool }),
    ...(line.batchRef === undefined ? {} : { batchRef: line.batchRef }),
    ...(line.expiryDate === undefined ? {} : { expiryDate: line.expiryDate }),
  };
  return {
    lineNumber: line.lineNumber,
    sku: "",
    picked: quantityOf(line.qtyPicked),
    short: quantityOf(line.qtyShort ?? 0),
    lot,
    serials: line.serials ?? [],
  };
}
