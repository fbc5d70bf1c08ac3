/** Why goods cannot be sold: each unit on hand that is neither available nor allocated has one of these reasons. */
export const unsellableReasons = [
  "ON_HOLD",
  "QUARANTINE",
  "DAMAGED",
  "UNKNOWN_ITEM",
  "INACTIVE",
  "EXPIRED",
  "SHELF_LIFE",
] as const;
export type UnsellableReason = (typeof unsellableReasons)[number];

export interface UnsellablePart {
  readonly reason: UnsellableReason;
  /** Integer thousandths, above 0. */
  readonly qty: number;
}

/** What the reasons are derived from: of one SKU, in integer thousandths. */
export interface UnsellableFacts {
  readonly unsellable: number;
  readonly onHold: number;
  readonly damaged: number;
  readonly quarantined: number;
  /** Of GOOD stock that is not allocated. */
  readonly expired: number;
  /** Undefined: the catalogue has no such item. */
  readonly isActive: boolean | undefined;
}

/** `unsellable` of a SKU by reason. The explanation of an order names the same reason for a lot. */
export function unsellablePartsOf(facts: UnsellableFacts): UnsellablePart[] {
  const { unsellable, onHold, damaged, quarantined, expired, isActive } = facts;
  const held = onHold - quarantined - expired;
  /** GOOD stock that the rules of the item refuse. */
  const refused = unsellable - held - quarantined - damaged;
  const ofItem: Partial<Record<UnsellableReason, number>> =
    isActive === undefined
      ? { UNKNOWN_ITEM: refused }
      : isActive
        ? { EXPIRED: expired, SHELF_LIFE: refused - expired }
        : { INACTIVE: refused };
  const parts: Partial<Record<UnsellableReason, number>> = {
    ON_HOLD: held,
    QUARANTINE: quarantined,
    DAMAGED: damaged,
    ...ofItem,
  };
  return unsellableReasons.flatMap((reason) => {
    const qty = parts[reason] ?? 0;
    return qty > 0 ? [{ reason, qty }] : [];
  });
}
