// The order of the candidates that fit, best first.
import type { Candidate } from "#/modules/carriers/decision/candidates.ts";
import type { CompiledCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { Strategy } from "#/modules/carriers/decision/shipment.ts";

interface Ranked {
  readonly candidate: Candidate;
  readonly first: number;
  readonly second: number;
}

/**
 * CHEAPEST by cost: the price in the ranking currency and what rules prefer; FASTEST by day of delivery, then cost;
 * BALANCED by cost and so much for each day until delivery, none of known day last. Ties break by service code.
 *
 * @param today days since 1970-01-01, at the facility.
 */
export function rank(
  fitting: readonly Candidate[],
  strategy: Strategy,
  { rates, rankingCurrency, costPerDay }: Pick<CompiledCarrierData, "rates" | "rankingCurrency" | "costPerDay">,
  today: number,
): readonly Candidate[] {
  const rankOf = (candidate: Candidate): Ranked => {
    const { card, price, preference, deliveryDay = Number.POSITIVE_INFINITY } = candidate;
    const total =
      card && price && rates.convert({ value: price.total, currency: card.currency }, rankingCurrency, today);
    const cost = (total ?? Number.POSITIVE_INFINITY) + preference;
    if (strategy === "CHEAPEST") return { candidate, first: cost, second: 0 };
    if (strategy === "FASTEST") return { candidate, first: deliveryDay, second: cost };
    if (deliveryDay === Number.POSITIVE_INFINITY) return { candidate, first: deliveryDay, second: cost };
    return { candidate, first: cost + costPerDay * (deliveryDay - today), second: 0 };
  };
  return fitting
    .map(rankOf)
    .sort(
      (left, right) =>
        compare(left.first, right.first) ||
        compare(left.second, right.second) ||
        left.candidate.service.index - right.candidate.service.index,
    )
    .map(({ candidate }) => candidate);
}

function compare(left: number, right: number): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
