/** How the user of this browser reads times. */
export interface TimeDisplay {
  /** The time zone of the facility, of this machine, or UTC. */
  readonly zone: "facility" | "machine" | "UTC";
  /** Beginning of a date: `20 Nov 2026`, `Nov 20, 2026` or `2026-11-20`. */
  readonly dates: "day" | "month" | "year";
}

const storageKey = "crossdock.times";
const standard: TimeDisplay = { zone: "facility", dates: "day" };
// Sweden writes dates as ISO 8601 does.
const locales = { day: "en-GB", month: "en-US", year: "sv-SE" } as const satisfies Record<TimeDisplay["dates"], string>;

const listeners = new Set<() => void>();
let current = readStored();

function readStored(): TimeDisplay {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<TimeDisplay>;
    return { ...standard, ...stored };
  } catch {
    return standard;
  }
}

export function setTimeDisplay(change: Partial<TimeDisplay>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // Without storage, the choice lasts until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

export const timeDisplay = (): TimeDisplay => current;

/** @returns what ends the subscription */
export function subscribeTimeDisplay(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const zoneOfMachine = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA name of this machine's time zone when the page was loaded. */
export const machineZone = (): string => zoneOfMachine;

/** The time zone of all times; undefined: each has that of its facility. */
export function chosenZone({ zone }: TimeDisplay): string | undefined {
  if (zone === "facility") return undefined;
  return zone === "UTC" ? "UTC" : machineZone();
}

/** A format takes a tenth of a millisecond to make, and each time on a screen asks for one. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A format of dates with their year.
 *
 * @param timezone IANA name
 * @param precision `zoned` has minutes, it and `seconds` the name of the time zone
 */
export function dateFormat(
  timezone: string,
  precision: "day" | "minutes" | "zoned" | "seconds",
  { dates }: TimeDisplay = current,
): Intl.DateTimeFormat {
  const day = dates === "year" ? "2-digit" : "numeric";
  const month = dates === "year" ? "2-digit" : "short";
  const key = `${timezone} ${precision} ${dates}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locales[dates], {
    year: "numeric",
    month,
    day,
    ...(precision === "day" ? {} : { hour: "2-digit", minute: "2-digit" }),
    ...(precision === "seconds" ? { second: "2-digit" } : {}),
    ...(precision === "zoned" || precision === "seconds" ? { timeZoneName: "short" } : {}),
    timeZone: timezone,
  });
  formats.set(key, format);
  return format;
}
