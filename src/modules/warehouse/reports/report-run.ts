import type { Change } from "#/db/audit.ts";
import type { Transaction, UnitOfWork } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { ClientResult, Reporter } from "#/modules/warehouse/reports/report-kind.ts";
import type { CommandResult } from "#/outbox/append.ts";

/** The result that a domain service returns for its report. */
export type ServiceResult = Result<CommandResult, Refusal>;

export interface OneClient {
  readonly view: UnitOfWork;
  readonly facilityCode: string;
  readonly isForced?: boolean;
}

/** The place of a report about one client's goods in one facility. */
export function oneClient(
  tx: Transaction,
  change: Change,
  clientIds: readonly string[],
  { facilityCode, isForced = false }: Reporter,
): OneClient {
  const [clientId] = clientIds;
  assert(clientId !== undefined && facilityCode !== undefined, "the report names a client of the facility");
  return { view: tx.of(clientId, change), facilityCode, isForced };
}

export function resultOf(clientId: string, result: ServiceResult): ClientResult {
  if (!result.ok) return { clientId, answer: result, events: [] };
  const { answer, events } = result.value;
  return { clientId, answer: ok(answer), events };
}

/** The refusal of one client's part of a report. */
export interface ClientRefusal extends Omit<ClientResult, "answer"> {
  readonly refusal: Refusal;
}

/** Joins the answers of several clients: lists are concatenated, other fields are the same in all. */
export function joined(results: readonly ClientResult[]): Result<object, ClientRefusal> {
  const fields: Record<string, unknown> = {};
  for (const { clientId, answer, events } of results) {
    if (!answer.ok) return refused({ clientId, refusal: answer.fault, events });
    for (const [name, value] of Object.entries(answer.value)) {
      const before = fields[name];
      fields[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (before ?? value);
    }
  }
  return ok(fields);
}
