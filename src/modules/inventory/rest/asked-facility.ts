import type { Problem } from "#/http/problems/problem.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type Refusal, type RequestFault, unprocessable } from "#/kernel/refusal.ts";
import { type Result, refused } from "#/kernel/result.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { findBook } from "#/modules/inventory/ledger/book.ts";
import { localDate } from "#/modules/inventory/snapshots/midnight.ts";
import type { Database, Tx } from "#/store/db/database.ts";

export interface FacilityContext {
  readonly database: Database;
  /** The facilities that the client may use. */
  facilitiesOf(clientId: string): Promise<readonly string[]>;
}

/**
 * The fault of a facility that the client may not query. A client may query the facilities where it may work, and those
 * where it still has a ledger.
 */
export async function faultOfFacility(
  { database, facilitiesOf }: FacilityContext,
  clientId: string,
  facilityCode: string,
  pointer: string,
): Promise<RequestFault | undefined> {
  const facilities = await facilitiesOf(clientId);
  if (facilities.includes(facilityCode)) return undefined;
  if (await findBook(database.of(clientId), facilityCode)) return undefined;
  const nearest = nearestName(facilityCode, facilities);
  const meant = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return { pointer, message: `'${facilityCode}' is not a facility of the client${meant}` };
}

/**
 * The refusal of an empty list whose facility does not belong to the client. Only an empty list needs the check: a
 * client with data there has had the facility.
 *
 * @param name of the parameter of the query.
 */
export async function refusalOfEmptyList<Name extends string>(
  context: FacilityContext,
  clientId: string,
  query: Readonly<Partial<Record<Name, string>>>,
  name: Name,
  items: readonly unknown[],
): Promise<Refusal | undefined> {
  const facilityCode: string | undefined = query[name];
  if (facilityCode === undefined || items.length > 0) return undefined;
  const fault = await faultOfFacility(context, clientId, facilityCode, `/query/${name}`);
  return fault && unprocessable(fault.message, [fault]);
}

/** The page of a list, or a 422 where it is empty because the client does not have the facility of its filter. */
export async function pageOfFacility<Name extends string, Page extends { readonly items: readonly unknown[] }>(
  context: FacilityContext,
  clientId: string,
  query: Readonly<Partial<Record<Name, string>>>,
  name: Name,
  page: Result<Page, Problem>,
): Promise<Result<Page, Problem | Refusal>> {
  if (!page.ok) return page;
  const refusal = await refusalOfEmptyList(context, clientId, query, name, page.value.items);
  return refusal ? refused(refusal) : page;
}

/** Look-ups must not cost a query each for the date. A new time zone of a facility takes effect within this time. */
const keptMs = 30_000;
/** Midnight in every time zone falls on a quarter of an hour UTC. */
const quarterHourMs = 900_000;

/**
 * Returns the local date of a facility, `YYYY-MM-DD`, from memory. It caches existing facilities only, which are few.
 */
export function createFacilityDays(tx: Tx, clock: Clock): (facilityCode: string) => string | Promise<string> {
  const known = new Map<string, { readonly today: string; readonly untilMs: number }>();

  async function lookUp(facilityCode: string, nowMs: number): Promise<string> {
    const facility = await findFacility(tx, facilityCode);
    const today = localDate(facility?.timezone ?? "UTC", nowMs);
    const nextMidnightMs = nowMs - (nowMs % quarterHourMs) + quarterHourMs;
    known.set(facilityCode, { today, untilMs: Math.min(nowMs + keptMs, nextMidnightMs) });
    return today;
  }

  return (facilityCode) => {
    const nowMs = clock.now();
    const kept = known.get(facilityCode);
    return kept !== undefined && nowMs < kept.untilMs ? kept.today : lookUp(facilityCode, nowMs);
  };
}
