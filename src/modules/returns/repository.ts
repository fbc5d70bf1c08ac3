import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import type { Entry } from "#/feeds/definition.ts";
import { formatQuantity } from "#/kernel/quantity.ts";
import type { ReturnMessage } from "#/modules/returns/domain.ts";

export function findReturns(
  tx: Tx,
  clientId: string,
  rmaNumbers: readonly string[],
): Promise<{ rma_number: string; feed_token: string }[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select rma_number, feed_token from return_authorisation
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[]) limit 1000`,
  );
}

/** The primary key decides: a return that another transaction inserted first fails this one, which is then run again. */
export function insertReturns(tx: Transaction, clientId: string, entries: readonly Entry<ReturnMessage>[]): void {
  const rows = entries.map(({ message, token, receivedAt }) => ({
    m: message.rmaNumber,
    dc: message.distributionCentre,
    f: message.orderReference,
    o: message.orderId,
    c: message.creationTimeStamp,
    k: token,
    r: receivedAt,
  }));
  tenantSend(
    tx,
    clientId,
    sql`insert into return_authorisation as r (client_id, rma_number, status, distribution_centre, order_reference,
        order_id, creation_time_stamp, feed_token, received_at, updated_at)
      select t.client_id, x.m, 'AUTHORISED', x.dc, x.f, x.o, x.c, x.k, x.r, x.r
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(m text, dc text, f text, o text,
        c timestamptz, k uuid, r timestamptz)
      where t.client_id = ${tenant}`,
  );
}

export function insertReturnLines(tx: Transaction, clientId: string, entries: readonly Entry<ReturnMessage>[]): void {
  const rows = entries.flatMap(({ message }) =>
    message.lines.map((line) => ({
      m: message.rmaNumber,
      n: line.lineNumber,
      s: line.sku,
      c: line.returnReasonCode,
      q: formatQuantity(line.qty),
      fq: formatQuantity(line.feedQty),
      fu: line.feedUom,
      a1: line.attributeOne,
      a3: line.attributeThree,
    })),
  );
  tenantSend(
    tx,
    clientId,
    sql`insert into return_authorisation_line as l (client_id, rma_number, line_number, sku, return_reason_code,
        qty_expected, feed_qty, feed_uom, attribute_one, attribute_three)
      select t.client_id, x.m, x.n, x.s, x.c, x.q, x.fq, x.fu, x.a1, x.a3
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(m text, n integer, s text, c text,
        q numeric, fq numeric, fu text, a1 text, a3 text)
      where t.client_id = ${tenant}`,
  );
}
