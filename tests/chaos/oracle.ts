// The invariants that hold under any fault, as pure functions of the history; each returns the violations, under a
// name.
import type { Exchange, History, Push, SentMove, SentOrder, SentTransfer, Stored } from "./history.ts";

export interface Breach {
  readonly check:
    | "lost"
    | "doubled"
    | "halved"
    | "positions"
    | "order of pushes"
    | "deliveries"
    | "answers"
    | "deadline"
    | "liveness"
    | "recovery"
    | "unnoticed"
    | "unfinished"
    | "books";
  readonly text: string;
}

/** The maximum number of violations that are named: a defect causes hundreds of one kind. */
const namedMax = 5;

function breachesOf(check: Breach["check"], texts: readonly string[]): Breach[] {
  const named = texts.slice(0, namedMax).map((text) => ({ check, text }));
  const left = texts.length - named.length;
  return left > 0 ? [...named, { check, text: `and ${left} more like these` }] : named;
}

/** Must be called when no work is in progress any more. */
export function judgeHistory(history: History): Breach[] {
  return history.stored.flatMap((stored) => judgeClient(stored, history));
}

function judgeClient(stored: Stored, history: History): Breach[] {
  const { clientId } = stored;
  const ofClient = <T extends { readonly clientId: string }>(all: readonly T[]) =>
    all.filter((row) => row.clientId === clientId);
  return [
    ...faultsOfOrders(stored, ofClient(history.orders)),
    ...faultsOfReports(stored, history),
    ...faultsOfTransfers(stored, ofClient(history.transfers)),
    ...breachesOf("lost", faultsOfMoves(stored, ofClient(history.moves))),
    ...breachesOf("positions", faultsOfPositions(stored)),
    ...breachesOf("deliveries", faultsOfDeliveries(stored, ofClient(history.pushes))),
    ...breachesOf("order of pushes", faultsOfPushOrder(stored, ofClient(history.pushes))),
  ];
}

/** No acknowledged order is lost; each order has one document, one ACK, and one event for each step. */
function faultsOfOrders(
  { clientId, documents, orders, events, outbound }: Stored,
  sent: readonly SentOrder[],
): Breach[] {
  const lost: string[] = [];
  const doubled: string[] = [];
  const halved: string[] = [];
  const accepted = documents.filter(({ type, state }) => type === "NO" && state !== "REJECTED");
  const byToken = new Map(documents.map((document) => [document.token, document]));
  const byOrder = new Map(orders.map((order) => [order.orderId, order]));
  for (const { objectId, token, lines, pieces } of sent) {
    const name = `${clientId} ${objectId}`;
    if (token === undefined) continue;
    const document = byToken.get(token);
    const order = byOrder.get(objectId);
    if (document === undefined) lost.push(`${name} was acknowledged with ${token}, which is not there`);
    else if (document.state !== "PROCESSED") lost.push(`${name} was acknowledged and is ${document.state}`);
    if (order === undefined) lost.push(`${name} was acknowledged and there is no order`);
    else if (order.token !== token) doubled.push(`${name} was acknowledged with ${token}, and is of ${order.token}`);
    else if (order.lines !== lines || order.pieces !== pieces)
      halved.push(`${name} has ${order.lines} lines of ${lines}, ${order.pieces} pieces of ${pieces}`);
  }
  const once = (what: string, wanted: readonly string[], found: readonly string[]) => {
    const counts = countBy(found);
    for (const name of wanted) {
      const count = counts.get(name) ?? 0;
      if (count === 0) lost.push(`${clientId} ${name}: there is no ${what}`);
      if (count > 1) doubled.push(`${clientId} ${name}: ${what} is there ${count} times`);
      counts.delete(name);
    }
    for (const key of counts.keys()) doubled.push(`${clientId} ${key}: ${what} of what is not there`);
  };
  const ofTopic = (topic: string) => events.flatMap((event) => (event.topic === topic ? event.objectId : []));
  const tokens = documents.filter(({ state }) => state !== "REJECTED").map(({ token }) => token);
  once(
    "accepted document",
    orders.map(({ orderId }) => orderId),
    accepted.flatMap(({ objectId }) => objectId ?? []),
  );
  once(
    "order:received",
    orders.map(({ orderId }) => orderId),
    ofTopic("order:received"),
  );
  once("feed:accepted", tokens, ofTopic("feed:accepted"));
  once("feed:processed", tokens, ofTopic("feed:processed"));
  once(
    "outbound ACK",
    tokens,
    outbound.flatMap(({ type, token }) => (type === "ACK" && token !== null ? token : [])),
  );
  return [...breachesOf("lost", lost), ...breachesOf("doubled", doubled), ...breachesOf("halved", halved)];
}

/** Each answered report and REST request has exactly one effect. */
function faultsOfReports({ clientId, events, outbound, workOrderIds, transfers }: Stored, history: History): Breach[] {
  const lost: string[] = [];
  const doubled: string[] = [];
  const ofTopic = (name: string) => countBy(events.flatMap(({ topic, objectId }) => (topic === name ? objectId : [])));
  const despatched = ofTopic("order:despatched");
  // Of a split order, one facility may have despatched its lines.
  const begun = ofTopic("order:partiallyDespatched");
  for (const { kind, objectId, isAnswered, ...report } of history.reports) {
    if (report.clientId !== clientId || kind !== "despatch") continue;
    const count = despatched.get(objectId) ?? 0;
    if (isAnswered && count === 0 && !begun.has(objectId))
      lost.push(`${clientId} ${objectId} was despatched, and no event tells it`);
    if (count > 1) doubled.push(`${clientId} ${objectId}: ${count} events tell that it was despatched`);
  }
  const adjusted = history.reports.filter(
    ({ kind, isAnswered, ...report }) => kind === "adjustment" && isAnswered && report.clientId === clientId,
  ).length;
  const ofTransfers = new Set(transfers.map(({ transferId }) => transferId));
  const documents = outbound.filter(({ type, objectId }) => type === "ADJ" && !ofTransfers.has(objectId)).length;
  // The initial stock of the run accounts for one more document.
  if (documents < adjusted) lost.push(`${clientId}: ${adjusted} corrections were answered, ${documents} ADJ are there`);
  const made = countBy(workOrderIds);
  for (const { workOrderId, isAnswered, ...order } of history.workOrders) {
    if (order.clientId !== clientId || !isAnswered) continue;
    if (!made.has(workOrderId)) lost.push(`${clientId} ${workOrderId} was answered and is not there`);
  }
  return [...breachesOf("lost", lost), ...breachesOf("doubled", doubled)];
}

/** Each answered step of a transfer has one effect, on the goods that the report named. */
function faultsOfTransfers({ clientId, transfers, events, outbound }: Stored, sent: readonly SentTransfer[]): Breach[] {
  const lost: string[] = [];
  const doubled: string[] = [];
  const halved: string[] = [];
  const stored = new Map(transfers.map((transfer) => [transfer.transferId, transfer]));
  const left = countBy(events.flatMap(({ topic, objectId }) => (topic === "transfer:shipped" ? objectId : [])));
  const documents = countBy(outbound.flatMap(({ type, objectId }) => (type === "ADJ" ? objectId : [])));
  for (const { transferId, isAnswered, isCancelled = false, shipped, received } of sent) {
    const name = `${clientId} ${transferId}`;
    const found = stored.get(transferId);
    if (found === undefined) {
      if (isAnswered) lost.push(`${name} was answered and is not there`);
      continue;
    }
    if (isCancelled && found.status !== "CANCELLED") lost.push(`${name} was cancelled, and is ${found.status}`);
    if (shipped !== undefined && found.shipped !== shipped)
      halved.push(`${name} shipped ${found.shipped} of ${shipped}`);
    if (received !== undefined && found.received !== received)
      halved.push(`${name} received ${found.received} of ${received}`);
    for (const [what, count] of [
      ["transfer:shipped", left.get(transferId) ?? 0],
      ["ADJ", documents.get(transferId) ?? 0],
    ] as const) {
      if (shipped !== undefined && count === 0) lost.push(`${name} has shipped, and there is no ${what}`);
      if (count > 1) doubled.push(`${name}: ${what} is there ${count} times`);
    }
  }
  return [...breachesOf("lost", lost), ...breachesOf("doubled", doubled), ...breachesOf("halved", halved)];
}

/** An order is wholly in the facility to which it was moved. */
function faultsOfMoves({ clientId, orders }: Stored, moves: readonly SentMove[]): string[] {
  const facilitiesOf = new Map(orders.map(({ orderId, facilities }) => [orderId, facilities.join()]));
  return moves.flatMap(({ orderId, to }) => {
    const at = facilitiesOf.get(orderId);
    return at === to ? [] : `${clientId} ${orderId} was moved to ${to}, and is at ${at}`;
  });
}

/** Positions of events, and places in the list of outbound documents, run from 1 without a gap or duplicate. */
function faultsOfPositions({ clientId, events, outbound }: Stored): string[] {
  const runs = [
    ["event", events.map(({ position }) => position)],
    ["outbound document", outbound.map(({ position }) => position)],
  ] as const;
  return runs.flatMap(([what, positions]) =>
    positions
      .toSorted((a, b) => a - b)
      .flatMap((position, i, sorted) => {
        const expected = i === 0 ? 1 : (sorted[i - 1] as number) + 1;
        if (position === expected) return [];
        const fault = position < expected ? "is there twice" : `follows ${expected - 1}`;
        return `${clientId}: position ${position} of the ${what} ${fault}`;
      }),
  );
}

/** Each event has one delivery, which arrived; every arrived push is an event. */
function faultsOfDeliveries({ clientId, events, deliveries }: Stored, pushes: readonly Push[]): string[] {
  const faults: string[] = [];
  const counts = countBy(deliveries.map(({ eventId }) => eventId));
  const came = new Set(pushes.map(({ id }) => id));
  for (const { id, topic, objectId } of events) {
    const count = counts.get(id) ?? 0;
    if (count !== 1) faults.push(`${clientId} ${topic} ${objectId}: ${count} deliveries`);
    if (!came.has(id)) faults.push(`${clientId} ${topic} ${objectId} never came`);
    came.delete(id);
  }
  for (const { eventId, status } of deliveries) {
    if (status !== "DELIVERED") faults.push(`${clientId} ${eventId} is ${status}`);
  }
  for (const id of came) faults.push(`${clientId} ${id} came, and is not an event`);
  return faults;
}

/** The first arrivals of an object's events are in the order of their positions. */
function faultsOfPushOrder({ clientId, events }: Stored, pushes: readonly Push[]): string[] {
  const positions = new Map(events.map(({ id, position }) => [id, position]));
  const firsts = new Set<string>();
  const last = new Map<string, number>();
  const faults: string[] = [];
  for (const { id, objectId } of pushes) {
    if (firsts.has(id)) continue;
    firsts.add(id);
    const position = positions.get(id) ?? 0;
    const before = last.get(objectId) ?? 0;
    if (position < before) faults.push(`${clientId} ${objectId}: position ${position} came behind ${before}`);
    last.set(objectId, Math.max(position, before));
  }
  return faults;
}

/** The statuses that the program may return at any time, in addition to a request to retry. */
const usual = new Set([200, 201, 409]);

/** A period between two values of performance.now(). */
export interface Span {
  readonly beganMs: number;
  readonly endedMs: number;
}

/** A period of the run, and whether senders may lose their connection in it. */
export interface Phase extends Span {
  readonly fault: string;
  readonly breaksConnections: boolean;
  /** The program's clock differs from the clock that issued its tokens. */
  readonly breaksTokens: boolean;
}

/** A log-in, an upload, and a look-up of its ACK. */
const requestsOfFile = 3;

export function judgeAnswers(exchanges: readonly Exchange[], phases: readonly Phase[], deadlineMs: number): Breach[] {
  const answers: string[] = [];
  const late: string[] = [];
  const during = (from: number, to: number) =>
    phases.filter(({ beganMs, endedMs }) => from <= endedMs && to >= beganMs);
  for (const { kind, clientId, status, ms, stretch, beganMs, hasRetryAfter, text = "" } of exchanges) {
    const at = during(beganMs, beganMs + ms);
    const where = at.length === 0 ? "without a fault" : `during ${at.map(({ fault }) => fault).join(", ")}`;
    const name = `${clientId} ${kind} ${where}`;
    if (status === undefined) {
      if (!at.some((phase) => phase.breaksConnections)) answers.push(`${name}: no answer: ${text}`);
    } else if (status === 503) {
      if (!hasRetryAfter) answers.push(`${name}: 503 without Retry-After`);
    } else if (status === 401) {
      // A token with a wrong time is kept until a service refuses it.
      const isOfWrongTime = phases.some((phase) => phase.breaksTokens && phase.beganMs <= beganMs + ms);
      if (!isOfWrongTime) answers.push(`${name}: 401`);
    } else if (status === 404 && kind === "report") {
      // The order has been moved to another facility; a lost one is found by `faultsOfOrders`.
    } else if (!usual.has(status)) answers.push(`${name}: ${status} ${text}`);
    const allowedMs = deadlineMs * stretch * (kind === "file" ? requestsOfFile : 1);
    if (status !== undefined && kind !== "flood" && ms > allowedMs)
      late.push(`${name}: ${status} after ${Math.round(ms)} ms`);
  }
  return [...breachesOf("answers", answers), ...breachesOf("deadline", late)];
}

export interface Latency {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** The time from the ACK of an order to the push of its event; without a push, the waiting time so far. */
export function latencyOf(orders: readonly SentOrder[], nowMs: number): Latency {
  const waits = orders.flatMap(({ ackedAtMs, pushedAtMs }) =>
    ackedAtMs === undefined ? [] : Math.max(0, (pushedAtMs ?? nowMs) - ackedAtMs),
  );
  waits.sort((a, b) => a - b);
  const at = (share: number) => waits[Math.max(0, Math.ceil(waits.length * share) - 1)] ?? 0;
  return { count: waits.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

/** Orders of these clients that were acknowledged in the period. */
export function ordersOf(
  orders: readonly SentOrder[],
  clientIds: ReadonlySet<string>,
  { beganMs, endedMs }: Span,
): SentOrder[] {
  return orders.filter(
    ({ clientId, ackedAtMs }) =>
      clientIds.has(clientId) && ackedAtMs !== undefined && ackedAtMs >= beganMs && ackedAtMs <= endedMs,
  );
}

/**
 * The moment of the program's recovery from an ended fault. By then, every order of these clients that was acknowledged
 * during the fault is pushed, and for each client one order that was acknowledged since. Undefined before that moment.
 */
export function recoveredAt(
  orders: readonly SentOrder[],
  clientIds: ReadonlySet<string>,
  { beganMs, endedMs }: Span,
): number | undefined {
  let atMs = endedMs;
  for (const clientId of clientIds) {
    let firstMs = Number.POSITIVE_INFINITY;
    for (const order of orders) {
      if (order.clientId !== clientId || order.ackedAtMs === undefined || order.ackedAtMs < beganMs) continue;
      if (order.ackedAtMs < endedMs) {
        if (order.pushedAtMs === undefined) return undefined;
        atMs = Math.max(atMs, order.pushedAtMs);
      } else if (order.pushedAtMs !== undefined) {
        firstMs = Math.min(firstMs, Math.max(order.ackedAtMs, order.pushedAtMs));
      }
    }
    if (firstMs === Number.POSITIVE_INFINITY) return undefined;
    atMs = Math.max(atMs, firstMs);
  }
  return atMs;
}

/** Whether the push latency of the clients that the fault does not strike is within the bound. */
export function judgeLiveness(fault: string, calm: Latency, boundMs: number): Breach[] {
  if (calm.p99Ms <= boundMs) return [];
  const text = `during ${fault} clients that it does not strike waited ${Math.round(calm.p99Ms)} ms (p99) for a push, not ${Math.round(boundMs)} ms`;
  return [{ check: "liveness", text }];
}

export function judgeRecovery(fault: string, recoveryMs: number | undefined, boundMs: number): Breach[] {
  if (recoveryMs !== undefined && recoveryMs <= boundMs) return [];
  const took = recoveryMs === undefined ? "did not end" : `took ${Math.round(recoveryMs)} ms`;
  return [{ check: "recovery", text: `the recovery from ${fault} ${took}, with a bound of ${Math.round(boundMs)} ms` }];
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
