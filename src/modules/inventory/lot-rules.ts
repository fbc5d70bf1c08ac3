import { defaultPool } from "#/modules/inventory/lot.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

// The rules by which stock may be allocated, as conditions on a row `b` of `stock_balance`. Allocation, routing, the
// explanation of an order and every sum of stock use them, so that `available` is what an order can take.

/** The rules in the order in which an explanation names them. */
export const lotRuleCodes = ["CONDITION", "RESERVED", "SHELF_LIFE"] as const;
export type LotRuleCode = (typeof lotRuleCodes)[number];

/**
 * The first expiry date of an item `i` that may be allocated: the day, or `MinShelfLifeDays` after it. Null for an
 * inactive item.
 */
export const firstExpiryOfItem = (today: Statement): Statement =>
  sql`case when i.is_active then ${today} + case when i.extended_attributes ->> 'MinShelfLifeDays' ~ '^[0-9]{1,5}$'
              then (i.extended_attributes ->> 'MinShelfLifeDays')::integer else 0 end end`;

/** The same for the item of the lot. Null also for an unknown item, so that no lot of it may be allocated. */
const firstExpiry = (today: string): Statement => sql`(
            select ${firstExpiryOfItem(sql`${today}::date`)} from item i
            where i.client_id = ${tenant} and i.sku = b.sku limit 1)`;

const conditionOf: Readonly<Record<LotRuleCode, (today: string) => Statement>> = {
  CONDITION: () => sql`b.condition = 'GOOD'`,
  RESERVED: () => sql`b.allocated < b.qty`,
  SHELF_LIFE: (today) => sql`b.expiry_date >= ${firstExpiry(today)}`,
};

/** True for a lot that every rule accepts. @param today the date of the facility, `YYYY-MM-DD`. */
export function isAllocatable(today: string): Statement {
  const [first, ...others] = lotRuleCodes.map((code) => conditionOf[code](today)) as [Statement, ...Statement[]];
  return others.reduce((whole, next) => sql`${whole} and ${next}`, first);
}

/**
 * The part of a lot that is not allocated and that no order may take, 0 for a sellable lot. It is linear in the
 * quantities, so that it may be summed over a lot and its later entries.
 */
export function unsellableOf(today: string): Statement {
  return sql`case when ${conditionOf.CONDITION(today)} and ${conditionOf.SHELF_LIFE(today)} then 0
            else b.qty - b.allocated end`;
}

/** The code of the first rule that refuses a lot; null if every rule accepts it. */
export function refusalOfLot(today: string): Statement {
  return lotRuleCodes.reduceRight<Statement>(
    (others, code) => sql`case when (${conditionOf[code](today)}) is not true then ${code}::text else ${others} end`,
    sql`null::text`,
  );
}

/** The order of use of the lots of one pool: by expiry date, then by receipt. */
export const orderOfUse = sql`b.expiry_date, b.received_at, b.batch_ref`;

/** The pools that a line takes stock from, in order. */
export function poolsOf(stockPool: string): readonly string[] {
  return stockPool === defaultPool ? [defaultPool] : [stockPool, defaultPool];
}

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

/** The source of the reasons: stock of one SKU, in integer thousandths. */
interface UnsellableFacts {
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
