// Plans which lots a report consumes, from reserved and free stock, before anything is written.

import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import {
  type FreeStock,
  type Holdings,
  type Lot,
  type LotFields,
  sumOf,
  type Taken,
  takeOut,
} from "#/modules/inventory/index.ts";
import { type Component, quantityTaken, type WorkOrder, withComponents } from "#/modules/workorders/domain.ts";
import { keyOf } from "#/modules/workorders/stock/allocation.ts";

export const scrap = "SCRAP";

/** A quantity of a component that a report consumes. */
export interface Use {
  readonly component: Component;
  readonly qty: number;
  readonly reason: string | undefined;
  /** The lot fields that the report names; undefined: any reserved lot, first expired first. */
  readonly named: LotFields | undefined;
  /** The lots of its serial numbers, with the serial numbers of each lot; empty without serial numbers. */
  readonly serialLots: readonly { readonly lot: Lot; readonly serials: readonly string[] }[];
}

/** A use with its lots. */
export interface Consumed extends Use {
  readonly taken: readonly Taken[];
  /** The total consumption of the component, including this use. */
  readonly total: number;
}

/** The consumption of each component by the recipe for this number of additional finished goods. */
export function backflushUses(workOrder: WorkOrder, finished: number): Use[] {
  return workOrder.components.flatMap((component) => {
    const before = quantityTaken(workOrder.completed, component);
    const after = quantityTaken(workOrder.completed + finished, component);
    if (before === undefined || after === undefined || after === before) return [];
    return [{ component, qty: after - before, reason: undefined, named: undefined, serialLots: [] }];
  });
}

/**
 * Takes the used quantity from the component's reservations first, then from free stock, which covers production beyond
 * the reservations. Refused if both together are not enough. Uses with a named lot go first, so that the lot is still
 * available.
 */
export function consume(
  workOrder: WorkOrder,
  uses: readonly Use[],
  free: FreeStock,
  holdings: Holdings,
  occurredAt: string | undefined,
): Result<{ readonly workOrder: WorkOrder; readonly consumed: readonly Consumed[] }, Refusal> {
  const takenBy = new Map<Use, Taken[]>();
  let after = workOrder;
  for (const use of [...uses].sort((a, b) => rank(a) - rank(b))) {
    const { component, reason } = use;
    const key = keyOf(workOrder.workOrderId, component);
    const facts = { reason, occurredAt };
    const lots =
      use.serialLots.length > 0
        ? use.serialLots.map(({ lot, serials }) => ({ lot, serials, qty: serials.length * 1000 }))
        : [{ lot: use.named, serials: undefined, qty: use.qty }];
    let ofHeld = 0;
    const taken: Taken[] = [];
    for (const { lot, serials, qty } of lots) {
      const { held, rest } = takeOut(holdings, key, { lot, qty }, free, { ...facts, serials });
      const there = sumOf(held) + sumOf(rest);
      if (there < qty) return refused(shortage(workOrder, use, qty, there));
      ofHeld += sumOf(held);
      taken.push(...held, ...rest);
    }
    takenBy.set(use, taken);
    after = withComponents(after, (candidate) => {
      if (candidate.lineNumber !== component.lineNumber) return candidate;
      const scrapped = candidate.scrapped + (reason === scrap ? use.qty : 0);
      return {
        ...candidate,
        allocated: candidate.allocated - ofHeld,
        consumed: candidate.consumed + use.qty,
        scrapped,
      };
    });
  }
  const totals = new Map(workOrder.components.map(({ lineNumber, consumed }) => [lineNumber, consumed]));
  const consumed = uses.map((use): Consumed => {
    const total = (totals.get(use.component.lineNumber) ?? 0) + use.qty;
    totals.set(use.component.lineNumber, total);
    return { ...use, taken: takenBy.get(use) ?? [], total };
  });
  return ok({ workOrder: after, consumed });
}

const rank = ({ named, serialLots }: Use) => (serialLots.length > 0 ? 0 : named === undefined ? 2 : 1);

function shortage({ workOrderId }: WorkOrder, { component, named }: Use, qty: number, there: number): Refusal {
  const { sku, uom } = component;
  const batch = named?.batchRef === undefined ? "" : ` of batch ${named.batchRef}`;
  return conflict(
    `Work order ${workOrderId}: ${formatQuantity(qty)} ${uom} of component ${sku}${batch} would be consumed, but ` +
      `${formatQuantity(there)} are reserved for it or free; correct the quantity, or report the missing stock first.`,
  );
}

/** The batch of a use; undefined if it has none, or came from several. */
export function batchOf(taken: readonly Taken[]): string | undefined {
  const batches = new Set(taken.map(({ lot }) => lot.batchRef));
  const [only] = batches;
  return batches.size === 1 && only !== "" ? only : undefined;
}
