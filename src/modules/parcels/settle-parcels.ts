import type { ParcelFacts } from "#/modules/parcels/domain.ts";
import { insertParcels, updateParcels } from "#/modules/parcels/repository.ts";
import { type AuditEntry, recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/** Writes new parcels and their audit lines. */
export function recordPacked(tx: UnitOfWork, parcels: readonly ParcelFacts[]): void {
  insertParcels(tx, tx.change.at, parcels);
  const entries = parcels.map((parcel) => entryOf("pack", parcel, { status: parcel.status }));
  recordAudits(tx, entries);
}

/**
 * Writes the later state of parcels and an audit line for each step of the state.
 *
 * @param action verb of the audit line
 * @param before the parcels before the change, possibly with others
 */
export function recordSteps(
  tx: UnitOfWork,
  action: string,
  before: readonly ParcelFacts[],
  after: readonly ParcelFacts[],
): void {
  updateParcels(tx, tx.change.at, after);
  const statusOf = new Map(before.map(({ olpnId, status }) => [olpnId, status]));
  const stepped = after.filter(({ olpnId, status }) => statusOf.get(olpnId) !== status);
  const entries = stepped.map((parcel) =>
    entryOf(action, parcel, { from: statusOf.get(parcel.olpnId), to: parcel.status }),
  );
  recordAudits(tx, entries);
}

function entryOf(action: string, { olpnId, orderId }: ParcelFacts, step: object): AuditEntry {
  return { action, objectType: "parcel", objectId: olpnId, detail: { orderId, ...step } };
}
