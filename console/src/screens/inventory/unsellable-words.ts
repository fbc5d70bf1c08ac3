import type { components } from "#operator";
import { qtyText } from "../../parts/qty.tsx";

type UnsellableStock = components["schemas"]["StockLevel"]["unsellableReasons"][number];

const words: Readonly<Record<UnsellableStock["reason"], string>> = {
  ON_HOLD: "on hold",
  QUARANTINE: "in quarantine",
  DAMAGED: "damaged",
  UNKNOWN_ITEM: "in no catalogue",
  INACTIVE: "inactive item",
  EXPIRED: "expired",
  SHELF_LIFE: "too near its expiry",
};

/** "on hold"; with several reasons "3 on hold, 60 too near its expiry". */
export function unsellableText(parts: readonly UnsellableStock[]): string {
  const [only, ...others] = parts;
  if (only === undefined) return "";
  if (others.length === 0) return words[only.reason];
  return parts.map(({ reason, qty }) => `${qtyText(qty)} ${words[reason]}`).join(", ");
}

type Level = Pick<components["schemas"]["StockLevel"], "onHold" | "unsellableReasons">;

export const expiredOf = ({ unsellableReasons }: Level): number =>
  unsellableReasons.find(({ reason }) => reason === "EXPIRED")?.qty ?? 0;

/** On hold or in quarantine. The field of the level counts expired stock too, as REST and INV do. */
export const onHoldOf = (level: Level): number => level.onHold - expiredOf(level);
