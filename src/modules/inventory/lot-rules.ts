import { type Statement, sql, tenant } from "#/db/sql.ts";
import { defaultPool } from "#/modules/inventory/lot.ts";

/**
 * The rules by which stock may be allocated, as conditions on a row `b` of `stock_balance`. Allocation, routing and the
 * explanation of an order all use them, so that an explanation and a decision never differ.
 */

/** The rules in the order in which an explanation names them. */
export const lotRuleCodes = ["CONDITION", "RESERVED", "SHELF_LIFE"] as const;
export type LotRuleCode = (typeof lotRuleCodes)[number];

/**
 * The first expiry date that may be allocated: the day, or `MinShelfLifeDays` after it. Null for an item that is unknown
 * or inactive, so that no lot of it may be allocated.
 */
const firstExpiry = (today: string): Statement => sql`(
            select ${today}::date + case when i.extended_attributes ->> 'MinShelfLifeDays' ~ '^[0-9]{1,5}$'
              then (i.extended_attributes ->> 'MinShelfLifeDays')::integer else 0 end
            from item i where i.client_id = ${tenant} and i.sku = b.sku and i.is_active limit 1)`;

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
