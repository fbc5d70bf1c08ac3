import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database, Tx } from "#/db/database.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import { listPastDecisions, type PastDecision } from "#/modules/carriers/determination/decision-repository.ts";
import { decideBy, findShippingFacility } from "#/modules/carriers/determination/determination.ts";
import { createTally, type SimulationResult } from "#/modules/carriers/simulation/simulation-tally.ts";

export interface SimulationSpan {
  /** Milliseconds since 1970-01-01T00:00:00Z; the start is included, the end is not. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SimulationLimits {
  readonly decisionsMax: number;
  readonly msMax: number;
  /** Called after each page with the completed part of the span: 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

const pageSize = 500;

/**
 * Runs the client's decisions of a span again under a draft, each at its own moment, and compares them (contract
 * carriers.md, Back-test). It uses the current facilities. It reads page by page, so that other work runs in between.
 *
 * @param draft validated by `checkCarrierData`.
 * @returns the result for the completed part of the span, within the limits.
 */
export async function simulate(
  database: Database,
  clientId: string,
  { fromMs, toMs }: SimulationSpan,
  draft: CarrierData,
  { decisionsMax, msMax, onProgress }: SimulationLimits,
): Promise<SimulationResult> {
  const beganMs = performance.now();
  const data = compileCarrierData(draft, 0);
  const tally = createTally(data);
  const facilityOf = createFacilityLookup(database);
  const before = idBoundary(toMs);
  let after = idBoundary(fromMs);
  for (;;) {
    const limit = Math.min(pageSize, decisionsMax - tally.read);
    const page = limit > 0 ? await listPastDecisions(database, clientId, { after, before, limit }) : [];
    for (const past of page) {
      const facility = await facilityOf(past.request.distributionCentre);
      tally.add(past, facility, facility && redecide(past, facility));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < limit) {
      // A remaining limit means that the span has no more decisions.
      const isComplete = limit > 0;
      onProgress?.(isComplete ? 1 : partOf(tally.lastAtMs ?? fromMs));
      return tally.result(isComplete);
    }
    after = last.decision_id;
    onProgress?.(partOf(Date.parse(last.decided_at)));
    if (performance.now() - beganMs > msMax) return tally.result(false);
    await nextTurn();
  }

  function partOf(atMs: number): number {
    return (atMs - fromMs) / (toMs - fromMs);
  }

  function redecide(past: PastDecision, facility: ShippingFacility) {
    const decided = decideBy(data, past.request, facility, Date.parse(past.decided_at));
    return decided.ok ? decided.value.decision : undefined;
  }
}

/** A client has few facilities, whatever the number of its decisions. */
function createFacilityLookup(tx: Tx): (code: string) => Promise<ShippingFacility | undefined> {
  const known = new Map<string, Promise<ShippingFacility | undefined>>();
  return (code) => {
    const found = known.get(code) ?? findShippingFacility(tx, code);
    known.set(code, found);
    return found;
  };
}
