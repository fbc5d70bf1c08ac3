import type { Tx } from "#/db/database.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { Decision } from "#/modules/carriers/decision/decide.ts";
import type { CarrierRequest } from "#/modules/carriers/determination/decision-record.ts";
import { decideBy, findShippingFacility } from "#/modules/carriers/determination/determination.ts";

/**
 * The decision that a draft makes for a shipment. It is not stored, so there is no decisionId.
 *
 * @param draft validated by `checkCarrierData`.
 * @param atMs Unix milliseconds: the moment of the decision.
 */
export async function tryDraft(
  tx: Tx,
  draft: CarrierData,
  request: CarrierRequest,
  atMs: number,
): Promise<Result<{ readonly decision: Decision; readonly warnings: readonly string[] }, readonly RequestFault[]>> {
  const facility = await findShippingFacility(tx, request.distributionCentre);
  if (!facility) {
    const message = `there is no facility "${request.distributionCentre}"`;
    return refused([{ pointer: "#/request/distributionCentre", message }]);
  }
  const decided = decideBy(compileCarrierData(draft, 0), request, facility, atMs);
  if (decided.ok) return ok(decided.value);
  return refused(decided.fault.map((fault) => ({ ...fault, pointer: fault.pointer.replace("#/", "#/request/") })));
}
