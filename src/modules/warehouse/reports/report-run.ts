import type { Change } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { Work } from "#/modules/facilities/index.ts";
import type { Effect, Reporter, ReportRefusal } from "#/modules/warehouse/reports/report-kind.ts";
import type { EventDraft } from "#/outbox/append.ts";

/** The result that a domain service returns for its report. */
export interface Reported {
  readonly answer: object;
  readonly drafts: readonly EventDraft[];
}

/** A refusal of a service that also has effects to commit. */
interface RefusalWithDrafts extends Refusal {
  readonly drafts?: readonly EventDraft[];
}

/** If the fault is only a text, the state of the object forbids the report. */
export type ServiceResult = Result<Reported, string | RefusalWithDrafts>;

export interface OneClient {
  readonly tx: Transaction;
  readonly change: Change;
  readonly clientId: string;
  readonly facilityCode: string;
}

/** The place of a report about one client's goods in one facility. */
export function oneClient(
  tx: Transaction,
  change: Change,
  clientIds: readonly string[],
  { facilityCode }: Reporter,
): OneClient {
  const [clientId] = clientIds;
  assert(clientId !== undefined && facilityCode !== undefined, "the report names a client of the facility");
  return { tx, change, clientId, facilityCode };
}

export function effectOf(clientId: string, result: ServiceResult): Result<Effect, ReportRefusal> {
  if (!result.ok) {
    if (typeof result.fault === "string") return refused(conflict(result.fault));
    const { drafts, ...refusal } = result.fault;
    return refused(drafts === undefined ? refusal : { ...refusal, told: [{ clientId, drafts }] });
  }
  const { answer, drafts } = result.value;
  return ok({ answer, told: [{ clientId, drafts }] });
}

/**
 * An object for which the facility never had work does not exist there: the refusal becomes a 404.
 *
 * @param listWork the object's module; it returns the work of an object in any state, and leaves out unknown objects.
 */
export async function withExistence(
  { tx, clientId, facilityCode }: OneClient,
  result: ServiceResult,
  object: { readonly name: string; readonly key: string },
  listWork: (tx: Tx, clientId: string, keys: readonly string[]) => Promise<readonly Work[]>,
): Promise<ServiceResult> {
  if (result.ok || typeof result.fault !== "string") return result;
  const works = await listWork(tx, clientId, [object.key]);
  if (works.some((work) => work.facilityCode === facilityCode)) return result;
  return refused(notFound(`The client has no ${object.name} ${object.key} at facility ${facilityCode}.`));
}

/** Joins the answers of several clients: lists are concatenated, other fields are the same in all. */
export function joined(answers: readonly object[]): object {
  const fields: Record<string, unknown> = {};
  for (const answer of answers) {
    for (const [name, value] of Object.entries(answer)) {
      const before = fields[name];
      fields[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value);
    }
  }
  return fields;
}
