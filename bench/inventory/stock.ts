import type pg from "pg";

/** The number of SKUs for a number of stock rows; each SKU has two rows. */
export const skusOf = (stockRows: number): number => Math.max(1, Math.floor(stockRows / 2));

const chunkSkus = 50_000;

/**
 * Inserts stock of the demo client in DC1 as a ledger leaves it. Each SKU has a plain lot and a second one. The second
 * lot is, in rotation, of a batch with an expiry date, in another pool, on hold, or damaged. A twentieth of the SKUs is
 * on order, and for as many there is unmet demand.
 */
export async function insertStock(client: pg.Client, stockRows: number): Promise<void> {
  const skus = skusOf(stockRows);
  for (let from = 1; from <= skus; from += chunkSkus) {
    const range = [from, Math.min(skus, from + chunkSkus - 1)];
    await client.query("begin");
    await client.query(
      `insert into item (client_id, sku, name, dated_at, feed_token, created_at, updated_at)
       select 'DEMO', 'BENCH-' || g, 'Item ' || g, now(), gen_random_uuid(), now(), now()
       from generate_series($1::int, $2::int) g`,
      range,
    );
    await client.query(
      `insert into stock_balance (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date, qty,
         allocated, received_at, last_position, last_moved_at)
       select 'DEMO', 'DC1', 'BENCH-' || g, case when n = 1 and g % 4 = 1 then 'B2B' else 'DEFAULT' end,
         case when n = 0 then 'GOOD' else (array['GOOD', 'GOOD', 'ON_HOLD', 'DAMAGED'])[1 + g % 4] end,
         case when n = 1 and g % 4 = 0 then 'LOT-' || g else '' end,
         case when n = 1 and g % 4 = 0 then date '2030-01-01' + g % 365 else 'infinity' end,
         10 + g % 90, case when n = 0 then g % 10 else 0 end, now(), g * 2 + n, now() - g * interval '1 second'
       from generate_series($1::int, $2::int) g, generate_series(0, 1) n`,
      range,
    );
    await client.query(
      `insert into purchase_order_line (client_id, po_number, vendor_order_id, line_number, sku, qty, feed_qty)
       select 'DEMO', 'BENCH-PO', '', g, 'BENCH-' || g, 100, 100 from generate_series($1::int, $2::int) g where g % 20 = 3`,
      range,
    );
    await client.query(
      `insert into sales_order_line (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, qty_ordered, qty_open,
         qty_backordered, facility_code, priority, accepted_at)
       select 'DEMO', 'BENCH-O-' || g, 1, 'BENCH-' || g, 'DEFAULT', 'EA', 5, 5, 0, 5, 'DC1', 5, now()
       from generate_series($1::int, $2::int) g where g % 20 = 7`,
      range,
    );
    await client.query("commit");
  }
  await client.query(
    `insert into purchase_order (client_id, po_number, vendor_order_id, status, distribution_centre, feed_token, received_at,
       updated_at)
     values ('DEMO', 'BENCH-PO', '', 'OPEN', 'DC1', gen_random_uuid(), now(), now())`,
  );
  await client.query(
    `insert into stock_book (client_id, facility_code, last_position, last_booked_at) values ('DEMO', 'DC1', $1, now())
     on conflict (client_id, facility_code) do update set last_position = excluded.last_position`,
    [skus * 2 + 1],
  );
  // Autovacuum does this within minutes of such a load.
  await client.query("vacuum analyze");
}
