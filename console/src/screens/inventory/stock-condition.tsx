import { useFacilityTimezone } from "../../directory.ts";
import { ConditionBadge } from "../../parts/condition-badge.tsx";
import { dayIn } from "../../time-range.ts";

interface StockConditionProps {
  readonly condition: string;
  /** Last good day; null for none. */
  readonly expiryDate: string | null;
  readonly distributionCentre: string;
}

/** The condition of stock today: good goods are expired after their last good day, in the zone of their facility. */
export function StockCondition({ condition, expiryDate, distributionCentre }: StockConditionProps) {
  const today = dayIn(Date.now(), useFacilityTimezone(distributionCentre));
  const isExpired = condition === "GOOD" && expiryDate !== null && expiryDate < today;
  return <ConditionBadge condition={isExpired ? "EXPIRED" : condition} />;
}
