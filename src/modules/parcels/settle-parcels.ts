import type { ParcelFacts } from "#/modules/parcels/domain.ts";
import { updateParcels } from "#/modules/parcels/repository.ts";
import { recordAudits } from "#/store/db/audit.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/**
 * Writes the later state of parcels and an audit line for each step of the state. For steps that no event states: what is
 * packed, loaded, despatched and tracked has events, and `updateParcels` writes it.
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
  const entries = stepped.map(({ olpnId, orderId, status }) => ({
    action,
    objectType: "parcel",
    objectId: olpnId,
    detail: { orderId, from: statusOf.get(olpnId), to: status },
  }));
  recordAudits(tx, entries);
}
