import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
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
        const decided = facility && decideBy(data, past.request, facility, Date.parse(past.decided_at));
        tally.add(past, facility, decided?.ok ? decided.value.decision : undefined);
        added++;
        if (performance.now() - beganMs > turnMs) break;
      }
      return added;
    },
    result: (isComplete) => tally.result(isComplete),
  };
}
