// Invariants after a storm, checked with the receiver's record and the log of deliveries and attempts (webhooks.md §2).
// Each check returns its faults as text.
import type { StormAnswer, StormRequest } from "../load/storm-receiver.ts";

export interface LoggedDelivery {
  readonly delivery_id: string;
  readonly path: string;
  /** The value of `webhook-id`. */
  readonly event_name: string;
  readonly object_id: string;
  readonly sequence: number;
  readonly status: string;
  readonly attempts: number;
}

export interface LoggedAttempt {
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

/** Receiver and sender are on one machine, so their times differ only by the time of reading the clock. */
const slackMs = 50;

const isDelivered = ({ answer }: StormRequest) => answer === "ok" || answer === "slow";

export function groupBy<T>(all: readonly T[], nameOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of all) {
    const name = nameOf(entry);
    const group = groups.get(name);
    if (group) group.push(entry);
    else groups.set(name, [entry]);
  }
  return groups;
}

/**
 * The first delivery of an event never precedes the delivery of an earlier event of its object, and none is missing.
 */
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

/** Every attempt has the same id, bytes and `crossdock-sequence`, and the sequence has no gap. */
export function faultsOfRepetition(requests: readonly StormRequest[]): Faults {
  const faults: Faults = [];
  for (const [name, all] of groupBy(requests, ({ path, objectId, sequence }) => `${path} ${objectId} ${sequence}`)) {
    const [first] = all as [StormRequest];
    if (first.sent !== first.sequence) faults.push(`${name}: crossdock-sequence is ${first.sent}`);
    for (const request of all) {
      if (request.id !== first.id || request.sent !== first.sent) faults.push(`${name}: it came under another name`);
      if (!request.body.equals(first.body)) faults.push(`${name}: it came with other bytes`);
    }
  }
  return faults;
}

/**
 * Compares the log with the receiver's record. Each request has its own attempt. Each attempt that ended with a
 * response or a broken connection has a request with that outcome during the attempt. An attempt without a recorded end
 * has at most one request.
 */
export function faultsOfLog(
  requests: readonly StormRequest[],
  deliveries: readonly LoggedDelivery[],
  attempts: readonly LoggedAttempt[],
): Faults {
  const faults: Faults = [];
  const requestsOf = groupBy(requests, ({ path, id }) => `${path} ${id}`);
  const attemptsOf = groupBy(attempts, ({ delivery_id }) => delivery_id);
  for (const delivery of deliveries) {
    const name = `${delivery.path} ${delivery.event_name}`;
    const came = requestsOf.get(name) ?? [];
    requestsOf.delete(name);
    const logged = attemptsOf.get(delivery.delivery_id) ?? [];
    if (delivery.status !== "DELIVERED") faults.push(`${name}: ${delivery.status}`);
    const counted = logged.filter(({ is_probe }) => !is_probe).length;
    if (delivery.attempts !== counted)
      faults.push(`${name}: counts ${delivery.attempts} attempts, ${counted} are logged`);
    const unmatched = matchEnded(name, [...came], logged, faults);
    matchUnknown(name, unmatched, logged, faults);
  }
  for (const name of requestsOf.keys()) faults.push(`${name}: came, and is not a delivery`);
  return faults;
}

/** @returns requests without an attempt that has a recorded end. */
function matchEnded(
  name: string,
  left: StormRequest[],
  attempts: readonly LoggedAttempt[],
  faults: Faults,
): StormRequest[] {
  for (const attempt of attempts) {
    if (attempt.state === "UNKNOWN") continue;
    const endedMs = attempt.ended_ms ?? Number.NaN;
    const at = left.findIndex(
      ({ atMs, answer }) =>
        atMs >= attempt.started_ms - slackMs &&
        atMs <= endedMs + slackMs &&
        isLoggedAs(answer, attempt.status, attempt.error_class),
    );
    if (at < 0) faults.push(`${name}: ${JSON.stringify(attempt)} is logged, and was not seen`);
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
  attempts: readonly LoggedAttempt[],
  faults: Faults,
): void {
  const begun = attempts.filter(({ state }) => state === "UNKNOWN").map(({ started_ms }) => started_ms);
  // From the last request backwards: each matches the last attempt that had begun by then. Attempts that began later
  // were never sent.
  for (const { atMs, answer } of requests.toReversed()) {
    let startedMs = begun.pop();
    while (startedMs !== undefined && startedMs - slackMs > atMs) startedMs = begun.pop();
    if (startedMs === undefined) faults.push(`${name}: a request answered ${answer} has no try`);
  }
}

/** Attempts of one delivery follow the retry schedule, and a webhook has at most four concurrent requests. */
export function faultsOfPace(attempts: readonly LoggedAttempt[], scheduleSeconds: readonly number[]): Faults {
  const faults: Faults = [];
  for (const [deliveryId, all] of groupBy(attempts, ({ delivery_id }) => delivery_id)) {
    let counted = 0;
    all.forEach((attempt, i) => {
      counted += attempt.is_probe ? 0 : 1;
      const next = all[i + 1];
      if (!next) return;
      const { ended_ms: endedMs } = attempt;
      if (endedMs === null || endedMs > next.started_ms + slackMs) faults.push(`${deliveryId}: two tries at once`);
      if (attempt.state !== "ENDED" || endedMs === null) return;
      const usualMs = (scheduleSeconds[Math.max(1, counted) - 1] ?? 0) * 1_000;
      const delayMs = attempt.status === 429 ? Math.max(usualMs, 1_000) : usualMs;
      if (next.started_ms < endedMs + delayMs - slackMs)
        faults.push(`${deliveryId}: tried again after ${next.started_ms - endedMs} ms, not ${delayMs}`);
    });
  }
  for (const [path, all] of groupBy(attempts, (attempt) => attempt.path)) {
    const together = mostTogether(all.filter(({ state }) => state === "ENDED"));
    if (together > 4) faults.push(`${path}: ${together} requests at once`);
  }
  return faults;
}

function mostTogether(attempts: readonly LoggedAttempt[]): number {
  const steps = attempts.flatMap(({ started_ms, ended_ms }) => [
    { atMs: started_ms, by: 1 },
    { atMs: ended_ms ?? started_ms, by: -1 },
  ]);
  // If one ends and another begins in the same millisecond, the end counts first.
  steps.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let now = 0;
  return steps.reduce((most, { by }) => {
    now += by;
    return Math.max(most, now);
  }, 0);
}
