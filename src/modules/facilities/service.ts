import { ok, type Result, refused } from "#/kernel/result.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";
import { checkPostcode } from "#/kernel/values/postcodes/check.ts";
import * as repository from "#/modules/facilities/repository.ts";
import {
  addressFields,
  type FacilitySettingChanges,
  type FacilitySettings,
  withChanges,
} from "#/modules/facilities/settings.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, Transaction, Tx } from "#/store/db/database.ts";

export interface Facility {
  readonly facilityCode: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** IANA time zone. */
  readonly timezone: string;
  readonly settings: FacilitySettings;
  readonly createdAt: string;
  /** Incremented with every change. */
  readonly version: number;
}

export interface NewFacility {
  readonly facilityCode: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2 or alpha-3. */
  readonly country: string;
  readonly timezone: string;
}

const nameLengthMax = 255;

/** Refused if a value is invalid (all faults in one text, a line each) or the code is taken, ignoring case. */
export async function createFacility(
  tx: Transaction,
  change: Change,
  request: NewFacility,
): Promise<Result<Facility, string>> {
  const validated = validateFacility(request);
  if (!validated.ok) return refused(validated.fault.map(({ message }) => message).join("\n"));
  const { code, name, country, timezone } = validated.value;
  if (!(await repository.insertFacility(tx, { code, name, country, timezone, at: change.at }))) {
    return refused(`facility '${code}' exists already`);
  }
  recordAudit(tx.of(platformClient, change), {
    action: "create",
    objectType: "facility",
    objectId: code,
    detail: { country, timezone },
  });
  return ok((await findFacility(tx, code)) as Facility);
}

export interface FacilityFault {
  readonly field: keyof NewFacility;
  readonly message: string;
}

interface ValidFacility {
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly timezone: string;
}

/** Checks the values of a new facility: all faults, each with its field. */
export function validateFacility(request: NewFacility): Result<ValidFacility, readonly FacilityFault[]> {
  const code = request.facilityCode;
  const name = request.name.trim();
  const nameFault = faultOfName(name);
  const country = toAlpha2(request.country.trim());
  const timezone = toTimeZone(request.timezone.trim());
  const faults: FacilityFault[] = [];
  if (!isFacilityCode(code)) {
    const message = `'${code}' is not a valid facility code: use 1 to 10 letters, digits, '_' or '-'`;
    faults.push({ field: "facilityCode", message });
  }
  if (nameFault !== undefined) faults.push({ field: "name", message: nameFault });
  if (country === undefined) {
    const message = `'${request.country}' is not a country code of ISO 3166-1, such as GB or GBR`;
    faults.push({ field: "country", message });
  }
  if (timezone === undefined) {
    const nearest = nearestName(request.timezone, Intl.supportedValuesOf("timeZone"));
    const message = `'${request.timezone}' is not an IANA time zone; did you mean ${nearest ?? "one such as Europe/London"}?`;
    faults.push({ field: "timezone", message });
  }
  if (faults.length > 0 || country === undefined || timezone === undefined) return refused(faults);
  return ok({ code, name, country, timezone });
}

function faultOfName(name: string): string | undefined {
  const isGood = name.length >= 1 && name.length <= nameLengthMax;
  return isGood ? undefined : `a facility's name has 1 to ${nameLengthMax} characters`;
}

export interface FacilityChanges {
  readonly name?: string | undefined;
  readonly settings?: FacilitySettingChanges | undefined;
}

/**
 * Changes the settings of a facility. Refused for an unknown facility, an invalid name, or a postcode of another
 * country (all faults in one text, a line each). Accepted orders keep their despatchBy.
 */
export async function changeFacility(
  tx: Transaction,
  change: Change,
  facilityCode: string,
  { name, settings: changes }: FacilityChanges,
): Promise<Result<Facility, string>> {
  const row = await repository.lockFacility(tx, facilityCode);
  if (!row) return refused(await unknownFacilityIn(tx, facilityCode));
  const before = facilityOf(row);
  const settings = changes === undefined ? before.settings : withChanges(before.settings, changes);
  const named = name?.trim() ?? before.name;
  const faults = [faultOfName(named), faultOfZip(settings.zip, before.country)].filter((fault) => fault !== undefined);
  if (faults.length > 0) return refused(faults.join("\n"));
  const address = addressFields.flatMap((field) => {
    const text = settings[field];
    return text === null ? [] : [[field, text] as const];
  });
  repository.updateFacility(tx, facilityCode, { ...settings, name: named, address: Object.fromEntries(address) });
  recordAudit(tx.of(platformClient, change), {
    action: "set",
    objectType: "facility",
    objectId: facilityCode,
    detail: {
      ...(name === undefined ? {} : { name: named }),
      ...(changes === undefined ? {} : { settings: auditedSettings(changes) }),
    },
  });
  return ok({ ...before, name: named, settings, version: before.version + 1 });
}

function faultOfZip(zip: string | null, country: string): string | undefined {
  if (zip === null) return undefined;
  const verdict = checkPostcode(zip, country);
  return verdict.ok ? undefined : `zip=${zip}: expected a postcode of ${country}: ${verdict.formats.join(", ")}`;
}

/** No address enters the audit log: it records only that an address field changed. */
function auditedSettings({ values, cleared }: FacilitySettingChanges): Record<string, unknown> {
  const isAddress = (name: string) => (addressFields as readonly string[]).includes(name);
  return Object.fromEntries([
    ...[...values].map(([name, value]) => [name, isAddress(name) ? "changed" : value]),
    ...cleared.map((name) => [name, "default"]),
  ]);
}

export async function showFacility(tx: Tx, facilityCode: string): Promise<Result<Facility, string>> {
  const found = await findFacility(tx, facilityCode);
  return found ? ok(found) : refused(await unknownFacilityIn(tx, facilityCode));
}

export async function findFacility(tx: Tx, facilityCode: string): Promise<Facility | undefined> {
  const row = await repository.findFacility(tx, facilityCode);
  return row && facilityOf(row);
}

/** A facility that the client may use; undefined for others. */
export async function findFacilityOpenTo(tx: ClientTx, facilityCode: string): Promise<Facility | undefined> {
  const row = await repository.findOpenFacility(tx, facilityCode);
  return row && facilityOf(row);
}

/** A page of facilities, by code; all, or the named ones. */
export async function listFacilityPage(
  tx: Tx,
  page: { readonly codes?: readonly string[] | undefined; readonly after: string; readonly limit: number },
): Promise<readonly Facility[]> {
  return (await repository.pageFacilities(tx, page)).map(facilityOf);
}

/** In order of their creation. */
export async function listFacilities(tx: Tx): Promise<readonly Facility[]> {
  return (await repository.listFacilities(tx)).map(facilityOf);
}

/**
 * The facilities for the routing of a client: the named ones in their order, or all in order of creation if none is
 * named. Refused if a named one does not exist or is named twice.
 */
export async function chooseFacilities(tx: Tx, named: readonly string[]): Promise<Result<readonly string[], string>> {
  const codes = (await repository.listFacilities(tx)).map(({ facilityCode }) => facilityCode);
  if (named.length === 0) return ok(codes);
  const unknown = named.filter((code) => !codes.includes(code));
  if (unknown.length > 0) return refused(unknown.map((code) => unknownFacility(code, codes)).join("\n"));
  const doubled = named.find((code, i) => named.indexOf(code) !== i);
  return doubled === undefined ? ok(named) : refused(`facility '${doubled}' is named twice`);
}

async function unknownFacilityIn(tx: Tx, code: string): Promise<string> {
  const codes = (await repository.listFacilities(tx)).map(({ facilityCode }) => facilityCode);
  return unknownFacility(code, codes);
}

/** The message about an unknown facility. */
function unknownFacility(code: string, codes: readonly string[]): string {
  const meant = codes.find((candidate) => candidate.toLowerCase() === code.toLowerCase());
  if (meant !== undefined) return `there is no facility '${code}'; did you mean ${meant}?`;
  const known =
    codes.length === 0
      ? "none exists yet; create one with 'facility create'"
      : `there are ${codes.slice(0, 20).join(", ")}`;
  return `there is no facility '${code}'; ${known}`;
}

export function facilityOf(row: repository.StoredFacility): Facility {
  const { facilityCode, name, country, timezone, address, createdAt, version, ...settings } = row;
  const fields = Object.fromEntries(addressFields.map((field) => [field, address[field] ?? null]));
  return {
    facilityCode,
    name,
    country,
    timezone,
    settings: { ...(fields as Pick<FacilitySettings, (typeof addressFields)[number]>), ...settings },
    createdAt,
    version,
  };
}

/** Facility codes follow the rule of client identifiers (feeds.md §3). */
function isFacilityCode(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,10}$/.test(text);
}

/**
 * The IANA time zone of a text, in its official spelling; `undefined` if there is none. An offset such as `+01:00` is
 * not a time zone, because it has no summer time.
 */
export function toTimeZone(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return undefined;
  const lower = text.toLowerCase();
  const spelt = Intl.supportedValuesOf("timeZone").find((zone) => zone.toLowerCase() === lower);
  if (spelt !== undefined) return spelt;
  // Superseded names (Asia/Kolkata or Asia/Calcutta, by release) are valid but not listed.
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text;
  } catch {
    return undefined;
  }
}
