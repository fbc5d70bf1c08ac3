import { type Change, platformClient, recordAudit } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import type { RequestFault } from "#/http/problems/problem.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import {
  type ActiveCarrierData,
  findActive,
  findLatestVersion,
  insertActivated,
} from "#/modules/carriers/data/data-repository.ts";

/** Owner of the set that serves every client without a set of its own. */
export const operatorsDefault = platformClient;

export interface CarrierDataInput {
  /** A client, or {@link operatorsDefault}. */
  readonly owner: string;
  /** As it came, to be judged (`CarrierData` says what it must be). */
  readonly data: unknown;
  /** What people are to know of this version. */
  readonly note?: string | undefined;
}

/**
 * Makes a set the one that holds for its owner, whole: as the next version, while the ones before stay for the decisions
 * that were made with them. To go back is to save the older set again. Refused with all faults and their places.
 */
export async function saveCarrierData(
  tx: Transaction,
  change: Change,
  { owner, data, note }: CarrierDataInput,
): Promise<Result<{ readonly version: number }, readonly RequestFault[]>> {
  const checked = checkCarrierData(data);
  if (!checked.ok) return refused(checked.fault);
  const version = (await findLatestVersion(tx, owner)) + 1;
  insertActivated(tx, { owner, version, data: checked.value, note, createdBy: change.actor, at: change.at });
  recordAudit(tx, owner, change, {
    ...{ action: "activate", objectType: "carrierData", objectId: String(version) },
    detail: { services: checked.value.services.length },
  });
  return ok({ version });
}

/** The set that holds for a client: its own, else the operator's default; undefined where there is neither. */
export function activeCarrierData(tx: Tx, clientId: string): Promise<ActiveCarrierData | undefined> {
  return findActive(tx, [clientId, operatorsDefault]);
}
