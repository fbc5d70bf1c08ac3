import { setImmediate as nextTurn } from "node:timers/promises";
import { idBoundary } from "#/kernel/values/ids.ts";
import type { ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import { listPastDecisions, type PastDecision } from "#/modules/carriers/determination/decision-repository.ts";
import { findShippingFacility } from "#/modules/carriers/determination/determination.ts";
import type { DraftRun, PastShipment } from "#/modules/carriers/simulation/draft-run.ts";
import type { SimulationResult } from "#/modules/carriers/simulation/simulation-tally.ts";
import type { Database, Tx } from "#/store/db/database.ts";

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
 * carriers.md, Back-test). It uses the current facilities. It reads page by page and decides turn by turn, so that other
 * work runs in between.
 *
 * @returns the result for the completed part of the span, within the limits.
 */
export async function simulate(
  database: Database,
  clientId: string,
  { fromMs, toMs }: SimulationSpan,
  run: DraftRun,
  { decisionsMax, msMax, onProgress }: SimulationLimits,
): Promise<SimulationResult> {
  const beganMs = performance.now();
  const isLate = () => performance.now() - beganMs > msMax;
  const facilityOf = createFacilityLookup(database);
  const before = idBoundary(toMs);
  let after = idBoundary(fromMs);
  let read = 0;
  let lastAtMs = fromMs;
  for (;;) {
    const limit = Math.min(pageSize, decisionsMax - read);
    const page = limit > 0 ? await listPastDecisions(database.of(clientId), { after, before, limit }) : [];
    const shipments: PastShipment[] = [];
    for (const past of page) shipments.push({ past, facility: await facilityOf(past.request.distributionCentre) });
    for (let added = 0; added < shipments.length; ) {
      const ofTurn = await run.add(shipments.slice(added));
      added += ofTurn;
      read += ofTurn;
      lastAtMs = Date.parse((page[added - 1] as PastDecision).decidedAt);
      if (isLate()) return run.result(false);
      await nextTurn();
    }
    const last = page.at(-1);
    if (last === undefined || page.length < limit) {
      // A remaining limit means that the span has no more decisions.
      const isComplete = limit > 0;
      onProgress?.(isComplete ? 1 : partOf(lastAtMs));
      return run.result(isComplete);
    }
    after = last.decisionId;
    onProgress?.(partOf(lastAtMs));
  }

  function partOf(atMs: number): number {
    return (atMs - fromMs) / (toMs - fromMs);
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
