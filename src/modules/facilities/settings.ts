/**
 * The settings of a facility besides those of its creation: their parser, their default and their meaning. The store,
 * the command line and docs/commands.md all read this one table.
 */
import { type Assignments, readAssignments } from "#/kernel/config/assignments.ts";
import { type Parser, parseMailAddress } from "#/kernel/config/parsers.ts";
import type { SettingWords } from "#/kernel/config/setting-words.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type Weekday, type WorkingCalendar, weekdays } from "#/kernel/values/working-calendar.ts";

export const facilityStatuses = ["ACTIVE", "CLOSED"] as const;

export interface Holiday {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly name: string | null;
}

/** The fields of the address without the country, which the creation sets. */
export const addressFields = [
  "companyName",
  "address1",
  "address2",
  "city",
  "zip",
  "state",
  "phone",
  "email",
] as const satisfies readonly SettingName[];

/** The settings of a facility, each resolved to its value. */
export interface FacilitySettings extends Omit<WorkingCalendar, "timezone"> {
  readonly companyName: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly zip: string | null;
  readonly state: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly holidays: readonly Holiday[];
  /** In alphabetical order. */
  readonly capabilities: readonly string[];
  readonly status: (typeof facilityStatuses)[number];
}

type SettingName = keyof FacilitySettings;

interface Setting<Value> {
  readonly standard: Value;
  /** The default as text, for the reference. */
  readonly standardText: string;
  /** Never called with a blank text, which resets the setting to its default. */
  readonly parse: Parser<Value>;
  readonly meaning: string;
}

const linesMax = 255;

const parseLine: Parser<string> = (text) => {
  const line = text.trim();
  return line.length <= linesMax && !/\p{Cc}/u.test(line)
    ? ok(line)
    : refused(`expected at most ${linesMax} printable characters`);
};

const parseMail: Parser<string> = (text) => {
  const parsed = parseMailAddress(text);
  return parsed.ok && parsed.value.name === undefined && !text.includes("<")
    ? ok(parsed.value.address)
    : refused("expected a mail address");
};

const parseTime: Parser<string> = (text) =>
  /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text.trim())
    ? ok(text.trim())
    : refused("expected a time of day such as 17:00, from 00:00 to 23:59");

const partsOf = (text: string) => text.split(",").map((part) => part.trim());

/** Days and spans of days; a span may cross the end of the week. */
const parseDays: Parser<readonly Weekday[]> = (text) => {
  const found = new Set<number>();
  for (const part of partsOf(text.toUpperCase())) {
    const [from = "", to = from, ...more] = part.split("-");
    const [first, last] = [from, to].map((name) => (weekdays as readonly string[]).indexOf(name)) as [number, number];
    if (first < 0 || last < 0 || more.length > 0) return refused(`expected days such as MON-FRI or MON,WED,SAT`);
    for (let day = first; ; day = (day + 1) % weekdays.length) {
      found.add(day);
      if (day === last) break;
    }
  }
  return ok(weekdays.filter((_, day) => found.has(day)));
};

const holidaysMax = 400;
const holidayNameMax = 100;

const parseHolidays: Parser<readonly Holiday[]> = (text) => {
  const holidays = new Map<string, Holiday>();
  for (const part of partsOf(text)) {
    const [, date = "", name] = /^(\d{4}-\d{2}-\d{2})(?:\s*:\s*(.+))?$/u.exec(part) ?? [];
    if (!isDate(date) || (name ?? "").length > holidayNameMax || /\p{Cc}/u.test(part))
      return refused(
        "expected dates separated by commas, each with its name or without: 2026-12-25:Christmas Day,2026-12-26",
      );
    if (holidays.has(date)) return refused(`${date} is present twice`);
    holidays.set(date, { date, name: name ?? null });
  }
  return holidays.size <= holidaysMax
    ? ok([...holidays.values()].sort((left, right) => (left.date < right.date ? -1 : 1)))
    : refused(`expected at most ${holidaysMax} days`);
};

function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

const capabilitiesMax = 50;

const parseCapabilities: Parser<readonly string[]> = (text) => {
  const words = [...new Set(partsOf(text.toUpperCase()))].sort();
  return words.length <= capabilitiesMax && words.every((word) => /^[A-Z][A-Z0-9_]{0,31}$/.test(word))
    ? ok(words)
    : refused(`expected words separated by commas, such as HAZMAT,COLD_CHAIN; at most ${capabilitiesMax}`);
};

function line(meaning: string): Setting<string | null> {
  return { standard: null, standardText: "none", parse: parseLine, meaning };
}

const parseStatus: Parser<FacilitySettings["status"]> = (text) => {
  const status = facilityStatuses.find((candidate) => candidate === text.trim().toUpperCase());
  return status === undefined ? refused(`expected ${facilityStatuses.join(", ")}`) : ok(status);
};

type SettingTable = { readonly [Name in SettingName]: Setting<FacilitySettings[Name]> };

export const facilitySettings: SettingTable = {
  companyName: line("company at the address"),
  address1: line("street and number"),
  address2: line("second line of the address"),
  city: line("city"),
  zip: line("postcode, in a form of the facility's country"),
  state: line("state, province or county"),
  phone: line("telephone number"),
  email: { ...line("mail address"), parse: parseMail },
  cutOffTime: {
    standard: null,
    standardText: "none",
    parse: parseTime,
    meaning:
      "local time, such as 17:00: new orders accepted until then on an operating day are due that day (despatchBy of the order)",
  },
  operatingDays: {
    standard: weekdays.slice(0, 5),
    standardText: "MON-FRI",
    parse: parseDays,
    meaning: "days with despatches",
  },
  holidays: {
    standard: [],
    standardText: "none",
    parse: parseHolidays,
    meaning: "dates without despatches, with their names or without: 2026-12-25:Christmas Day,2026-12-26",
  },
  capabilities: {
    standard: [],
    standardText: "none",
    parse: parseCapabilities,
    meaning: "capabilities in your own words, such as HAZMAT, BULKY or COLD_CHAIN, separated by commas",
  },
  status: {
    standard: "ACTIVE",
    standardText: "ACTIVE",
    parse: parseStatus,
    meaning:
      "whether the facility is in use. To refuse documents for it and to route nothing to it, remove it from the facilities of each client, once the client has no open work and no stock there",
  },
};

const address = { group: "Address", kind: "text" } as const;
const despatch = { group: "Despatch" } as const;

/** The settings of a facility in words, by topic. */
export const facilitySettingWords: Readonly<Record<SettingName, SettingWords>> = {
  companyName: { ...address, title: "Company" },
  address1: { ...address, title: "Street and number" },
  address2: { ...address, title: "Second line" },
  city: { ...address, title: "City" },
  zip: { ...address, title: "Postcode" },
  state: { ...address, title: "State or county" },
  phone: { ...address, title: "Telephone" },
  email: { ...address, title: "Mail address" },
  cutOffTime: { ...despatch, title: "Cut-off", kind: "time" },
  operatingDays: { ...despatch, title: "Operating days", kind: "days" },
  holidays: { ...despatch, title: "Holidays", kind: "lines" },
  capabilities: { group: "Capabilities and status", title: "Capabilities", kind: "text" },
  status: {
    group: "Capabilities and status",
    title: "Status",
    kind: "choice",
    choices: { ACTIVE: "In use", CLOSED: "Not in use: clients see that nothing more should be sent there" },
  },
};

export const facilitySettingNames = Object.keys(facilitySettings) as readonly SettingName[];

export type FacilitySettingChanges = Assignments<SettingName>;

/**
 * Reads `KEY=VALUE` texts; a blank value resets the setting to its default.
 * @returns the changes, or a sentence for every invalid text.
 */
export function readFacilitySettings(
  assignments: readonly string[],
): Result<FacilitySettingChanges, readonly string[]> {
  return readAssignments(facilitySettings, "a facility", assignments);
}

export function withChanges(before: FacilitySettings, { values, cleared }: FacilitySettingChanges): FacilitySettings {
  const standards = cleared.map((name) => [name, facilitySettings[name].standard]);
  return { ...before, ...Object.fromEntries([...values, ...standards]) } as FacilitySettings;
}

/** True if the setting differs from its default. */
export function isFacilitySettingSet(settings: FacilitySettings, name: SettingName): boolean {
  return JSON.stringify(settings[name]) !== JSON.stringify(facilitySettings[name].standard);
}

/** A value in the format of `facility set`. */
export function facilitySettingText(settings: FacilitySettings, name: SettingName): string {
  if (!isFacilitySettingSet(settings, name)) return facilitySettings[name].standardText;
  if (name === "holidays") {
    return settings.holidays.map(({ date, name: title }) => (title === null ? date : `${date}:${title}`)).join(",");
  }
  const value = settings[name];
  return Array.isArray(value) ? value.join(",") : String(value);
}
