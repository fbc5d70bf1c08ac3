// What must be so after a storm, from what the receiver saw and from the log of deliveries and tries (webhooks.md §2).
// Each check answers its faults in words.
import type { StormAnswer, StormRequest } from "../load/storm-receiver.ts";

export interface LoggedDelivery {
  readonly delivery_id: string;
  readonly path: string;
  /** As `webhook-id` has it. */
  readonly event_name: string;
  readonly object_id: string;
  readonly sequence: number;
  readonly status: string;
  readonly tries: number;
}

export interface LoggedTry {
  readonly delivery_id: string;
  readonly path: string;
  readonly state: string;
  readonly is_probe: boolean;
  readonly status: number | null;
  readonly error_class: string | null;
  /** Unix milliseconds. */
  readonly started_ms: number;
  readonly ended_ms: number | null;
}

type Faults = string[];

/** The receiver and the sender are on one machine: their clocks differ by what it takes to look at them. */
const slackMs = 50;

const isDelivered = ({ answer }: StormRequest) => answer === "ok" || answer === "slow";

export function groupBy<T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

/** An event never comes for the first time before an earlier one of its object was delivered; and none is left out. */
export function faultsOfOrder(requests: readonly StormRequest[], eventsOfEach: number): Faults {
  const faults: Faults = [];
  for (const [name, all] of groupBy(requests, ({ path, objectId }) => `${path} ${objectId}`)) {
    const deliveredAt = new Map<number, number>([[0, 0]]);
    const come = new Set<number>();
    for (const request of all) {
      const { sequence, atMs, answeredAtMs } = request;
      const isFirst = !come.has(sequence);
      const before = deliveredAt.get(sequence - 1);
      if (isFirst && (before === undefined || before > atMs))
        faults.push(`${name}: ${sequence} before ${sequence - 1}`);
      come.add(sequence);
      if (isDelivered(request) && !deliveredAt.has(sequence)) deliveredAt.set(sequence, answeredAtMs);
    }
    if (deliveredAt.size !== eventsOfEach + 1) faults.push(`${name}: ${deliveredAt.size - 1} delivered`);
  }
  return faults;
}

/** The same id, the same bytes and the same `crossdock-sequence` on every try; and the sequence counts without a hole. */
export function faultsOfRepetition(requests: readonly StormRequest[]): Faults {
  const faults: Faults = [];
  for (const [name, all] of groupBy(requests, ({ path, objectId, sequence }) => `${path} ${objectId} ${sequence}`)) {
    const [first] = all as [StormRequest];
    if (first.sent !== first.sequence) faults.push(`${name}: crossdock-sequence is ${first.sent}`);
    for (const one of all) {
      if (one.id !== first.id || one.sent !== first.sent) faults.push(`${name}: it came under another name`);
      if (!one.body.equals(first.body)) faults.push(`${name}: it came with other bytes`);
    }
  }
  return faults;
}

/**
 * The log is what the receiver saw: each request has a try of its own, each try that ended with an answer, or with a broken
 * connection, has the request that was answered so, while it went on; what nobody saw the end of has one request or none.
 */
export function faultsOfLog(
  requests: readonly StormRequest[],
  deliveries: readonly LoggedDelivery[],
  tries: readonly LoggedTry[],
): Faults {
  const faults: Faults = [];
  const requestsOf = groupBy(requests, ({ path, id }) => `${path} ${id}`);
  const triesOf = groupBy(tries, ({ delivery_id }) => delivery_id);
  for (const delivery of deliveries) {
    const name = `${delivery.path} ${delivery.event_name}`;
    const came = requestsOf.get(name) ?? [];
    requestsOf.delete(name);
    const logged = triesOf.get(delivery.delivery_id) ?? [];
    if (delivery.status !== "DELIVERED") faults.push(`${name}: ${delivery.status}`);
    const counted = logged.filter(({ is_probe }) => !is_probe).length;
    if (delivery.tries !== counted) faults.push(`${name}: counts ${delivery.tries} tries, ${counted} are logged`);
    const unmatched = matchEnded(name, [...came], logged, faults);
    matchUnknown(name, unmatched, logged, faults);
  }
  for (const name of requestsOf.keys()) faults.push(`${name}: came, and is no delivery`);
  return faults;
}

/** @returns requests that are no try's whose end was seen. */
function matchEnded(name: string, left: StormRequest[], tries: readonly LoggedTry[], faults: Faults): StormRequest[] {
  for (const one of tries) {
    if (one.state === "UNKNOWN") continue;
    const endedMs = one.ended_ms ?? Number.NaN;
    const at = left.findIndex(
      ({ atMs, answer }) =>
        atMs >= one.started_ms - slackMs &&
        atMs <= endedMs + slackMs &&
        isLoggedAs(answer, one.status, one.error_class),
    );
    if (at < 0) faults.push(`${name}: ${JSON.stringify(one)} is logged, and was not seen`);
    else left.splice(at, 1);
  }
  return left;
}

function isLoggedAs(answer: StormAnswer, status: number | null, errorClass: string | null): boolean {
  switch (answer) {
    case "ok":
    case "slow":
      return status === 200 && errorClass === null;
    case "500":
    case "429":
      return status === Number(answer) && errorClass === "status";
    case "reset":
      return status === null && errorClass === "reset";
    case "cut":
      return (status === 200 || status === null) && errorClass === "reset";
    case "hang":
      return status === null && errorClass === "timeout";
  }
}

function matchUnknown(
  name: string,
  requests: readonly StormRequest[],
  tries: readonly LoggedTry[],
  faults: Faults,
): void {
  const begun = tries.filter(({ state }) => state === "UNKNOWN").map(({ started_ms }) => started_ms);
  // From the last request back: each takes the last try that had begun by then, and those begun later were never sent.
  for (const { atMs, answer } of requests.toReversed()) {
    let startedMs = begun.pop();
    while (startedMs !== undefined && startedMs - slackMs > atMs) startedMs = begun.pop();
    if (startedMs === undefined) faults.push(`${name}: a request answered ${answer} has no try`);
  }
}

/** Tries of one delivery follow each other as the schedule says; and at most four requests go on at once for a webhook. */
export function faultsOfPace(tries: readonly LoggedTry[], scheduleSeconds: readonly number[]): Faults {
  const faults: Faults = [];
  for (const [deliveryId, all] of groupBy(tries, ({ delivery_id }) => delivery_id)) {
    let counted = 0;
    all.forEach((one, i) => {
      counted += one.is_probe ? 0 : 1;
      const next = all[i + 1];
      if (!next) return;
      const { ended_ms: endedMs } = one;
      if (endedMs === null || endedMs > next.started_ms + slackMs) faults.push(`${deliveryId}: two tries at once`);
      if (one.state !== "ENDED" || endedMs === null) return;
      const usualMs = (scheduleSeconds[Math.max(1, counted) - 1] ?? 0) * 1_000;
      const delayMs = one.status === 429 ? Math.max(usualMs, 1_000) : usualMs;
      if (next.started_ms < endedMs + delayMs - slackMs)
        faults.push(`${deliveryId}: tried again after ${next.started_ms - endedMs} ms, not ${delayMs}`);
    });
  }
  for (const [path, all] of groupBy(tries, (one) => one.path)) {
    const together = mostTogether(all.filter(({ state }) => state === "ENDED"));
    if (together > 4) faults.push(`${path}: ${together} requests at once`);
  }
  return faults;
}

function mostTogether(tries: readonly LoggedTry[]): number {
  const steps = tries.flatMap(({ started_ms, ended_ms }) => [
    { atMs: started_ms, by: 1 },
    { atMs: ended_ms ?? started_ms, by: -1 },
  ]);
  // Where one ends and another begins in the same millisecond, the end is first.
  steps.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let now = 0;
  return steps.reduce((most, { by }) => {
    now += by;
    return Math.max(most, now);
  }, 0);
}
