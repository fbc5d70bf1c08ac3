import type { Transaction, Tx } from "#/db/database.ts";
import { checkRevision } from "#/feeds/actions.ts";
import { type Batch, type Entry, effective } from "#/feeds/definition.ts";
import { type Duplicate, judgeDuplicates } from "#/feeds/duplicates.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { convertQuantities } from "#/modules/catalogue/index.ts";
import type { OrderContent, OrderMessage } from "#/modules/orders/check-order.ts";
import {
  bucketsOfCancelled,
  bucketsOfNew,
  deriveState,
  type OrderState,
  refusalOfChange,
} from "#/modules/orders/domain.ts";
import { type OrderFacts, orderEvent } from "#/modules/orders/events.ts";
import * as repository from "#/modules/orders/repository.ts";
import type { EventDraft } from "#/outbox/append.ts";

type OrderEntry = Entry<OrderMessage>;

const ofAction = (entries: readonly OrderEntry[], ...actions: readonly string[]) =>
  entries.filter(({ message }) => actions.includes(message.action));

const idsOf = (entries: readonly OrderEntry[]) => entries.map(({ message }) => message.orderId);

/** What the store says about the orders: unknown SKUs, duplicates, states and revisions. */
export async function judgeOrders(tx: Tx, batch: Batch<OrderMessage>): Promise<void> {
  const { client, entries } = batch;
  const news = ofAction(entries, "NEW");
  const changes = ofAction(entries, "UPDATE", "CANCEL");
  // Three look-ups that do not need each other go out together.
  await Promise.all([
    convertQuantities(tx, client.clientId, entries, ({ content }) => content?.lines ?? []),
    judgeNews(tx, batch, news),
    judgeChanges(tx, client.clientId, changes),
  ]);
}

async function judgeNews(tx: Tx, batch: Batch<OrderMessage>, news: readonly OrderEntry[]): Promise<void> {
  if (news.length === 0) return;
  const existing = await repository.findOrders(tx, batch.client.clientId, idsOf(news));
  if (existing.length === 0) return;
  const duplicates = existing.map(({ order_id, feed_token }): Duplicate => {
    const entry = news.find(({ message }) => message.orderId === order_id) as OrderEntry;
    return { entry, object: `Order ${order_id}`, originToken: feed_token };
  });
  await judgeDuplicates(tx, batch, duplicates, true);
}

async function judgeChanges(tx: Tx, clientId: string, changes: readonly OrderEntry[]): Promise<void> {
  if (changes.length === 0) return;
  const orders = new Map(
    (await repository.lockOrders(tx, clientId, idsOf(changes))).map((order) => [order.order_id, order]),
  );
  const buckets = await repository.listBuckets(tx, clientId, [...orders.keys()]);
  for (const { message, faults } of changes) {
    const { orderId, action, revision } = message;
    const order = orders.get(orderId);
    if (!order) {
      faults.push(finding("NOT_FOUND", `${action}: order ${orderId} is not known`));
      continue;
    }
    faults.push(...checkRevision(`Order ${orderId}`, revision, order.revision));
    const refusal = refusalOfChange(
      order.status,
      action as "UPDATE" | "CANCEL",
      buckets.filter((line) => line.orderId === orderId),
    );
    if (refusal !== undefined) faults.push(finding("STATE", `Order ${orderId}: ${refusal}`));
  }
}

export async function writeOrders(tx: Transaction, batch: Batch<OrderMessage>): Promise<readonly EventDraft[]> {
  const accepted = effective(batch);
  if (accepted.length === 0) return [];
  const news = ofAction(accepted, "NEW");
  const updates = ofAction(accepted, "UPDATE");
  const cancels = ofAction(accepted, "CANCEL");
  return [
    ...writeNews(tx, batch, news),
    ...(await writeUpdates(tx, batch, updates)),
    ...(await writeCancels(tx, batch, cancels)),
  ];
}

/**
 * An order without distributionCentre is routed: the first of the client's facilities that can fill all lines, else the
 * first. Which one can is not known before stock is kept, so it is the first.
 */
function toWrite(
  batch: Batch<OrderMessage>,
  { message, token, receivedAt }: OrderEntry,
  at: string,
): repository.OrderWrite {
  const content = message.content as OrderContent;
  const holds: repository.Hold[] = content.doNotShip
    ? [{ type: "DO_NOT_SHIP", reason: "doNotShip of the order", since: at, by: "feed" }]
    : [];
  return {
    orderId: message.orderId,
    token,
    receivedAt,
    status: deriveState(
      content.lines.map(({ qty }) => bucketsOfNew(qty)),
      holds.length > 0,
    ).state,
    distributionCentre: content.distributionCentre ?? (batch.client.facilities[0] as string),
    isRouted: content.distributionCentre === undefined,
    holds,
    revision: message.revision,
    content,
  };
}

function writeNews(tx: Transaction, batch: Batch<OrderMessage>, news: readonly OrderEntry[]): EventDraft[] {
  if (news.length === 0) return [];
  const { clientId } = batch.client;
  // Rows in key order, so that two transactions never lock crosswise.
  const orders = news
    .map((entry) => toWrite(batch, entry, batch.at))
    .sort((left, right) => (left.orderId < right.orderId ? -1 : 1));
  repository.insertOrders(tx, clientId, orders);
  repository.insertLines(tx, clientId, orders);
  return orders.flatMap((order) => [
    orderEvent("order:received", factsOf(order)),
    ...(order.holds.length > 0 ? [orderEvent("order:held", factsOf(order))] : []),
  ]);
}

async function writeUpdates(
  tx: Transaction,
  batch: Batch<OrderMessage>,
  updates: readonly OrderEntry[],
): Promise<EventDraft[]> {
  if (updates.length === 0) return [];
  const { clientId } = batch.client;
  const stored = new Map(
    (await repository.lockOrders(tx, clientId, idsOf(updates))).map((order) => [order.order_id, order]),
  );
  const orders = updates.map((entry) => {
    const before = stored.get(entry.message.orderId) as repository.StoredOrder;
    const order = toWrite(batch, entry, batch.at);
    const kept = before.holds.filter(({ type }) => type !== "DO_NOT_SHIP");
    const holds = [...kept, ...order.holds];
    const { lines, distributionCentre } = order.content;
    return {
      ...order,
      holds,
      // An order that was routed stays where it is until stock says otherwise.
      distributionCentre: distributionCentre ?? before.distribution_centre,
      status: deriveState(
        lines.map(({ qty }) => bucketsOfNew(qty)),
        holds.length > 0,
      ).state,
    };
  });
  repository.replaceOrders(tx, clientId, batch.at, orders);
  repository.deleteLines(tx, clientId, idsOf(updates));
  repository.insertLines(tx, clientId, orders);
  return orders.flatMap((order) => {
    const wasHeld = (stored.get(order.orderId)?.holds.length ?? 0) > 0;
    const isHeld = order.holds.length > 0;
    return [
      orderEvent("order:updated", factsOf(order)),
      ...(isHeld && !wasHeld ? [orderEvent("order:held", factsOf(order))] : []),
      ...(wasHeld && !isHeld ? [orderEvent("order:released", factsOf(order))] : []),
    ];
  });
}

async function writeCancels(
  tx: Transaction,
  batch: Batch<OrderMessage>,
  cancels: readonly OrderEntry[],
): Promise<EventDraft[]> {
  if (cancels.length === 0) return [];
  const { clientId } = batch.client;
  const stored = await repository.lockOrders(tx, clientId, idsOf(cancels));
  const buckets = await repository.listBuckets(tx, clientId, idsOf(cancels));
  const states = new Map(
    stored.map(({ order_id }) => {
      const left = buckets.filter(({ orderId }) => orderId === order_id).map(bucketsOfCancelled);
      return [order_id, deriveState(left, false).state];
    }),
  );
  repository.cancelOrders(
    tx,
    clientId,
    batch.at,
    cancels.map(({ message: { orderId, revision } }) => {
      const status = states.get(orderId) as OrderState;
      const reason = status === "CANCELLED" ? cancelReason : undefined;
      return { orderId, status, revision, reason };
    }),
  );
  return stored.map(({ order_id, external_order_reference, distribution_centre }) => {
    const status = states.get(order_id) as OrderState;
    // Of a partly despatched order the rest was cancelled: with that it has come to be despatched.
    return orderEvent(status === "CANCELLED" ? "order:cancelled" : "order:despatched", {
      orderId: order_id,
      externalOrderReference: external_order_reference ?? undefined,
      status,
      statusReason: status === "CANCELLED" ? cancelReason : undefined,
      distributionCentre: distribution_centre,
      lines: buckets
        .filter(({ orderId }) => orderId === order_id)
        .map((line) => ({ lineNumber: line.lineNumber, sku: line.sku, buckets: bucketsOfCancelled(line) })),
    });
  });
}

const cancelReason = "cancelled by the client's feed";

function factsOf({ orderId, status, distributionCentre, content }: repository.OrderWrite): OrderFacts {
  return {
    orderId,
    externalOrderReference: content.externalOrderReference,
    status,
    distributionCentre,
    lines: content.lines.map(({ lineNumber, sku, qty }) => ({ lineNumber, sku, buckets: bucketsOfNew(qty) })),
  };
}
