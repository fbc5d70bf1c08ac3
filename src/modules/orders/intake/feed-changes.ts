import { checkRevision } from "#/intake/feeds/intake/checks.ts";
import type { Entry, FeedClient } from "#/intake/feeds/intake/definition.ts";
import { finding } from "#/kernel/feed-codes.ts";
import type { ExtendedAttributeName } from "#/kernel/values/extended-attributes.ts";
import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { type AddressCheck, holdsOfCheck } from "#/modules/orders/addresses/address-check.ts";
import { type Release, releaseStock } from "#/modules/orders/allocation/deallocation.ts";
import { cancelOrders, planCancel } from "#/modules/orders/commands/cancel-order.ts";
import {
  refusalOfHeaderChange,
  refusalOfLineChange,
  withKits,
  withQuantity,
} from "#/modules/orders/commands/change-order.ts";
import { listHeaders, type StoredHeader } from "#/modules/orders/commands/change-repository.ts";
import { doNotShip, withAddressValidated } from "#/modules/orders/commands/hold-order.ts";
import { isElsewhere } from "#/modules/orders/commands/move-order.ts";
import type { OrderContent, OrderLine as OrderLineContent, OrderMessage } from "#/modules/orders/intake/check-order.ts";
import { type HoldRules, withRuleHolds } from "#/modules/orders/intake/hold-rules.ts";
import { availabilityOf, holdUntilAvailable } from "#/modules/orders/intake/pre-order.ts";
import * as repository from "#/modules/orders/intake/repository.ts";
import { contentsOf, linesOfNew, rowsByKit, rowsOf, type ShownLine, shownLines } from "#/modules/orders/kits.ts";
import {
  type Hold,
  holdUntilRelease,
  isSplit,
  type Order,
  type OrderLine,
  refusalOfChange,
} from "#/modules/orders/order.ts";
import { findFacilities, lockOrders } from "#/modules/orders/order-repository.ts";
import { despatchByOf } from "#/modules/orders/routing/despatch-by.ts";
import { type OrderChange, settleOrders } from "#/modules/orders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

type OrderEntry = Entry<OrderMessage>;

/** The statusReason of an order that a document cancelled. */
export const cancelReason = "cancelled by the client's feed";

const idsOf = (entries: readonly OrderEntry[]) => entries.map(({ message }) => message.orderId);

/** Opens the books of the orders, then locks them. */
async function openOrders(tx: UnitOfWork, entries: readonly OrderEntry[]) {
  const facilities = await findFacilities(tx, idsOf(entries));
  const books = await openBooks(tx, [...facilities], tx.change.at);
  const orders = await lockOrders(tx, idsOf(entries));
  return { books, orders: new Map(orders.map((order) => [order.orderId, order])) };
}

/**
 * Checks the changes that an UPDATE or CANCEL requests. If one is no longer allowed, the whole document is refused, and
 * the faults name each field and line.
 */
export async function validateChanges(tx: UnitOfWork, entries: readonly OrderEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { orders } = await openOrders(tx, entries);
  const fixed = [...orders.values()].filter((order) => refusalOfHeaderChange(order) !== undefined);
  const headers =
    fixed.length === 0
      ? []
      : await listHeaders(
          tx,
          fixed.map(({ orderId }) => orderId),
        );
  for (const { message, faults } of entries) {
    const { orderId, action, revision, content } = message;
    const order = orders.get(orderId);
    if (!order) {
      faults.push(finding("NOT_FOUND", `${action}: order ${orderId} is not known`));
      continue;
    }
    faults.push(...checkRevision(`Order ${orderId}`, revision, order.revision ?? null));
    const header = headers.find(({ order_id }) => order_id === orderId);
    const refusals = content ? refusalsOfUpdate(order, content, header) : refusalsOfCancel(order, tx.change.at);
    faults.push(...refusals.map((refusal) => finding("STATE", `Order ${orderId}: ${refusal}`)));
  }
}

function refusalsOfCancel(order: Order, at: string): string[] {
  const refusal = refusalOfChange(order.status, "CANCEL", order.lines);
  if (refusal !== undefined) return [refusal];
  const plan = planCancel(order, { orderId: order.orderId, reason: cancelReason }, at);
  return plan.ok ? [] : [`CANCEL is not allowed in state ${order.status}: ${plan.fault.detail}`];
}

function refusalsOfUpdate(order: Order, content: OrderContent, header: StoredHeader | undefined): string[] {
  const refusal = refusalOfChange(order.status, "UPDATE", order.lines);
  if (refusal !== undefined) return [refusal];
  const cannot = `cannot be changed in state ${order.status}`;
  const ofHeader = refusalOfHeaderChange(order);
  const ofLines = refusalOfLineChange(order);
  return [
    ...(ofHeader === undefined || !header ? [] : changedFields(header, content)).map(
      (name) => `UPDATE: ${name} ${cannot}: ${ofHeader}`,
    ),
    ...(ofLines === undefined ? [] : changedLines(order, content)).map(
      (what) => `UPDATE: ${what} ${cannot}: ${ofLines}`,
    ),
  ];
}

function changedFields(header: StoredHeader, content: OrderContent): string[] {
  const attributesOf = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !attributesWithMeaning.has(name)));
  const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
    shipToAddress: [header.ship_to_address, content.shipToAddress],
    billToAddress: [header.bill_to_address, content.billToAddress],
    shippingMethod: [header.shipping_method, content.shippingMethod],
    carrierCode: [header.carrier_code, content.carrierCode],
    Priority: [header.priority, content.priority],
    extendedAttributes: [attributesOf(header.extended_attributes), attributesOf(content.extendedAttributes)],
  };
  return Object.entries(pairs).flatMap(([name, [stored, sent]]) => (isSame(stored, sent) ? [] : name));
}

function changedLines(order: Order, { distributionCentre, lines }: OrderContent): string[] {
  const sent = new Map(lines.map((line) => [line.lineNumber, line]));
  const stored = shownLines(order);
  const known = new Set(stored.map(({ lineNumber }) => lineNumber));
  const ofStored = stored.flatMap(({ lineNumber, sku, stockPool, buckets }) => {
    const line = sent.get(lineNumber);
    if (!line) return `line ${lineNumber} (left out)`;
    const fields = [
      ...(line.sku === sku ? [] : ["sku"]),
      ...(line.qty === buckets.ordered ? [] : ["qty"]),
      ...(line.stockPool === stockPool ? [] : ["stockPool"]),
    ];
    return fields.length === 0 ? [] : `line ${lineNumber} (${fields.join(", ")})`;
  });
  const added = lines.filter(({ lineNumber }) => !known.has(lineNumber)).map((line) => `line ${line.lineNumber} (new)`);
  const isMoved = distributionCentre !== undefined && isElsewhere(order, distributionCentre);
  return [...(isMoved ? ["distributionCentre"] : []), ...ofStored, ...added];
}

/**
 * Replaces the stored feed content of the orders. Unchanged lines keep their stock; changed lines go back to
 * allocation.
 */
export async function updateByFeed(
  tx: UnitOfWork,
  client: FeedClient,
  entries: readonly OrderEntry[],
  { rules, checks }: { readonly rules: HoldRules; readonly checks: ReadonlyMap<string, AddressCheck> },
): Promise<EventDraft[]> {
  if (entries.length === 0) return [];
  const { books, orders } = await openOrders(tx, entries);
  const updates = entries.map((entry) =>
    updateOf(
      client,
      entry,
      orders.get(entry.message.orderId) as Order,
      [...rules(entry.message, tx.change.at).holds, ...holdsOfCheck(checks.get(entry.message.orderId), tx.change.at)],
      tx.change.at,
    ),
  );
  await releaseStock(
    tx,
    books,
    updates.flatMap(({ releases }) => releases),
  );
  const writes = updates.map(({ write }) => write);
  repository.replaceOrders(tx, writes);
  repository.deleteLines(tx, idsOf(entries));
  repository.insertLines(tx, writes);
  repository.markSplits(
    tx,
    writes.filter(({ orderId }) => isSplit(orders.get(orderId) as Order)),
  );
  return settleOrders(
    tx,
    updates.map(({ settled }) => settled),
  );
}

function updateOf(
  client: FeedClient,
  { message, token }: OrderEntry,
  before: Order,
  ruleHolds: readonly Hold[],
  at: string,
) {
  const content = message.content as OrderContent;
  const validated = withAddressValidated(before, content.addressFaults, at, "feed");
  const areDatesNew = !isSame([before.shipAfter, before.shipBy], [content.shipAfter, content.shipBy]);
  const unchecked = { ...validated, holds: validated.holds.filter(({ type }) => type !== "ADDRESS_CHECK") };
  const kept = withRuleHolds(unchecked, ruleHolds).holds.filter(
    ({ type }) => type !== "DO_NOT_SHIP" && type !== "PRE_ORDER" && (type !== "SHIP_AFTER" || !areDatesNew),
  );
  const hold = before.holds.find(({ type }) => type === "DO_NOT_SHIP") ?? doNotShip(at);
  const untilRelease = areDatesNew ? holdUntilRelease(content.shipAfter, at) : undefined;
  // A routed order stays at its facilities.
  const distributionCentre = content.distributionCentre ?? before.distributionCentre;
  const availability = availabilityOf(client, distributionCentre, content.lines);
  const preOrder = holdUntilAvailable(availability, at);
  const same = before.holds.find(({ type, reason }) => type === "PRE_ORDER" && reason === preOrder?.reason);
  const holds = [
    ...kept,
    ...(content.doNotShip ? [hold] : []),
    ...(untilRelease ? [untilRelease] : []),
    ...(preOrder ? [same ?? preOrder] : []),
  ];
  const isMoved = content.distributionCentre !== undefined && isElsewhere(before, distributionCentre);
  const despatchBy = isMoved || areDatesNew ? despatchByOf(client, distributionCentre, content, at) : before.despatchBy;
  const known = new Map(shownLines(before).map((line) => [line.lineNumber, line]));
  const kitRows = rowsByKit(before.lines);
  const lines = content.lines.map((line) => lineAfter(line, kitRows, isMoved ? undefined : known.get(line.lineNumber)));
  const continued = new Set(lines.flatMap(({ isKept, content: { lineNumber } }) => (isKept ? lineNumber : [])));
  const releases: Release[] = [
    ...lines.flatMap(({ released }) => released),
    ...before.lines.flatMap(({ lineNumber, buckets }) =>
      continued.has(lineNumberOf(lineNumber)) ? [] : { lineNumber, qty: buckets.allocated },
    ),
  ].map((release) => ({ ...release, orderId: before.orderId }));
  const after = linesOfNew(lines.map((line) => line.content));
  const order: Order = {
    ...before,
    holds,
    distributionCentre,
    despatchBy,
    shipAfter: content.shipAfter,
    shipBy: content.shipBy,
    deliverBy: content.deliverBy,
    externalOrderReference: content.externalOrderReference,
    carrierCode: content.carrierCode,
    priority: content.priority,
    shipPartial: content.shipPartial,
    revision: message.revision ?? before.revision,
    kits: after.kits,
    lines: lines.flatMap(({ rows }) => rows).sort((left, right) => left.lineNumber - right.lineNumber),
  };
  const write: repository.OrderWrite = {
    orderId: before.orderId,
    token,
    receivedAt: before.receivedAt,
    status: before.status,
    distributionCentre,
    isRouted: content.distributionCentre === undefined,
    routedBy: content.distributionCentre === undefined ? before.routedBy : "NAMED",
    split: splitOf(order),
    holds,
    availableAt: availability?.at,
    revision: order.revision,
    despatchBy,
    content: { ...content, lines: lines.map((line) => line.content) },
  };
  const [wasHeld, isHeld] = [before.holds.length > 0, holds.length > 0];
  const settled: OrderChange = {
    order,
    before,
    action: "update",
    topics: [
      "order:updated",
      ...(isHeld && !wasHeld ? (["order:held"] as const) : []),
      ...(wasHeld && !isHeld ? (["order:released"] as const) : []),
    ],
  };
  return { write, settled, releases };
}

/** The facilities of the lines that another facility fulfils than that of the order. */
const splitOf = ({ lines }: Order): ReadonlyMap<number, string> =>
  new Map(lines.flatMap((line) => (line.facilityCode ? [[lineNumberOf(line.lineNumber), line.facilityCode]] : [])));

interface LineAfter {
  /** Of a stored line with what it consists of since its acceptance, whatever the catalogue says now. */
  readonly content: OrderLineContent;
  /** The stored line goes on. */
  readonly isKept: boolean;
  readonly rows: readonly OrderLine[];
  readonly released: readonly { readonly lineNumber: number; readonly qty: number }[];
}

/** The changed line with its rows, and the quantity that they release. */
function lineAfter(
  content: OrderLineContent,
  kitRows: ReturnType<typeof rowsByKit>,
  stored: ShownLine | undefined,
): LineAfter {
  const { lineNumber, sku, stockPool, qty } = content;
  if (!stored || stored.sku !== sku || stored.stockPool !== stockPool) {
    return { content, isKept: false, rows: linesOfNew([content]).lines, released: [] };
  }
  const kit = stored.components === undefined ? undefined : kitRows(lineNumber);
  const { components: _, ...plain } = content;
  const kept = kit ? { ...content, components: contentsOf(kit) } : plain;
  const rows = kit ? [kit.built, ...kit.components] : [stored];
  // Copies: the rows are deleted and inserted again, so their quantities must be written.
  if (qty === stored.buckets.ordered) {
    return { content: kept, isKept: true, rows: rows.map((row) => ({ ...row })), released: [] };
  }
  // The document states the whole quantity that is wanted now, so quantity that was cancelled before is dropped.
  const wanted = rows.map((row) => {
    const { ordered, cancelled } = row.buckets;
    return { ...row, buckets: { ...row.buckets, ordered: ordered - cancelled, cancelled: 0 } };
  });
  const before = stored.buckets.ordered - stored.buckets.cancelled;
  const changed = kit
    ? withKits(rowsOf(wanted, lineNumber), before, qty)
    : wanted.map((line) => withQuantity(line, qty));
  return {
    content: kept,
    isKept: true,
    rows: changed.map(({ line }) => line),
    released: changed.map(({ line, released }) => ({ lineNumber: line.lineNumber, qty: released })),
  };
}

export async function cancelByFeed(tx: UnitOfWork, entries: readonly OrderEntry[]): Promise<EventDraft[]> {
  if (entries.length === 0) return [];
  const facilities = await findFacilities(tx, idsOf(entries));
  const books = await openBooks(tx, [...facilities], tx.change.at);
  const requests = entries.map(({ message: { orderId, revision } }) => ({ orderId, revision, reason: cancelReason }));
  return (await cancelOrders(tx, books, requests)).drafts;
}

/** Attributes that describe the document, or that are compared through their own field. */
export const attributesWithMeaning: ReadonlySet<string> = new Set<ExtendedAttributeName>([
  "Revision",
  "Priority",
  "ShipPartial",
]);

/** True if two header values are equal, whatever the order of their fields. An absent field equals null. */
export function isSame(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return JSON.stringify(
    fields.sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, v]) => [name, canonical(v)]),
  );
}
