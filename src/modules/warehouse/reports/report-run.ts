import type { Change } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { conflict, notFound, type Refusal, type Work } from "#/modules/facilities/index.ts";
import type { Effect, Reporter, ReportRefusal } from "#/modules/warehouse/reports/report-kind.ts";
import type { EventDraft } from "#/outbox/append.ts";

/** What a service of the business answers to its report. */
export interface Reported {
  readonly answer: object;
  readonly drafts: readonly EventDraft[];
}

/** Of a service that leaves something behind although it refuses the report. */
interface RefusalWithDrafts extends Refusal {
  readonly drafts?: readonly EventDraft[];
}

/** Where it says no more than why, the state of the object forbids the report. */
export type ServiceResult = Result<Reported, string | RefusalWithDrafts>;

export interface OneClient {
  readonly tx: Transaction;
  readonly change: Change;
  readonly clientId: string;
  readonly facilityCode: string;
}

/** The place of a report that is about one client's goods in one facility. */
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
 * An object that the facility has no work for, and never had, is not there: a refusal about it is a 404.
 *
 * @param listWork of the object's module: answers it whatever its state, and leaves out what is unknown.
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

/** The answers of several clients as one: lists follow each other, the rest is the same in all. */
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
