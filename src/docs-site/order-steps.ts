// Transitions of a sales order, computed with the rules that derive its state: one move of units, one hold, or the end of a parcel.
import { orderStateRules, orderStates } from "#/modules/orders/index.ts";
import type { OrderState } from "#/modules/orders/states.ts";

type Facts = Parameters<(typeof orderStateRules)[number]["holds"]>[0];
type Bucket = Exclude<keyof Facts["sum"], "ordered">;

const buckets: readonly Bucket[] = ["open", "backordered", "allocated", "picked", "packed", "despatched", "cancelled"];
/** Where units of each bucket may go: by allocation, by the warehouse, by a cancellation, or back where stock or a parcel is gone. */
const moves: Readonly<Record<Bucket, readonly Bucket[]>> = {
  open: ["backordered", "allocated", "cancelled"],
  backordered: ["allocated", "cancelled"],
  allocated: ["backordered", "picked", "cancelled"],
  picked: ["packed", "cancelled"],
  packed: ["picked", "despatched"],
  despatched: [],
  cancelled: [],
};
const ordered = 2;
const noEnds = { parcels: 0, delivered: 0, returnedToSender: 0, lost: 0 };
const inTransit = { ...noEnds, parcels: 1 };
const ended = [
  { ...inTransit, delivered: 1 },
  { ...inTransit, returnedToSender: 1 },
];

/** Every way in which two units are spread over the buckets. */
const spreads: readonly Facts["sum"][] = buckets.flatMap((first) =>
  buckets
    .filter((second) => buckets.indexOf(second) >= buckets.indexOf(first))
    .map((second) => withUnits(withUnits(none(), first, 1), second, 1)),
);

/** What an order in this state may become next, in the order of the states. */
export function orderSteps(state: OrderState): OrderState[] {
  const found = new Set<OrderState>();
  for (const sum of spreads) {
    const facts = factsOf(sum, false);
    const held = factsOf(sum, true);
    if (stateOf(facts) === state)
      for (const next of [...afterMoves(sum), ...afterEnds(facts), held]) found.add(stateOf(next));
    if (stateOf(held) === state) found.add(stateOf(facts));
  }
  return orderStates.filter((next) => next !== state && found.has(next));
}

function none(): Facts["sum"] {
  return { ordered, open: 0, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
}

function withUnits(sum: Facts["sum"], bucket: Bucket, units: number): Facts["sum"] {
  return { ...sum, [bucket]: sum[bucket] + units };
}

function factsOf(sum: Facts["sum"], hasHold: boolean, ends = sum.despatched > 0 ? inTransit : noEnds): Facts {
  return { sum, remaining: sum.ordered - sum.cancelled, hasHold, ends };
}

function stateOf(facts: Facts): OrderState {
  return orderStateRules.find(({ holds }) => holds(facts))?.state as OrderState;
}

function afterMoves(sum: Facts["sum"]): Facts[] {
  return buckets.flatMap((from) =>
    moves[from].flatMap((to) =>
      [1, 2]
        .filter((units) => units <= sum[from])
        .map((units) => factsOf(withUnits(withUnits(sum, from, -units), to, units), false)),
    ),
  );
}

function afterEnds(facts: Facts): Facts[] {
  return facts.sum.despatched > 0 ? ended.map((ends) => ({ ...facts, ends })) : [];
}
