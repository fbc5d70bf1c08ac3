// Where the content of an order is: in order_content, or, if it was accepted before the last node of 0.2.0 was gone, in its
// own row (docs/decisions/0081-contents-of-orders.md). It stays where it was written first.

import { contentOfOrder } from "#/modules/orders/tables.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { type Statement, sql } from "#/store/db/sql.ts";
import { type Answered, selectFrom } from "#/store/db/table.ts";

/** Matches an order `sales_order` with its content in its own row: each address has a country, until it is erased. */
export const hasOwnContent: Statement = sql`sales_order.ship_to_address <> '{}'`;

type Content = Answered<typeof contentOfOrder.columns>;

const read = selectFrom(contentOfOrder, { by: "order_id", limit: 20_000 });

/**
 * The content of these orders, by orderId, in the fields of the REST API. An order that has it in its own row is missing:
 * `{ ...row, ...contents.get(orderId) }` is right for both.
 */
export async function readContents(tx: ClientTx, orderIds: readonly string[]): Promise<ReadonlyMap<string, object>> {
  const rows = await read.query(tx, orderIds);
  return new Map(rows.map((row) => [row.order_id, fieldsOf(row)]));
}

const fieldsOf = (row: Content) => ({
  shipToAddress: row.ship_to_address,
  billToAddress: row.bill_to_address,
  taxes: row.taxes,
  payments: row.payments,
  extendedAttributes: row.extended_attributes,
});

/** The orders with their content, wherever it is. */
export async function withContents<Row extends { readonly order_id: string }>(
  tx: ClientTx,
  orderIds: readonly string[],
  orders: Promise<Row[]>,
): Promise<Row[]> {
  const [rows, contents] = await Promise.all([orders, read.query(tx, orderIds)]);
  const byOrder = new Map(contents.map((content) => [content.order_id, content]));
  return rows.map((row) => ({ ...row, ...byOrder.get(row.order_id) }));
}
