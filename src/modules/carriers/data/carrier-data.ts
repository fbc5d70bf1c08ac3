import { type Change, platformClient, recordAudit } from "#/db/audit.ts";
import type { ClientTx, Transaction } from "#/db/database.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import {
  type ActiveCarrierData,
  findActive,
  findLatestVersion,
  insertActivated,
} from "#/modules/carriers/data/data-repository.ts";

/** Owner of the default set, for every client without its own set. */
export const operatorsDefault = platformClient;

export interface CarrierDataInput {
  /** A client, or {@link operatorsDefault}. */
  readonly owner: string;
  /** The unvalidated data (`CarrierData` is the required type). */
  readonly data: unknown;
  /** A note on this version for readers. */
  readonly note?: string | undefined;
}

/**
 * Activates a whole set for its owner as the next version. Earlier versions stay, because decisions refer to them. To
 * roll back, save the older set again. Refused with all faults and their places.
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
  recordAudit(tx.of(owner, change), {
    action: "activate",
    objectType: "carrierData",
    objectId: String(version),
    detail: { services: checked.value.services.length },
  });
  return ok({ version });
}

/** The active set of a client: its own, else the operator's default; undefined if there is neither. */
export function activeCarrierData(tx: ClientTx): Promise<ActiveCarrierData | undefined> {
  return findActive(tx.plain, [tx.clientId, operatorsDefault]);
}
