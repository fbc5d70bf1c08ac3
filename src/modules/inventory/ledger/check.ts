import { formatQuantity, storedQuantity } from "#/kernel/values/quantity.ts";
import { describeLot } from "#/modules/inventory/lot.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** The invariants of stock (lifecycle.md §8), each with the text of its violation. */
export const stockRules = {
  BALANCE: "the balance is not the sum of its movements",
  BALANCE_ALLOCATED: "what the balance has allocated is not the sum of its movements",
  NEGATIVE: "a balance is below zero",
  ALLOCATED_LIMIT: "more is allocated than there is GOOD stock",
  HELD: "what the balance has allocated is not what orders, work orders and transfers hold of the lot",
  ORDER_ALLOCATED: "the order line's qtyAllocated is not what it holds",
  ORDER_PICKED: "the order line's qtyPicked is not what it holds",
  ORDER_PACKED: "the order line's qtyPacked is not what it holds",
  KIT: "the component's qtyOrdered is not that of the kits that are not taken from stock",
  WORK_ORDER: "the component's qtyAllocated is not what it holds",
  TRANSFER: "the transfer's qtyAllocated is not what it holds",
  TRANSFER_SHIPPED: "what left the sending facility is not what was received, is in transit or was lost",
  TRANSFER_RECEIVED: "the transfer's qtyReceived is not what the receipts booked",
  SERIALS: "there are not as many serial numbers in stock as units",
  POSITIONS: "the book's last position is not the number of its entries",
} as const;

type StockRule = keyof typeof stockRules;

export interface BrokenRule {
  readonly rule: StockRule;
  /** The object with the fault, as readable text. */
  readonly object: string;
  readonly facilityCode: string | undefined;
  /** Undefined if the fault concerns the book itself. */
  readonly sku: string | undefined;
  /** Integer thousandths; for POSITIONS and SERIALS counts times a thousand. */
  readonly found: number;
  readonly expected: number;
}

const brokenMax = 1_000;

/**
 * Checks all stock of a client against `stockRules`, as one statement sees it, and returns the broken rules; at most a
 * thousand. It reads the whole ledger: run it in a transaction with a longer statement time-out.
 */
export async function checkStock(tx: ClientTx): Promise<BrokenRule[]> {
  return (await listBroken(tx, brokenMax)).map((row) => ({
    rule: row.rule,
    object: objectOf(row),
    facilityCode: row.facilityCode ?? undefined,
    sku: row.sku ?? undefined,
    found: storedQuantity(row.found),
    expected: storedQuantity(row.expected),
  }));
}

function objectOf({ facilityCode, ownerId, lineNumber, sku, condition, ...of }: Difference): string {
  const { stockPool, batchRef, expiryDate } = of;
  const lot = sku && {
    sku,
    stockPool: stockPool ?? "DEFAULT",
    batchRef: batchRef ?? "",
    expiryDate: expiryDate ?? "infinity",
  };
  const place = lot && [describeLot(lot), condition, facilityCode && `in ${facilityCode}`];
  const owner = ownerId && `${ownerId} line ${lineNumber}`;
  return [owner, ...(place || [facilityCode])].filter(Boolean).join(" ");
}

/** The broken rule as one sentence. */
export function describeBroken({ rule, object, found, expected }: BrokenRule): string {
  return `${object}: ${stockRules[rule]}: ${formatQuantity(found)}, expected ${formatQuantity(expected)}`;
}

// Compares stock with orders and work orders. Only this file reads across their tables to prove that they agree.

type LotField = "facilityCode" | "sku" | "stockPool" | "condition" | "batchRef" | "expiryDate";

/** Two readings of a quantity; a null is not a part of the key under which they are compared. */
interface Difference extends Readonly<Record<LotField | "ownerId", string | null>> {
  readonly rule: StockRule;
  readonly lineNumber: number | null;
  readonly found: string;
  readonly expected: string;
}

/** Each rule puts two readings of the same quantity under one key and keeps those that differ. */
function listBroken(tx: ClientTx, limit: number): Promise<Difference[]> {
  return tx.query(sql`with balance as materialized (
        select b.facility_code, b.sku, b.stock_pool, b.condition, b.batch_ref, b.expiry_date, b.qty, b.allocated
        from stock_balance b where b.client_id = ${tenant} and b.sku > ''
      ), entry as materialized (
        select k.facility_code, e.sku, e.stock_pool, e.condition, e.batch_ref, e.expiry_date, e.qty, e.allocated, e.entries
        from (
          select b.facility_code from stock_book b where b.client_id = ${tenant} order by b.facility_code limit 10000
        ) k
        cross join lateral (
          select m.sku, m.stock_pool, m.condition, m.batch_ref, m.expiry_date,
            coalesce(sum(m.qty) filter (where m.affects_on_hand), 0) as qty, sum(m.allocated_change) as allocated,
            count(*) as entries
          from stock_movement m
          where m.client_id = ${tenant} and m.facility_code = k.facility_code and m.position > 0
          group by m.sku, m.stock_pool, m.condition, m.batch_ref, m.expiry_date
        ) e
      ), held as materialized (
        select r.owner_type, r.owner_id, r.line_number, r.facility_code, r.sku, r.stock_pool, r.batch_ref, r.expiry_date,
          r.qty_allocated, r.qty_picked, r.qty_packed
        from stock_reservation r where r.client_id = ${tenant} and r.sku > ''
      ), serial as materialized (
        select s.sku, s.facility_code, s.stock_pool, s.batch_ref, s.expiry_date
        from stock_serial s where s.client_id = ${tenant} and s.state = 'IN_STOCK'
      ), kept as materialized (
        select c.sku from (select sku from balance union select sku from serial) c
        cross join lateral (
          select i.extended_attributes ->> 'CaptureSerial' as is_kept from item i
          where i.client_id = ${tenant} and i.sku = c.sku limit 1
        ) a
        where lower(btrim(a.is_kept)) in ('true', '1')
      )
      select 'BALANCE' as rule, u.facility_code as "facilityCode", null as "ownerId", null::integer as "lineNumber", u.sku,
        u.stock_pool as "stockPool", u.condition, u.batch_ref as "batchRef", u.expiry_date as "expiryDate",
        sum(u.found) as found, sum(u.expected) as expected
      from (
        select facility_code, sku, stock_pool, condition, batch_ref, expiry_date, qty as found, 0 as expected from balance
        union all
        select facility_code, sku, stock_pool, condition, batch_ref, expiry_date, 0, qty from entry
      ) u
      group by u.facility_code, u.sku, u.stock_pool, u.condition, u.batch_ref, u.expiry_date
      having sum(u.found) <> sum(u.expected)
      union all
      select 'BALANCE_ALLOCATED', u.facility_code, null, null, u.sku, u.stock_pool, u.condition, u.batch_ref, u.expiry_date,
        sum(u.found), sum(u.expected)
      from (
        select facility_code, sku, stock_pool, condition, batch_ref, expiry_date, allocated as found, 0 as expected
        from balance
        union all
        select facility_code, sku, stock_pool, condition, batch_ref, expiry_date, 0, allocated from entry
      ) u
      group by u.facility_code, u.sku, u.stock_pool, u.condition, u.batch_ref, u.expiry_date
      having sum(u.found) <> sum(u.expected)
      union all
      select 'NEGATIVE', facility_code, null, null, sku, stock_pool, condition, batch_ref, expiry_date,
        least(qty, allocated), 0
      from balance where qty < 0 or allocated < 0
      union all
      select 'ALLOCATED_LIMIT', facility_code, null, null, sku, stock_pool, condition, batch_ref, expiry_date, allocated,
        case when condition = 'GOOD' then qty else 0 end
      from balance where allocated > case when condition = 'GOOD' then qty else 0 end
      union all
      select 'HELD', u.facility_code, null, null, u.sku, u.stock_pool, 'GOOD', u.batch_ref, u.expiry_date, sum(u.found),
        sum(u.expected)
      from (
        select facility_code, sku, stock_pool, batch_ref, expiry_date, allocated as found, 0 as expected
        from balance where condition = 'GOOD'
        union all
        select facility_code, sku, stock_pool, batch_ref, expiry_date, 0, qty_allocated + qty_picked + qty_packed from held
      ) u
      group by u.facility_code, u.sku, u.stock_pool, u.batch_ref, u.expiry_date
      having sum(u.found) <> sum(u.expected)
      union all
      select v.rule, null, v.owner_id, v.line_number, v.sku, null, null, null, null, v.found, v.expected
      from (
        select u.owner_id, u.line_number, u.sku, sum(u.allocated) as allocated, sum(u.held_allocated) as held_allocated,
          sum(u.picked) as picked, sum(u.held_picked) as held_picked, sum(u.packed) as packed,
          sum(u.held_packed) as held_packed
        from (
          select l.order_id as owner_id, l.line_number, l.sku, l.qty_allocated as allocated, l.qty_picked as picked,
            l.qty_packed as packed, 0 as held_allocated, 0 as held_picked, 0 as held_packed
          from sales_order_line l
          where l.client_id = ${tenant} and l.qty_despatched + l.qty_cancelled < l.qty_ordered
            and l.qty_allocated + l.qty_picked + l.qty_packed > 0 and l.kit_qty is distinct from 0
          union all
          select owner_id, line_number, sku, 0, 0, 0, qty_allocated, qty_picked, qty_packed
          from held where owner_type = 'ORDER'
        ) u
        group by u.owner_id, u.line_number, u.sku
      ) o
      cross join lateral (values
        ('ORDER_ALLOCATED', o.owner_id, o.line_number, o.sku, o.allocated, o.held_allocated),
        ('ORDER_PICKED', o.owner_id, o.line_number, o.sku, o.picked, o.held_picked),
        ('ORDER_PACKED', o.owner_id, o.line_number, o.sku, o.packed, o.held_packed)
      ) as v(rule, owner_id, line_number, sku, found, expected)
      where v.found <> v.expected
      union all
      select 'KIT', null, c.order_id, c.line_number, c.sku, null, null, null, null, c.qty_ordered,
        (k.qty_ordered - k.built) * c.kit_qty
      from sales_order_line c
      cross join lateral (
        select min(l.qty_ordered) filter (where l.kit_qty = 0) as qty_ordered,
          min(l.qty_ordered) filter (where l.kit_qty > 0) as built
        from sales_order_line l
        where l.client_id = ${tenant} and l.order_id = c.order_id
          and l.line_number in (c.line_number % 1000000, 1000000 + c.line_number % 1000000)
      ) k
      where c.client_id = ${tenant} and c.qty_despatched + c.qty_cancelled < c.qty_ordered and c.kit_qty > 0
        and c.line_number / 1000000 > 1 and c.qty_ordered is distinct from (k.qty_ordered - k.built) * c.kit_qty
      union all
      select 'WORK_ORDER', null, u.owner_id, u.line_number, u.sku, null, null, null, null, sum(u.found), sum(u.expected)
      from (
        select c.work_order_id as owner_id, c.line_number, c.sku, c.qty_allocated as found, 0 as expected
        from work_order_component c where c.client_id = ${tenant} and c.qty_allocated > 0
        union all
        select owner_id, line_number, sku, 0, qty_allocated + qty_picked + qty_packed
        from held where owner_type = 'WORK_ORDER'
      ) u
      group by u.owner_id, u.line_number, u.sku
      having sum(u.found) <> sum(u.expected)
      union all
      select 'TRANSFER', null, u.owner_id, u.line_number, u.sku, null, null, null, null, sum(u.found), sum(u.expected)
      from (
        select l.transfer_id as owner_id, l.line_number, l.sku, l.qty_allocated as found, 0 as expected
        from transfer_line l where l.client_id = ${tenant} and l.qty_allocated > 0
        union all
        select owner_id, line_number, sku, 0, qty_allocated + qty_picked + qty_packed
        from held where owner_type = 'TRANSFER'
      ) u
      group by u.owner_id, u.line_number, u.sku
      having sum(u.found) <> sum(u.expected)
      union all
      select v.rule, null, l.transfer_id, l.line_number, l.sku, null, null, null, null, v.found, v.expected
      from transfer_line l
      join transfer t on t.client_id = ${tenant} and t.transfer_id = l.transfer_id
      cross join lateral (
        select coalesce(-sum(m.qty), 0) as qty from stock_movement m
        where m.client_id = ${tenant} and m.reference_id = l.transfer_id and m.sku = l.sku
          and m.reference_type = 'transfer' and m.type = 'DESPATCH'
      ) s
      cross join lateral (
        select coalesce(sum(o.qty), 0) as qty from purchase_order_line o
        where o.client_id = ${tenant} and o.po_number = l.transfer_id and o.vendor_order_id = t.from_facility
          and o.line_number = l.line_number
      ) p
      cross join lateral (
        select coalesce(sum(g.qty), 0) as qty
        from goods_receipt r
        join goods_receipt_line g on g.client_id = ${tenant} and g.facility_code = r.facility_code
          and g.receipt_id = r.receipt_id and g.line_number = l.line_number
        where r.client_id = ${tenant} and r.po_number = l.transfer_id and r.vendor_order_id = t.from_facility
          and r.corrected_by is null
      ) b
      cross join lateral (values
        ('TRANSFER_SHIPPED', s.qty, least(b.qty, p.qty) + greatest(p.qty - b.qty, 0)),
        ('TRANSFER_SHIPPED', s.qty, l.qty_shipped),
        ('TRANSFER_RECEIVED', l.qty_received, b.qty)
      ) as v(rule, found, expected)
      where l.client_id = ${tenant} and v.found <> v.expected
      union all
      select 'SERIALS', u.facility_code, null, null, u.sku, u.stock_pool, null, u.batch_ref, u.expiry_date, sum(u.found),
        sum(u.expected)
      from (
        select facility_code, sku, stock_pool, batch_ref, expiry_date, 1 as found, 0 as expected from serial
        union all
        select facility_code, sku, stock_pool, batch_ref, expiry_date, 0, qty from balance
      ) u
      where u.sku in (select sku from kept)
      group by u.facility_code, u.sku, u.stock_pool, u.batch_ref, u.expiry_date
      having sum(u.found) <> sum(u.expected)
      union all
      select 'POSITIONS', u.facility_code, null, null, null, null, null, null, null, sum(u.found), sum(u.expected)
      from (
        (select b.facility_code, b.last_position - b.skipped_positions as found, 0 as expected
          from stock_book b where b.client_id = ${tenant} order by b.facility_code limit 10000)
        union all
        select facility_code, 0, entries from entry
      ) u
      group by u.facility_code having sum(u.found) <> sum(u.expected)
      order by 1, 2, 5, 3, 4 limit ${limit}`);
}
