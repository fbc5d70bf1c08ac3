import type pg from "pg";

const historyChunk = 50_000;

/** Inserts ended orders of the last months with their lines and documents, as after a year of operation. */
export async function insertHistory(client: pg.Client, orders: number): Promise<void> {
  for (let from = 1; from <= orders; from += historyChunk) {
    const to = Math.min(orders, from + historyChunk - 1);
    await client.query("begin");
    await client.query(
      `insert into sales_order (client_id, order_id, status, external_order_reference, origin, language, order_date, currency,
         total_price, ship_to_address, bill_to_address, distribution_centre, extended_attributes, feed_token, received_at, updated_at)
       select 'DEMO', 'H-' || g, 'DELIVERED', 'EXT-H-' || g, 'WEB', 'en', at, 'GBP', 99.95,
         '{"firstName":"Ada","lastName":"Lovelace","address1":"12 St James''s Square","city":"London","zip":"SW1Y 4JH","country":"GB"}',
         '{"firstName":"Ada","lastName":"Lovelace","address1":"12 St James''s Square","city":"London","zip":"SW1Y 4JH","country":"GB"}',
         'DC1', '{"WebOrderId":"1"}', gen_random_uuid(), at, at
       from generate_series($1::int, $2::int) g, lateral (select now() - ($3::int - g) * interval '8 seconds' as at) t`,
      [from, to, orders],
    );
    await client.query(
      `insert into sales_order_line (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, line_total, unit_net_price,
         qty_ordered, qty_open, qty_despatched, qty_delivered)
       select 'DEMO', 'H-' || g, n, 'SKU-' || 1 + (g * 7 + n) % 1000, 'DEFAULT', 'EA', 1, 19.00, 19.00, 1, 0, 1, 1
       from generate_series($1::int, $2::int) g, generate_series(1, 5) n`,
      [from, to],
    );
    await client.query("commit");
  }
  await client.query("analyze sales_order, sales_order_line");
}
