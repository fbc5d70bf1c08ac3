/** The conditions that a rule reports now: pure. Moments are Unix milliseconds. */
import type { RuleSettings } from "#/delivery/notifications/rule.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";

/** Something that is wrong now. */
export interface Condition {
  /** Of its cause: the same as long as it lasts. Several kinds of one receiver share a key. */
  readonly key: string;
  readonly kind: string;
  readonly isSevere: boolean;
  readonly clientId: string;
  readonly facilityCode: string | null;
  /** ISO 8601 UTC; null where the store does not know it: since the rule found it. */
  readonly since: string | null;
  readonly count: number;
  /** There may be more than `count`. */
  readonly isMore: boolean;
  readonly title: string;
  readonly summary: string;
  /** The list of the console behind it, below /console. */
  readonly path: string;
}

/** The conditions of a scope, the most severe of a key first. */
export interface Current {
  readonly conditions: readonly Condition[];
  /** Kinds of which not all rows were read: what was not found of them may still last. */
  readonly cutKinds: ReadonlySet<string>;
}

/** A condition of a rule as it is stored. */
export interface KnownCondition {
  readonly key: string;
  readonly kind: string;
  readonly since: string;
  readonly seenAt: string;
  readonly reportedAt: string | null;
  readonly endedAt: string | null;
}

export interface RoundPlan {
  readonly found: readonly Condition[];
  /** Keys of conditions that came back within an hour. */
  readonly back: readonly string[];
  readonly ended: readonly string[];
  readonly forgotten: readonly string[];
  /** The conditions of the message to write now; none: no message. */
  readonly report: readonly (Condition & { readonly since: string })[];
}

/** The minimum time between two messages of a rule that reports at once. */
export const gapMs = 5 * minuteMs;
/** A condition that comes back within this time is the same one. */
const sameWithinMs = hourMs;

/** @param lastMs when the rule's last message was written */
export function planRound(
  settings: RuleSettings,
  nowMs: number,
  current: Current,
  stored: readonly KnownCondition[],
  lastMs: number | undefined,
): RoundPlan {
  const wanted = new Map<string, Condition>();
  for (const condition of current.conditions) {
    if (isWanted(settings, condition) && !wanted.has(condition.key)) wanted.set(condition.key, condition);
  }
  const before = new Map(stored.map((known) => [known.key, known]));
  const gone = stored.filter(({ key, kind }) => !wanted.has(key) && !current.cutKinds.has(kind));
  const slotMs = slotOf(settings, nowMs, lastMs);
  const report = [...wanted.values()].flatMap((condition) => {
    const known = before.get(condition.key);
    const seenMs = known === undefined ? nowMs : Date.parse(known.seenAt);
    const dueMs = known?.reportedAt
      ? Date.parse(known.reportedAt) + (settings.remindHours ?? Infinity) * hourMs
      : seenMs;
    const since = condition.since ?? known?.since ?? new Date(nowMs).toISOString();
    return slotMs !== undefined && dueMs <= slotMs ? { ...condition, since } : [];
  });
  return {
    found: [...wanted.values()].filter(({ key }) => !before.has(key)),
    back: stored.filter(({ key, endedAt }) => endedAt !== null && wanted.has(key)).map(({ key }) => key),
    ended: gone.filter(({ reportedAt, endedAt }) => reportedAt !== null && endedAt === null).map(({ key }) => key),
    forgotten: gone
      .filter(
        ({ reportedAt, endedAt }) => reportedAt === null || (endedAt && Date.parse(endedAt) + sameWithinMs <= nowMs),
      )
      .map(({ key }) => key),
    report: report.toSorted((a, b) => Number(b.isSevere) - Number(a.isSevere) || (a.since < b.since ? -1 : 1)),
  };
}

function isWanted({ kinds, severity }: RuleSettings, { kind, isSevere }: Condition): boolean {
  return (kinds.length === 0 || kinds.includes(kind)) && (severity === "ANY" || isSevere);
}

/** The moment up to which conditions are reported now; undefined: no message now. */
function slotOf(settings: RuleSettings, nowMs: number, lastMs: number | undefined): number | undefined {
  const { schedule, dailyAt, quietFrom, quietUntil, timeZone } = settings;
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone);
  const clock = now.toPlainTime().toString().slice(0, 5);
  if (quietFrom !== null && quietUntil !== null && isWithin(clock, quietFrom, quietUntil)) return undefined;
  if (schedule === "AT_ONCE") return lastMs !== undefined && nowMs - lastMs < gapMs ? undefined : nowMs;
  if (schedule === "HOURLY") return now.round({ smallestUnit: "hour", roundingMode: "floor" }).epochMilliseconds;
  const today = now.toPlainDate();
  const at = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone, plainTime: dailyAt ?? "00:00" }).epochMilliseconds;
  const todayMs = at(today);
  return todayMs <= nowMs ? todayMs : at(today.subtract({ days: 1 }));
}

/** Texts `HH:MM`; a time from 22:00 until 06:00 spans midnight. */
const isWithin = (clock: string, from: string, until: string): boolean =>
  from <= until ? clock >= from && clock < until : clock >= from || clock < until;
