/** Uses that keep a facility or a stock pool with a client: reports about its work and goods would be refused. */

import { checkFacility } from "#/intake/feeds/intake/checks.ts";
import type { Entry } from "#/intake/feeds/intake/definition.ts";
import { conflict, type Refusal } from "#/kernel/refusal.ts";
import { type PoolSettings, poolsOfClient } from "#/kernel/values/stock-pools.ts";
import type { ClientProfile } from "#/modules/clients/domain.ts";
import { shareFacilities } from "#/modules/clients/repository.ts";
import { beforeLeaving } from "#/modules/orders/states.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import { openReturn } from "#/modules/returns/states.ts";
import { openTransfer } from "#/modules/transfers/states.ts";
import { openWorkOrder } from "#/modules/workorders/states.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** Objects of a kind that are counted, and lots in the pools together, at most. */
const countMax = 1_000;

/** Kinds of open work, with their names for one and for several. */
const kinds = {
  orders: ["open order", "open orders"],
  purchase_orders: ["open purchase order", "open purchase orders"],
  returns: ["open return", "open returns"],
  work_orders: ["open work order", "open work orders"],
  transfers: ["open transfer", "open transfers"],
  counts: ["open count", "open counts"],
  lots: ["lot in stock", "lots in stock"],
} as const;

type Uses = Readonly<Record<keyof typeof kinds, number>>;

/** Why the client must keep the facilities that the change takes away; undefined if it need not. */
export async function refusalOfFacilities(
  tx: Tx,
  { clientId, facilities }: Pick<ClientProfile, "clientId" | "facilities">,
  after: readonly string[],
): Promise<Refusal | undefined> {
  const removed = facilities.filter((code) => !after.includes(code));
  if (removed.length === 0) return undefined;
  const used = (await countUses(tx.of(clientId), removed)).filter((uses) => wordsOf(uses) !== "");
  if (used.length === 0) return undefined;
  const listed = used.map((uses) => `${uses.code} has ${wordsOf(uses)}`).join("; ");
  const remedy = "Let the warehouse finish the work, or cancel it, and move or book out the stock; then take it away";
  return conflict(`client ${clientId} still uses what the change takes away: facility ${listed}. ${remedy}`);
}

function wordsOf(uses: Uses): string {
  return (Object.keys(kinds) as (keyof Uses)[])
    .filter((kind) => uses[kind] > 0)
    .map((kind) => `${countOf(uses[kind])} ${kinds[kind][uses[kind] === 1 ? 0 : 1]}`)
    .join(", ");
}

const countOf = (count: number) => (count > countMax ? `more than ${countMax}` : `${count}`);

function countUses(tx: ClientTx, codes: readonly string[]): Promise<(Uses & { readonly code: string })[]> {
  const limit = countMax + 1;
  return tx.query(sql`select f.code,
        (select count(*) from (select 1 from sales_order o
          where o.client_id = ${tenant} and o.distribution_centre = f.code and o.order_date < 'infinity'
            and o.status in ${beforeLeaving} limit ${limit}) c) as orders,
        (select count(*) from (select 1 from purchase_order p
          where p.client_id = ${tenant} and p.distribution_centre = f.code and p.status in ${openPurchaseOrder}
          limit ${limit}) c) as purchase_orders,
        (select count(*) from (select 1 from return_authorisation r
          where r.client_id = ${tenant} and r.distribution_centre = f.code and r.status in ${openReturn}
          limit ${limit}) c) as returns,
        (select count(*) from (select 1 from work_order w
          where w.client_id = ${tenant} and w.facility_code = f.code
            and w.status in ${openWorkOrder} limit ${limit}) c) as work_orders,
        (select count(*) from (select 1 from transfer r
          where r.client_id = ${tenant} and f.code in (r.from_facility, r.to_facility)
            and r.status in ${openTransfer} limit ${limit}) c) as transfers,
        (select count(*) from (select 1 from stock_count s
          where s.client_id = ${tenant} and s.facility_code = f.code and s.ended_at is null limit ${limit}) c) as counts,
        (select count(*) from (select 1 from stock_balance b
          where b.client_id = ${tenant} and b.facility_code = f.code and b.qty > 0 limit ${limit}) c) as lots
      from tenant t cross join unnest(${codes}::text[]) as f(code)
      where t.client_id = ${tenant} order by f.code limit 1000`);
}

/** Why the client must keep the stock pools that the change takes away; undefined if it need not. */
export async function refusalOfPools(
  tx: ClientTx,
  before: PoolSettings,
  after: PoolSettings,
): Promise<Refusal | undefined> {
  const [known, kept] = [poolsOfClient(before), poolsOfClient(after)];
  if (kept === "*") return undefined;
  const lost = known === "*" ? "*" : known.filter((pool) => !kept.includes(pool));
  if (lost.length === 0) return undefined;
  const isLost = lost === "*" ? sql`stock_pool <> all(${kept}::text[])` : sql`stock_pool = any(${lost}::text[])`;
  // Every client has the default pool.
  const pools = await tx.query<{ stock_pool: string; lots: number }>(
    sql`select stock_pool, count(*) as lots from (
        select stock_pool from stock_balance where client_id = ${tenant} and stock_pool <> 'DEFAULT' and ${isLost} and qty > 0
        order by stock_pool limit ${countMax + 1}) c
      group by stock_pool order by stock_pool limit ${countMax + 1}`,
  );
  if (pools.length === 0) return undefined;
  // Beyond the limit the count of the last pool is cut short, and further pools may be missing.
  const last = pools.reduce((sum, { lots }) => sum + lots, 0) > countMax ? pools.at(-1) : undefined;
  const listed = pools.map((pool) => {
    const { stock_pool, lots } = pool;
    return `stock pool ${stock_pool} has ${pool === last ? "at least " : ""}${lots} ${kinds.lots[lots === 1 ? 0 : 1]}`;
  });
  const remedy = "Move the goods to another pool (adjustment with the reason POOL_TRANSFER), then take it away";
  return conflict(`client ${tx.clientId} still uses what the change takes away: ${listed.join("; ")}. ${remedy}`);
}

/**
 * Refuses documents for a facility that was taken from the client after they were checked, and keeps the others open until
 * they are written.
 */
export async function recheckFacilities<Message>(
  tx: ClientTx,
  entries: readonly Entry<Message>[],
  facilityOf: (message: Message) => string | undefined,
): Promise<readonly string[]> {
  const facilities = await shareFacilities(tx);
  for (const { message, faults } of entries) {
    if (faults.some(({ code }) => code === "FACILITY")) continue;
    faults.push(...checkFacility(facilityOf(message), facilities, tx.clientId));
  }
  return facilities;
}
