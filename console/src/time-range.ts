import { dayMs, hourMs, minuteMs } from "./durations.ts";
import { dateFormat } from "./time-display.ts";

/** A time range from the URL: a preset such as `24h`, or two ends separated by `..`. */
export interface TimeRange {
  /** The value in the URL. */
  readonly key: string;
  /** "Last 24 hours", "1–3 November 2026". Days and times use the given zone. */
  label(timezone: string): string;
  /**
   * From the first time, inclusive, to the second, exclusive, in ISO 8601; an open end is undefined. Computed at each
   * call, because "the last hour" moves.
   */
  window(timezone: string): { readonly from?: string; readonly to?: string };
  /** First and last day, both inclusive; an open end is undefined. */
  days(timezone: string): { readonly from?: string; readonly to?: string };
}

const any = "any";

interface Preset {
  readonly label: string;
  /** Relative to now; days in the future are positive. Neither: no limit. */
  readonly hours?: number;
  /** 0: today. Whole days in the zone. */
  readonly day?: number;
  /** -1: last week. Whole weeks in the zone, from Monday to Sunday. */
  readonly week?: number;
}

/** Every preset by its key in the URL. */
const presets = {
  [any]: { label: "Any time" },
  "1h": { label: "Last hour", hours: -1 },
  "6h": { label: "Last 6 hours", hours: -6 },
  "24h": { label: "Last 24 hours", hours: -24 },
  today: { label: "Today", day: 0 },
  yesterday: { label: "Yesterday", day: -1 },
  "last-week": { label: "Last week, Monday to Sunday", week: -1 },
  "7d": { label: "Last 7 days", hours: -7 * 24 },
  "30d": { label: "Last 30 days", hours: -30 * 24 },
  "90d": { label: "Last 90 days", hours: -90 * 24 },
  "next-7d": { label: "Next 7 days", hours: 7 * 24 },
  "next-30d": { label: "Next 30 days", hours: 30 * 24 },
  "next-90d": { label: "Next 90 days", hours: 90 * 24 },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetKey = keyof typeof presets;

const isPreset = (key: string): key is PresetKey => Object.hasOwn(presets, key);

/** The range of a URL key; if it is invalid, the fallback. */
export function rangeOf(key: string | null, fallback: PresetKey): TimeRange {
  if (key !== null && isPreset(key)) return presetRange(key);
  const [from = "", to = "", ...more] = (key ?? "").split("..");
  const isReadable = more.length === 0 && (from !== "" || to !== "") && [from, to].every(isEnd);
  return isReadable ? customRange(from, to) : presetRange(fallback);
}

/** The key of two ends, each a day, a time or empty. */
export const keyOfEnds = (from: string, to: string): string => `${from}..${to}`;

/** The explicit ends of a key; undefined for a preset. */
export function endsOf(key: string): { readonly from: string; readonly to: string } | undefined {
  if (isPreset(key)) return undefined;
  const [from = "", to = ""] = key.split("..");
  return { from, to };
}

const isDay = (end: string) => /^\d{4}-\d\d-\d\d$/.test(end);
const isEnd = (end: string) => end === "" || (/^\d{4}-\d\d-\d\d(?:T.+)?$/.test(end) && !Number.isNaN(Date.parse(end)));

function presetRange(key: PresetKey): TimeRange {
  const { label, hours, day, week }: Preset = presets[key];
  const endsMs = (timezone: string): readonly [number, number] | undefined => {
    const now = Math.ceil(Date.now() / minuteMs) * minuteMs;
    if (hours !== undefined) return hours < 0 ? [now + hours * hourMs, now] : [now, now + hours * hourMs];
    const today = localText(now, timezone).slice(0, 10);
    const offset = week === undefined ? day : week * 7 - weekdayOf(today);
    if (offset === undefined) return undefined;
    const first = addDays(today, offset);
    return [momentAt(first, timezone), momentAt(addDays(first, week === undefined ? 1 : 7), timezone)];
  };
  return {
    key,
    label: () => label,
    window(timezone) {
      const ends = endsMs(timezone);
      return ends === undefined ? {} : { from: isoOf(ends[0]), to: isoOf(ends[1]) };
    },
    days(timezone) {
      const ends = endsMs(timezone);
      return ends === undefined ? {} : { from: dayIn(ends[0], timezone), to: dayIn(ends[1] - 1, timezone) };
    },
  };
}

function customRange(from: string, to: string): TimeRange {
  const window = (timezone: string) => ({
    ...(from === "" ? {} : { from: isoOf(isDay(from) ? momentAt(from, timezone) : Date.parse(from)) }),
    ...(to === "" ? {} : { to: isoOf(isDay(to) ? momentAt(addDays(to, 1), timezone) : Date.parse(to)) }),
  });
  return {
    key: keyOfEnds(from, to),
    window,
    label(timezone) {
      const isWhole = [from, to].every((end) => end === "" || isDay(end));
      const format = dateFormat(timezone, isWhole ? "day" : "minutes");
      const { from: start, to: end } = window(timezone);
      // The last instant of a day, so that this day is shown.
      const last = end === undefined ? undefined : new Date(Date.parse(end) - (isDay(to) ? 1 : 0));
      if (start === undefined) return `Until ${format.format(last)}`;
      if (last === undefined) return `From ${format.format(new Date(start))}`;
      return format.formatRange(new Date(start), last);
    },
    days(timezone) {
      const { from: start, to: end } = window(timezone);
      return {
        ...(start === undefined ? {} : { from: dayIn(Date.parse(start), timezone) }),
        ...(end === undefined ? {} : { to: dayIn(Date.parse(end) - 1, timezone) }),
      };
    },
  };
}

const isoOf = (ms: number) => new Date(ms).toISOString();

const addDays = (day: string, days: number) => isoOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs).slice(0, 10);

/** 0: Monday. */
const weekdayOf = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** `2026-11-20`. @param timezone IANA name */
export const dayIn = (ms: number, timezone: string) => localText(ms, timezone).slice(0, 10);

/** `2026-11-20T14:00:00`, the local time in the zone. */
export const localText = (ms: number, timezone: string): string =>
  new Date(ms)
    .toLocaleString("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" })
    .replace(" ", "T");

/** The epoch milliseconds of a local day's start, or of `2026-11-20T14:00`, in the zone. */
export function momentAt(local: string, timezone: string): number {
  const shown = Date.parse(`${local.length === 10 ? `${local}T00:00` : local}Z`);
  const offset = (ms: number) => Date.parse(`${localText(ms, timezone)}Z`) - ms;
  // Twice: near a clock change, the first result has the offset of the other side.
  return shown - offset(shown - offset(shown));
}
