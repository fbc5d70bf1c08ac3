import { checkRevision } from "#/intake/feeds/intake/checks.ts";
import type { Entry, FeedClient } from "#/intake/feeds/intake/definition.ts";
import { finding } from "#/kernel/feed-codes.ts";
import type { ExtendedAttributeName } from "#/kernel/values/extended-attributes.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { type Release, releaseStock } from "#/modules/orders/allocation/deallocation.ts";
import { cancelOrders, planCancel } from "#/modules/orders/commands/cancel-order.ts";
import { refusalOfHeaderChange, refusalOfLineChange, withQuantity } from "#/modules/orders/commands/change-order.ts";
import { listHeaders, type StoredHeader } from "#/modules/orders/commands/change-repository.ts";
import { doNotShip, withAddressValidated } from "#/modules/orders/commands/hold-order.ts";
import type { OrderContent, OrderLine as OrderLineContent, OrderMessage } from "#/modules/orders/intake/check-order.ts";
import { type HoldRules, withRuleHolds } from "#/modules/orders/intake/hold-rules.ts";
import * as repository from "#/modules/orders/intake/repository.ts";
import { despatchByOf } from "#/modules/orders/intake/routing.ts";
import { bucketsOfNew, type Hold, type Order, type OrderLine, refusalOfChange } from "#/modules/orders/order.ts";
import { findFacilities, lockOrders } from "#/modules/orders/order-repository.ts";
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
  const books = await openBooks(tx, [...facilities.values()], tx.change.at);
  const orders = await lockOrders(tx, [...facilities.keys()]);
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
  const known = new Set(order.lines.map(({ lineNumber }) => lineNumber));
  const ofStored = order.lines.flatMap(({ lineNumber, sku, stockPool, buckets }) => {
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
  const isMoved = distributionCentre !== undefined && distributionCentre !== order.distributionCentre;
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
  rules: HoldRules,
): Promise<EventDraft[]> {
  if (entries.length === 0) return [];
  const { books, orders } = await openOrders(tx, entries);
  const updates = entries.map((entry) =>
    updateOf(
      client,
      entry,
      orders.get(entry.message.orderId) as Order,
      rules(entry.message, tx.change.at).holds,
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
  const kept = withRuleHolds(validated, ruleHolds).holds.filter(({ type }) => type !== "DO_NOT_SHIP");
  const hold = before.holds.find(({ type }) => type === "DO_NOT_SHIP") ?? doNotShip(at);
  const holds = content.doNotShip ? [...kept, hold] : kept;
  // A routed order stays at its facility.
  const distributionCentre = content.distributionCentre ?? before.distributionCentre;
  const isMoved = distributionCentre !== before.distributionCentre;
  const despatchBy = isMoved ? despatchByOf(client, distributionCentre, at) : before.despatchBy;
  const known = new Map(before.lines.map((line) => [line.lineNumber, line]));
  const sent = new Set(content.lines.map(({ lineNumber }) => lineNumber));
  const lines = content.lines.map((line) => lineAfter(line, isMoved ? undefined : known.get(line.lineNumber)));
  const releases: Release[] = [
    ...lines.map(({ line, released }) => ({ lineNumber: line.lineNumber, qty: released })),
    ...before.lines.flatMap((line) => {
      const stays = sent.has(line.lineNumber) && lines.some(({ from }) => from === line);
      return stays ? [] : { lineNumber: line.lineNumber, qty: line.buckets.allocated };
    }),
  ].map((release) => ({ ...release, orderId: before.orderId }));
  const order: Order = {
    ...before,
    holds,
    distributionCentre,
    despatchBy,
    externalOrderReference: content.externalOrderReference,
    carrierCode: content.carrierCode,
    priority: content.priority,
    shipPartial: content.shipPartial,
    revision: message.revision ?? before.revision,
    lines: lines.map(({ line }) => line).sort((left, right) => left.lineNumber - right.lineNumber),
  };
  const write: repository.OrderWrite = {
    orderId: before.orderId,
    token,
    receivedAt: before.receivedAt,
    status: before.status,
    distributionCentre,
    isRouted: content.distributionCentre === undefined,
    routedBy: content.distributionCentre === undefined ? before.routedBy : "NAMED",
    holds,
    revision: order.revision,
    despatchBy,
    content,
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

/** The changed line, the quantity that it releases, and the stored line that it continues, if any. */
function lineAfter(content: OrderLineContent, stored: OrderLine | undefined) {
  const { lineNumber, sku, stockPool, uom, qty } = content;
  if (!stored || stored.sku !== sku || stored.stockPool !== stockPool) {
    const fresh = { lineNumber, sku, stockPool, uom, buckets: bucketsOfNew(qty) };
    const line: OrderLine = { ...fresh, delivered: 0, returned: 0, cancelRequested: 0 };
    return { line, released: 0, from: undefined };
  }
  // A copy: the row is deleted and inserted again, so its quantities must be written.
  if (qty === stored.buckets.ordered) return { line: { ...stored }, released: 0, from: stored };
  // The document states the whole quantity that is wanted now, so quantity that was cancelled before is dropped.
  const { ordered, cancelled } = stored.buckets;
  const wanted = { ...stored, buckets: { ...stored.buckets, ordered: ordered - cancelled, cancelled: 0 } };
  return { ...withQuantity(wanted, qty), from: stored };
}

export async function cancelByFeed(tx: UnitOfWork, entries: readonly OrderEntry[]): Promise<EventDraft[]> {
  if (entries.length === 0) return [];
  const facilities = await findFacilities(tx, idsOf(entries));
  const books = await openBooks(tx, [...facilities.values()], tx.change.at);
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
