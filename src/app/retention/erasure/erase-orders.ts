import { blankedWord, blankFindings, blankJson, blankXml } from "#/app/retention/erasure/blank.ts";
import { eraseAtFacilities } from "#/app/retention/erasure/erase-at-facilities.ts";
import {
  type BlankedFeed,
  blankAnnotations,
  blankDecisions,
  blankExceptions,
  blankFeeds,
  blankOrders,
  blankReturns,
  blankTasks,
} from "#/app/retention/erasure/object-repository.ts";
import * as published from "#/app/retention/erasure/published-repository.ts";
import * as subjects from "#/app/retention/erasure/subject-repository.ts";
import { deleteViewsWith, exceptionTypes } from "#/console-api/index.ts";
import { blankRequests } from "#/http/request-log/repository.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { repeatKnownMs } from "#/store/db/answer-once.ts";
import { type Change, recordAudits } from "#/store/db/audit.ts";
import type { ClientTransaction, Database, UnitOfWork } from "#/store/db/database.ts";

/** Events are kept 90 days, plus the rest of their month. */
const eventsKeptMs = 122 * dayMs;
/** A response may be kept a day longer, until the next purge. */
const answersKeptMs = repeatKnownMs + dayMs;
/** An event id carries the time at which the event happened. The event is written within this window around it. */
const beforeMs = 1_000;
const afterMs = 10_000;
const answersPage = 500;

/** Counts of the objects that were blanked. */
export interface Erasure {
  readonly orders: number;
  readonly returns: number;
  readonly parcels: number;
  readonly feeds: number;
  readonly outbound: number;
  readonly events: number;
}

/**
 * Blanks the personal data of completed orders in every table: names, addresses, payloads and free text. Order numbers,
 * amounts, quantities and states stay, and so does the ledger. Data that is already blank is not touched, so the
 * function is idempotent.
 *
 * @param orderIds of one client; the caller locks them, or no one does.
 */
export async function eraseOrders(tx: UnitOfWork, orderIds: readonly string[]): Promise<Erasure> {
  const orders = await subjects.lockErased(tx, orderIds);
  const returns = await subjects.listReturnsOf(tx, orderIds);
  const rmaNumbers = returns.map(({ rma_number }) => rma_number);
  const olpnIds = await subjects.listParcelsOf(tx, orderIds);
  const feeds = await subjects.listFeedsOf(tx, { orderIds, rmaNumbers });
  // Documents that still wait for their SKUs or their outcome are kept whole. They are purged with the feeds, after
  // feedRetentionDays.
  const settled = feeds.filter(({ state }) => !isWaiting(state));
  const tokens = feeds.map(({ token }) => token);
  const objectIds = [...orderIds, ...rmaNumbers, ...olpnIds, ...tokens];
  const nowMs = Date.parse(tx.change.at);

  const remarks = await subjects.listRemarks(tx, { orderIds, rmaNumbers, olpnIds });
  const moments = [...remarks, ...feeds.map(({ token, received_at: at }) => ({ object_id: token, at }))];
  const events = await blankEvents(tx, orderIds, moments, nowMs);
  const failed = await published.listFailedEvents(tx, objectIds);
  published.replaceUnpublished(
    tx,
    failed.map((row) => ({ ...row, data: blankJson(row.data), outbound: blankJson(row.outbound) })),
  );
  const outbound = await published.listOutboundOf(tx, {
    objectIds: [...orderIds, ...rmaNumbers, ...olpnIds],
    tokens,
  });
  published.replaceOutbound(
    tx,
    outbound.flatMap(({ message_id, payload }) => {
      const text = payload.toString();
      const blanked = blankXml(text);
      return blanked === text ? [] : [{ message_id, payload: Buffer.from(blanked) }];
    }),
  );
  const deliveries = await published.blankAttempts(tx, objectIds);
  if (orders.some(({ updated_at }) => nowMs - Date.parse(updated_at) < answersKeptMs))
    await blankAnswers(tx, new Set(orderIds));

  blankFeeds(tx, settled.map(blankedFeed));
  blankOrders(tx, tx.change.at, orderIds);
  await blankDecisions(tx, orderIds);
  blankReturns(tx, { rmaNumbers, olpnIds });
  blankRequests(tx, objectIds);
  blankTasks(tx, { orderIds, rmaNumbers });
  blankExceptions(tx, objectIds, blankedWord);
  blankAnnotations(tx, { types: exceptionTypes, keys: [...objectIds, ...deliveries] });
  recordAudits(
    tx,
    orderIds.map((objectId) => ({ action: "erase", objectType: "order", objectId })),
  );
  return {
    orders: orders.length,
    returns: returns.length,
    parcels: olpnIds.length,
    feeds: settled.length,
    outbound: outbound.length,
    events,
  };
}

const isWaiting = (state: string) => state === "PARKED" || state === "ACCEPTED";

const blankedFeed = ({ token, ack, findings }: subjects.FeedOf): BlankedFeed => ({
  token,
  ack: Buffer.from(blankXml(ack.toString())),
  findings: blankFindings(findings),
});

/** Finds events of orders by index, and other events by the time at which they happened. */
async function blankEvents(
  tx: ClientTransaction,
  orderIds: readonly string[],
  moments: readonly { readonly object_id: string; readonly at: string }[],
  nowMs: number,
): Promise<number> {
  const sinceMs = nowMs - eventsKeptMs;
  const events = await published.listOrderEvents(tx, orderIds, idBoundary(sinceMs));
  for (const { object_id, at } of moments) {
    const atMs = Date.parse(at);
    if (atMs < sinceMs) continue;
    const around = { from: idBoundary(atMs - beforeMs), to: idBoundary(atMs + afterMs) };
    events.push(...(await published.listEventsAround(tx, object_id, around)));
  }
  const blanked = events
    .map(({ event_id, data }) => ({ event_id, before: data, data: blankJson(data) }))
    .filter(({ before, data }) => data !== before);
  published.replaceEvents(tx, blanked);
  return blanked.length;
}

async function blankAnswers(tx: ClientTransaction, orderIds: ReadonlySet<string>): Promise<void> {
  for (let after = ""; ; ) {
    const answers = await published.listAnswers(tx, after, answersPage);
    const orderAnswers = answers.filter(({ order_id }) => order_id !== null && orderIds.has(order_id));
    published.replaceAnswers(
      tx,
      orderAnswers.map((row) => ({ ...row, answer: blankJson(row.answer) })),
    );
    const last = answers.at(-1);
    if (last === undefined || answers.length < answersPage) return;
    after = last.idempotency_key;
  }
}

export interface ErasedOne extends Erasure {
  readonly orderId: string;
  /** The order was already blank. */
  readonly isRepeat: boolean;
}

/** The order, undefined where only documents are about it. Refuses, with the reason, while the data is still needed. */
export async function checkErasable(
  tx: ClientTransaction,
  orderId: string,
): Promise<Result<subjects.ErasedOrder | undefined, string>> {
  const [order] = await subjects.lockErased(tx, [orderId]);
  const returns = await subjects.listReturnsOf(tx, [orderId]);
  const feeds = await subjects.listFeedsOf(tx, { orderIds: [orderId], rmaNumbers: [] });
  if (!order && feeds.length === 0)
    return refused(`client ${tx.clientId} has no order ${orderId}, and no document about one`);
  if (order && !order.is_ended) {
    return refused(
      `order ${orderId} is ${order.status}: its address is needed until it has left or is cancelled; cancel it first`,
    );
  }
  const open = returns.find(({ is_open }) => is_open);
  if (open) return refused(`return ${open.rma_number} of order ${orderId} is ${open.status}: close or cancel it first`);
  const waiting = feeds.find(({ state }) => isWaiting(state));
  if (waiting) {
    return refused(`document ${waiting.token} about order ${orderId} is ${waiting.state}: its outcome is pending`);
  }
  // Events about a document carry its token, because a rejection reason quotes the document.
  const objectIds = [orderId, ...returns.map(({ rma_number }) => rma_number), ...feeds.map(({ token }) => token)];
  if (await published.hasPending(tx, objectIds)) {
    return refused(`an event of order ${orderId} is being published; run this again in a moment`);
  }
  return ok(order);
}

/** Erases one order on request. Refuses as `checkErasable` does. */
export async function eraseOrder(tx: UnitOfWork, orderId: string): Promise<Result<ErasedOne, string>> {
  const checked = await checkErasable(tx, orderId);
  if (!checked.ok) return checked;
  const erasure = await eraseOrders(tx, [orderId]);
  return ok({ orderId, isRepeat: checked.value?.erased_at != null, ...erasure });
}

export interface EraseDueContext {
  readonly database: Database;
  readonly change: Change;
  readonly clientId: string;
  /** ISO 8601 UTC; selects orders that ended before it. */
  readonly before: string;
  readonly ordersMax: number;
}

/** Orders per transaction. */
const batchSize = 50;

/** Blanks a client's orders that ended before a given time. Yields the number of orders after each batch. */
export async function* eraseDue(context: EraseDueContext): AsyncGenerator<number, void> {
  const { database, change, clientId, before, ordersMax } = context;
  const view = database.of(clientId);
  let done = 0;
  let last: subjects.ErasableOrder | undefined;
  while (done < ordersMax) {
    const due = await subjects.listErasable(view, before, last, Math.min(batchSize, ordersMax - done));
    if (due.length === 0) break;
    last = due.at(-1);
    const orderIds = due.map(({ order_id }) => order_id);
    // An open return still needs the order's data, so the order waits for it.
    const returns = await subjects.listReturnsOf(view, orderIds);
    const going = new Set(
      returns.flatMap((returnRow) => (returnRow.is_open && returnRow.updated_at >= before ? [returnRow.order_id] : [])),
    );
    const ended = orderIds.filter((orderId) => !going.has(orderId));
    if (ended.length > 0) {
      await deleteViewsWith(database, await subjects.listPersonTexts(view, ended));
      await eraseAtFacilities(database, clientId, ended, Date.parse(change.at));
      await database.transaction((tx) => eraseOrders(tx.of(clientId, change), ended), { lockTimeoutMs: 2_000 });
      done += ended.length;
    }
    yield ended.length;
  }
}
