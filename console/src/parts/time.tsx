import { useSyncExternalStore } from "react";
import { useTimezone } from "../directory.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../durations.ts";
import { chosenZone, dateFormat, machineZone } from "../time-display.ts";
import { useTimeDisplay } from "../use-time-display.ts";

interface TimeProps {
  /** ISO 8601; null or undefined is shown as a dash. */
  readonly at: string | null | undefined;
  /** IANA name, unless the user has chosen one; default: the zone of `facility`, or of the facility in the top bar. */
  readonly timezone?: string | undefined;
  readonly facility?: string | undefined;
  /** Shows the time itself, to the minute, instead of its age. */
  readonly isExact?: boolean;
}

/** A time as its age, or to the minute; the tooltip shows the exact time. */
export function Time({ at, timezone, facility, isExact = false }: TimeProps) {
  const zone = useTimezone(facility);
  const chosen = chosenZone(useTimeDisplay());
  const now = useNow();
  if (!at) return <span>–</span>;
  const shownZone = chosen ?? timezone ?? zone;
  const exact = exactTime(at, shownZone);
  const age = relativeTime(at, now);
  return (
    <time dateTime={at} title={isExact ? `${exact}, ${age}` : exact}>
      {isExact ? dateFormat(shownZone, "zoned").format(new Date(at)) : age}
    </time>
  );
}

interface AgeProps {
  /** ISO 8601; null or undefined is shown as a dash. */
  readonly since: string | null | undefined;
  readonly until?: string | null | undefined;
}

/** The duration of a state: "2 h 10 min". */
export function Age({ since, until }: AgeProps) {
  const zone = useTimezone();
  const now = useNow();
  if (!since) return <span>–</span>;
  return (
    <span title={`since ${exactTime(since, zone)}`}>
      {duration(Math.max(0, (until ? Date.parse(until) : now) - Date.parse(since)))}
    </span>
  );
}

/** `20 Nov 2026, 15:40:12 GMT`, or as the user has chosen. */
export const exactTime = (at: string, timezone: string): string => dateFormat(timezone, "seconds").format(new Date(at));

/** "just now", "12 min ago", "in 2 h", "3 d ago"; after a month, the date. */
export function relativeTime(at: string, now: number): string {
  const ms = now - Date.parse(at);
  const size = Math.abs(ms);
  if (size < 10 * secondMs) return "just now";
  if (size >= 30 * dayMs) return dateFormat(machineZone(), "day").format(new Date(at));
  const text =
    size < minuteMs
      ? `${Math.floor(size / secondMs)} s`
      : size < hourMs
        ? `${Math.floor(size / minuteMs)} min`
        : size < dayMs
          ? `${Math.floor(size / hourMs)} h`
          : `${Math.floor(size / dayMs)} d`;
  return ms < 0 ? `in ${text}` : `${text} ago`;
}

/**
 * At most two units: "45 s", "12 min", "2 h 10 min", "3 d 4 h".
 * @param ms milliseconds; a negative duration has a minus
 */
export function duration(ms: number): string {
  const size = Math.abs(ms);
  const sign = ms < 0 ? "−" : "";
  const pair = (unitMs: number, unit: string, smallMs: number, small: string) => {
    const rest = Math.floor((size % unitMs) / smallMs);
    return `${sign}${Math.floor(size / unitMs)} ${unit}${rest > 0 ? ` ${rest} ${small}` : ""}`;
  };
  if (size < minuteMs) return `${sign}${Math.floor(size / secondMs)} s`;
  if (size < hourMs) return `${sign}${Math.floor(size / minuteMs)} min`;
  if (size < dayMs) return pair(hourMs, "h", minuteMs, "min");
  return pair(dayMs, "d", hourMs, "h");
}

const tickMs = 10 * secondMs;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time in milliseconds, updated every ten seconds: one clock for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Math.max(now, Date.now() - tickMs);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
