import type { RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkCarrierData, warningsOf } from "#/modules/carriers/checks/check-carrier-data.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { Decision } from "#/modules/carriers/decision/decide.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import type { CarrierRequest } from "#/modules/carriers/determination/decision-record.ts";
import type { PastDecision } from "#/modules/carriers/determination/decision-repository.ts";
import { decideBy } from "#/modules/carriers/determination/determination.ts";
import { createTally, type SimulationResult } from "#/modules/carriers/simulation/simulation-tally.ts";

/** A past decision with its facility, undefined where it does not exist any more. */
export interface PastShipment {
  readonly past: PastDecision;
  readonly facility: ShippingFacility | undefined;
}

/** Repeats decisions under a draft, and sums the differences. */
export interface DraftRun {
  /** Takes as many as a turn allows, one at least, and returns their number: other work runs between turns. */
  add(shipments: readonly PastShipment[]): number | Promise<number>;
  result(isComplete: boolean): SimulationResult | Promise<SimulationResult>;
}

const turnMs = 50;

/** @param draft validated by `checkCarrierData`. */
export function runDraft(draft: CarrierData): DraftRun {
  const data = compileCarrierData(draft, 0);
  const tally = createTally(data);
  return {
    add(shipments) {
      const beganMs = performance.now();
      let added = 0;
      for (const { past, facility } of shipments) {
        const decided = facility && decideBy(data, past.request, facility, Date.parse(past.decidedAt));
        tally.add(past, facility, decided?.ok ? decided.value.decision : undefined);
        added++;
        if (performance.now() - beganMs > turnMs) break;
      }
      return added;
    },
    result: (isComplete) => tally.result(isComplete),
  };
}

/** Places are pointers into the draft. A draft with faults has no warnings. */
export interface CheckedDraft {
  readonly faults: readonly RequestFault[];
  readonly warnings: readonly RequestFault[];
}

export interface TriedDraft {
  readonly decision: Decision;
  readonly warnings: readonly string[];
}

export function checkDraft(draft: unknown): CheckedDraft {
  const checked = checkCarrierData(draft);
  return checked.ok ? { faults: [], warnings: warningsOf(checked.value) } : { faults: checked.fault, warnings: [] };
}

/**
 * The decision that a draft makes for a shipment. It is not stored, so there is no decisionId.
 *
 * @param facility undefined where it does not exist.
 * @param atMs Unix milliseconds: the moment of the decision.
 * @returns or the faults of the body `{data, request}`.
 */
export function tryDraft(
  { data, request }: { readonly data: unknown; readonly request: CarrierRequest },
  facility: ShippingFacility | undefined,
  atMs: number,
): Result<TriedDraft, readonly RequestFault[]> {
  const checked = checkCarrierData(data);
  if (!checked.ok) return refused(below("#/data/", checked.fault));
  if (!facility) {
    const message = `there is no facility "${request.distributionCentre}"`;
    return refused([{ pointer: "#/request/distributionCentre", message }]);
  }
  const decided = decideBy(compileCarrierData(checked.value, 0), request, facility, atMs);
  return decided.ok ? ok(decided.value) : refused(below("#/request/", decided.fault));
}

const below = (place: string, faults: readonly RequestFault[]): RequestFault[] =>
  faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace("#/", place) }));
