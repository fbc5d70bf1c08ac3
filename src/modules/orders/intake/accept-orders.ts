import { type Batch, defineFeed, type Entry, effective, type FeedClient } from "#/intake/feeds/intake/definition.ts";
import { type Duplicate, resolveDuplicates } from "#/intake/feeds/intake/duplicates.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { type CarrierSets, findCarrierConflicts, findUnknownMethods } from "#/modules/carriers/index.ts";
import { convertQuantities, readKits } from "#/modules/catalogue/index.ts";
import { recheckFacilities } from "#/modules/clients/index.ts";
import { wantExpected } from "#/modules/inventory/index.ts";
import {
  type AddressCheck,
  findingOfCheck,
  holdsOfCheck,
  prepareChecks,
  writeChecks,
} from "#/modules/orders/addresses/address-check.ts";
import { listHeaders } from "#/modules/orders/commands/change-repository.ts";
import { doNotShip } from "#/modules/orders/commands/hold-order.ts";
import { eventsOfParts, type OrderFacts, orderEvent, trackAndTrace } from "#/modules/orders/events.ts";
import { holdOfAddress } from "#/modules/orders/intake/check-address.ts";
import {
  checkOrder,
  faultOfNoFacility,
  type OrderContent,
  type OrderMessage,
} from "#/modules/orders/intake/check-order.ts";
import { orderRequestShape } from "#/modules/orders/intake/contract.ts";
import { cancelByFeed, isSame, updateByFeed, validateChanges } from "#/modules/orders/intake/feed-changes.ts";
import { createHoldRules, type HoldRules } from "#/modules/orders/intake/hold-rules.ts";
import { availabilityOf, holdUntilAvailable } from "#/modules/orders/intake/pre-order.ts";
import * as repository from "#/modules/orders/intake/repository.ts";
import { linesOfNew } from "#/modules/orders/kits.ts";
import { codesOfReceipt, insertMilestones } from "#/modules/orders/milestone-repository.ts";
import { bucketsOfNew, deriveState, holdUntilRelease, reasonOfHolds } from "#/modules/orders/order.ts";
import { insertDecisions } from "#/modules/orders/routing/decision-repository.ts";
import { despatchByOf } from "#/modules/orders/routing/despatch-by.ts";
import { createRouter, type Route, type Router } from "#/modules/orders/routing/router.ts";
import { type StatusFacts, statusFeedOf } from "#/modules/orders/status-feed.ts";
import type { Change } from "#/store/db/audit.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

type OrderEntry = Entry<OrderMessage>;

const ofAction = (entries: readonly OrderEntry[], ...actions: readonly string[]) =>
  entries.filter(({ message }) => actions.includes(message.action));

/** The input of the write of a batch: it inserts new orders without a read. */
interface OrderPlan {
  readonly router: Router;
  readonly rules: HoldRules;
  readonly checks: ReadonlyMap<string, AddressCheck>;
}

/** Validates the orders against the store: unknown SKUs and shippingMethods, duplicates, states and revisions. */
export async function validateOrders(
  tx: ClientTransaction,
  batch: Batch<OrderMessage>,
  sets: CarrierSets,
): Promise<OrderPlan> {
  const { client, entries } = batch;
  const view = tx.with(changeOf(batch));
  const news = ofAction(entries, "NEW");
  const changes = ofAction(entries, "UPDATE", "CANCEL");
  const contents = news.flatMap(({ message }) => message.content ?? []);
  const withContent = entries.filter(({ message }) => message.content !== undefined);
  // Independent look-ups are sent together. The first takes the lock under which the units are read.
  const [facilities, , , router, rules, checks] = await Promise.all([
    withContent.length === 0
      ? client.facilities
      : recheckFacilities(view, withContent, ({ content }) => content?.distributionCentre),
    convertQuantities(view, withContent, ({ content }) => content?.lines ?? []),
    validateNew(tx, batch, news),
    createRouter(tx, { client, sets, at: batch.at }, contents),
    createHoldRules(
      tx,
      client,
      entries.map(({ message }) => message),
    ),
    prepareChecks(
      tx,
      client.settings,
      withContent.map(({ message: { orderId, content } }) => ({ orderId, address: content?.shipToAddress })),
      batch.at,
    ),
    warnOfMethods(view, sets, entries),
  ]);
  for (const entry of entries) reportCheck(entry, checks);
  await readKits(view, withContent, ({ content }) => content?.lines ?? []);
  for (const entry of entries) warnOfInactive(entry);
  // The comparison of lines needs their converted quantities.
  await validateChanges(view, changes);
  const areOpen = client.facilities.every((code) => facilities.includes(code));
  // The look-up of free stock runs beside that of the items, so it does not know the components of kits.
  const isRouted = contents.some(hasKits);
  if (areOpen && !isRouted) return { router, rules, checks };
  if (facilities.length === 0) {
    for (const { message, faults } of news) {
      if (message.content && message.content.distributionCentre === undefined) faults.push(faultOfNoFacility(client));
    }
  }
  const others = { client: { ...client, facilities }, sets, at: batch.at };
  return { router: await createRouter(tx, others, contents), rules, checks };
}

function reportCheck({ message: { orderId }, faults, warnings }: OrderEntry, checks: OrderPlan["checks"]): void {
  const check = checks.get(orderId);
  const found = check && findingOfCheck(check);
  if (!found) return;
  const text = `Order ${orderId}: shipToAddress: ${found.message}`;
  (found.isFault ? faults : warnings).push(finding("ADDRESS", text));
}

const hasKits = ({ lines }: OrderContent) => lines.some(({ components }) => components !== undefined);

/** Warns the sender that a line waits, whatever the stock, until a CAT makes its item active. */
export function warnOfInactive({ message, warnings }: OrderEntry): void {
  for (const { sku, path, isInactive, components = [] } of message.content?.lines ?? []) {
    const inactive = components.filter((component) => component.isInactive).map((component) => component.sku);
    for (const waiting of isInactive ? [sku, ...inactive] : inactive) {
      const place = path.replace(/[^/]+$/, "sku");
      const what = waiting === sku ? `SKU ${sku}` : `SKU ${waiting}, a component of ${sku},`;
      const text = `${place}: ${what} is inactive (Active is false in its CAT); the line waits until a CAT makes it active`;
      warnings.push(finding("INACTIVE_SKU", text));
    }
  }
}

async function validateNew(tx: ClientTx, batch: Batch<OrderMessage>, news: readonly OrderEntry[]): Promise<void> {
  if (news.length === 0) return;
  const orderIds = news.map(({ message }) => message.orderId);
  const existing = await repository.findOrders(tx, orderIds);
  if (existing.length === 0) return;
  const duplicates = existing.map(({ order_id, feed_token }): Duplicate => {
    const entry = news.find(({ message }) => message.orderId === order_id) as OrderEntry;
    return { entry, object: `Order ${order_id}`, originToken: feed_token };
  });
  await resolveDuplicates(tx, batch, duplicates, true);
}

export async function writeOrders(
  tx: ClientTransaction,
  batch: Batch<OrderMessage>,
  plan: OrderPlan,
): Promise<readonly EventDraft[]> {
  const accepted = effective(batch);
  if (accepted.length === 0) return [];
  const unit = tx.with(changeOf(batch));
  // Books are opened before any order row is written.
  const drafts = [
    ...(await updateByFeed(unit, batch.client, ofAction(accepted, "UPDATE"), plan)),
    ...(await cancelByFeed(unit, ofAction(accepted, "CANCEL"))),
  ];
  writeChecks(
    unit,
    accepted.flatMap(({ message }) => plan.checks.get(message.orderId) ?? []),
  );
  return [...writeNews(unit, batch.client, plan, ofAction(accepted, "NEW")), ...drafts];
}

const changeOf = ({ at, ids }: Batch<OrderMessage>): Change => ({ actor: "feed", origin: "NO", at, ids });

function writeNews(tx: UnitOfWork, client: FeedClient, plan: OrderPlan, news: readonly OrderEntry[]): EventDraft[] {
  if (news.length === 0) return [];
  // Rows in key order, so that two transactions never deadlock.
  const orders = news
    .map((entry) => toWrite(client, plan, entry, tx.change.at))
    .sort((left, right) => (left.orderId < right.orderId ? -1 : 1));
  repository.insertOrders(tx, orders);
  repository.insertLines(tx, orders);
  repository.markSplits(
    tx,
    orders.filter(({ split }) => split !== undefined),
  );
  const { routingRule: rule } = client.settings;
  insertDecisions(
    tx,
    orders.flatMap(({ orderId, candidates }) =>
      candidates === undefined ? [] : { orderId, rule, movedFrom: null, candidates },
    ),
  );
  const held = orders.filter(({ holds }) => holds.length > 0);
  promisePreOrders(tx, held);
  const codes = held.flatMap(({ orderId }) => [...codesOfReceipt, heldCode].map((code) => ({ orderId, code })));
  insertMilestones(
    tx,
    codes.map((step) => ({
      ...step,
      milestoneId: tx.change.ids.next(Date.parse(tx.change.at)),
      at: tx.change.at,
      receivedAt: tx.change.at,
    })),
  );
  return orders.flatMap((order) => {
    const facts = factsOf(order);
    const received = orderEvent("order:received", facts);
    if (order.holds.length === 0) return [received, ...eventsOfParts(["order:received"], facts)];
    const held = { ...orderEvent("order:held", facts), outbound: statusFeedOf(facts, [], tx.change.at) };
    const trace = (code: number) => traceOf(order, code, tx.change.at);
    return [received, ...codesOfReceipt.map(trace), held, trace(heldCode)];
  });
}

/** Pre-orders wait without being back-ordered: the allocator promises them a day. */
function promisePreOrders(tx: UnitOfWork, held: readonly repository.OrderWrite[]): void {
  const waiting = held.filter(({ holds }) => holds.some(({ type }) => type === "PRE_ORDER"));
  for (const [facilityCode, orders] of Map.groupBy(waiting, (order) => order.distributionCentre)) {
    const lines = orders.flatMap(({ content }) => content.lines);
    const skus = lines.flatMap(({ sku, components = [] }) => [sku, ...components.map((part) => part.sku)]);
    wantExpected(tx, facilityCode, [...new Set(skus)]);
  }
}

/**
 * Order On Hold (lifecycle.md §9). It follows the codes of the receipt, which the allocation consumer raises for other
 * orders, off the feed's path.
 */
const heldCode = 30;

const traceOf = (order: repository.OrderWrite, code: number, at: string) =>
  trackAndTrace({
    orderId: order.orderId,
    facilityCode: order.distributionCentre,
    code,
    occurredAt: at,
    carrierCode: order.content.carrierCode,
  });

function toWrite(
  client: FeedClient,
  { router, rules, checks }: OrderPlan,
  { message, token, receivedAt }: OrderEntry,
  at: string,
): repository.OrderWrite {
  const content = message.content as OrderContent;
  const route = router(content);
  const verdict = rules(message, at);
  const ofAddress = holdOfAddress(content.addressFaults, at, "feed");
  const availability = availabilityOf(client, route.facilityCode, content.lines);
  const leavesFrom = [content.shipAfter ?? at, availability?.at ?? at].toSorted().at(-1);
  const holds = [
    content.doNotShip ? doNotShip(at) : undefined,
    ofAddress,
    ...holdsOfCheck(checks.get(message.orderId), at).filter(({ type }) => type !== ofAddress?.type),
    holdUntilRelease(content.shipAfter, at),
    holdUntilAvailable(availability, at),
    ...verdict.holds,
  ].filter((hold) => hold !== undefined);
  return {
    orderId: message.orderId,
    token,
    receivedAt,
    status: deriveState(
      content.lines.map(({ qty }) => bucketsOfNew(qty)),
      holds.length > 0,
    ).state,
    statusReason: reasonOfHolds(holds),
    customer: verdict.customer,
    distributionCentre: route.facilityCode,
    isRouted: content.distributionCentre === undefined,
    routedBy: route.by,
    candidates: route.candidates,
    split: splitOf(content, route),
    holds,
    availableAt: availability?.at,
    revision: message.revision,
    despatchBy: despatchByOf(client, route.facilityCode, { shipAfter: leavesFrom, shipBy: content.shipBy }, at),
    content,
  };
}

/** The lines that other facilities than that of the order fulfil. */
function splitOf({ lines }: OrderContent, { facilityCode, places }: Route): ReadonlyMap<number, string> | undefined {
  const parts = lines.map(({ lineNumber }, i) => [lineNumber, places?.[i] ?? facilityCode] as const);
  return places && new Map(parts.filter(([, code]) => code !== facilityCode));
}

function factsOf(order: repository.OrderWrite): OrderFacts & StatusFacts {
  const { orderId, status, statusReason, distributionCentre, split, holds, content } = order;
  const lines = content.lines.map((line) => ({ ...line, facilityCode: split?.get(line.lineNumber) }));
  return {
    orderId,
    externalOrderReference: content.externalOrderReference,
    status,
    statusReason,
    distributionCentre,
    holds,
    ...linesOfNew(split === undefined ? content.lines : lines),
  };
}

/**
 * Warns of the methods and carriers of a NEW, and of an UPDATE that changes them. It queries the carrier data for all
 * orders together, and reads orders only if an UPDATE has a warning.
 */
async function warnOfMethods(tx: ClientTx, sets: CarrierSets, entries: readonly Entry<OrderMessage>[]): Promise<void> {
  const wishes = entries.flatMap((entry) => {
    const { content } = entry.message;
    return content === undefined
      ? []
      : { entry, shippingMethod: content.shippingMethod, carrierCode: content.carrierCode };
  });
  const found = await findMethodWarnings(tx, sets, wishes);
  const faulty = wishes.flatMap((wish, i) => {
    const warnings = found[i] ?? [];
    return warnings.length === 0 ? [] : { ...wish, warnings };
  });
  const updates = faulty.flatMap(({ entry: { message } }) => (message.action === "UPDATE" ? message.orderId : []));
  const headers = updates.length === 0 ? [] : await listHeaders(tx, updates);
  const stored = new Map(headers.map((header) => [header.order_id, header]));
  for (const { entry, shippingMethod, carrierCode, warnings } of faulty) {
    const { action, orderId } = entry.message;
    const before = action === "UPDATE" ? stored.get(orderId) : undefined;
    if (before && isSame(before.shipping_method, shippingMethod) && isSame(before.carrier_code, carrierCode)) continue;
    entry.warnings.push(...warnings);
  }
}

/** The wishes of an order for the determination. */
interface MethodWish {
  readonly shippingMethod: string | undefined;
  readonly carrierCode: string | undefined;
}

/**
 * The warnings of each wish: a shippingMethod that the determination does not know, and a carrierCode whose services are
 * not what the method means. The carrier data are read once for all wishes.
 */
export async function findMethodWarnings(
  tx: ClientTx,
  sets: CarrierSets,
  wishes: readonly MethodWish[],
): Promise<Finding[][]> {
  const methods = wishes.flatMap(({ shippingMethod }) => shippingMethod ?? []);
  const [unknown, conflicts] = await Promise.all([
    findUnknownMethods(tx, sets, methods),
    findCarrierConflicts(tx, sets, wishes),
  ]);
  return wishes.map(({ shippingMethod: method = "" }, i) => {
    const name = method === "" ? "none" : `'${method}'`;
    const taken = unknown.get(method);
    const conflict = conflicts[i];
    const texts = [
      ...(taken === undefined
        ? []
        : [`${name} is not a mapped method, service level or service of the carrier data; ${taken} is taken`]),
      ...(conflict === undefined
        ? []
        : [
            `${name} means ${conflict.wanted}, and carrier ${conflict.carrierCode} has no such service: packing will find none and hold the order`,
          ]),
    ];
    return texts.map((text) => finding("SHIPPING_METHOD", `shippingMethod: ${text}`));
  });
}

/**
 * The definition of the NO feed for the receiver.
 * @param sets the carrier data that determine the known shippingMethods; one for each open database.
 */
export const createOrderFeed = (sets: CarrierSets) =>
  defineFeed({
    type: "NO",
    xsd: "NO.xsd",
    shape: orderRequestShape,
    clientIdOf: (raw) => raw.clientId,
    objectIdOf: (raw) => raw.orderId,
    check: checkOrder,
    keyOf: (order) => order.orderId,
    isWithdrawal: ({ action }) => action === "CANCEL",
    validate: (tx, batch) => validateOrders(tx, batch, sets),
    write: writeOrders,
  });
