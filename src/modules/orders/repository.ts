import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { formatQuantity, parseQuantity } from "#/kernel/quantity.ts";
import type { Order } from "#/modules/orders/aggregate.ts";
import type { OrderContent, OrderLine } from "#/modules/orders/check-order.ts";
import type { Hold, OrderState } from "#/modules/orders/domain.ts";

/** Which of these orders exist, without a lock: an order that is about to be made has nothing to lock yet. */
export function findOrders(
  tx: Tx,
  clientId: string,
  orderIds: readonly string[],
): Promise<{ order_id: string; feed_token: string }[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select order_id, feed_token from sales_order
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) limit 1000`,
  );
}

export interface OrderWrite {
  readonly orderId: string;
  readonly token: string;
  readonly receivedAt: string;
  readonly status: OrderState;
  readonly distributionCentre: string;
  readonly isRouted: boolean;
  readonly routedBy?: Order["routedBy"];
  readonly holds: readonly Hold[];
  readonly revision: number | undefined;
  /** By when it is to leave the facility, ISO 8601 UTC. */
  readonly despatchBy?: string | undefined;
  readonly content: OrderContent;
}

function headerOf(order: OrderWrite) {
  const { content } = order;
  return {
    o: order.orderId,
    s: order.status,
    xr: content.externalOrderReference,
    ci: content.catalogId,
    og: content.origin,
    la: content.language,
    od: content.orderDate,
    sm: content.shippingMethod,
    cu: content.currency,
    sc: content.shippingCost,
    st: content.subtotal,
    tp: content.totalPrice,
    tx: content.taxes,
    bt: content.billToAddress,
    sh: content.shipToAddress,
    pm: content.payments,
    dc: order.distributionCentre,
    ro: order.isRouted,
    rb: order.routedBy,
    cc: content.carrierCode,
    ea: content.extendedAttributes,
    pr: content.priority,
    sp: content.shipPartial,
    ho: order.holds,
    rv: order.revision,
    k: order.token,
    r: order.receivedAt,
    db: order.despatchBy,
  };
}

const headerColumns = sql`o text, s text, xr text, ci text, og text, la text, od timestamptz, sm text, cu text, sc numeric,
  st numeric, tp numeric, tx jsonb, bt jsonb, sh jsonb, pm jsonb, dc text, ro boolean, rb text, cc text, ea jsonb, pr smallint,
  sp boolean, ho jsonb, rv bigint, k uuid, r timestamptz, db timestamptz`;

/** How long before its despatchBy an order is at risk (webhooks.md §3). */
const atRiskBefore = sql`interval '1 hour'`;

const insertHeaders = (json: string) => sql`insert into sales_order as o (client_id, order_id, status,
    external_order_reference, catalog_id, origin, language, order_date, shipping_method, currency, shipping_cost, subtotal,
    total_price, taxes, bill_to_address, ship_to_address, payments, distribution_centre, is_routed, routed_by,
    carrier_code, extended_attributes, priority, ship_partial, holds, revision, feed_token, received_at, updated_at, despatch_by,
    at_risk_at)
  select t.client_id, x.o, x.s, x.xr, x.ci, x.og, x.la, x.od, x.sm, x.cu, x.sc, x.st, x.tp, x.tx, x.bt, x.sh, x.pm, x.dc,
    x.ro, x.rb, x.cc, x.ea, x.pr, x.sp, x.ho, x.rv, x.k, x.r, x.r, x.db, x.db - ${atRiskBefore}
  from tenant t cross join json_to_recordset(${json}::json) as x(${headerColumns})
  where t.client_id = ${tenant}`;

/** The primary key decides: an order that another transaction inserted first fails this one, which is then run again. */
export function insertOrders(tx: Transaction, clientId: string, orders: readonly OrderWrite[]): void {
  tenantSend(tx, clientId, insertHeaders(JSON.stringify(orders.map(headerOf))));
}

/**
 * An UPDATE takes the place of what the feed said before; the order keeps its receipt. Its state is settled apart. It is due
 * at another time, and can be at risk anew, where it went to another facility.
 */
export function replaceOrders(tx: Transaction, clientId: string, orders: readonly OrderWrite[]): void {
  tenantSend(
    tx,
    clientId,
    sql`update sales_order o set external_order_reference = x.xr, catalog_id = x.ci, origin = x.og,
        language = x.la, order_date = x.od, shipping_method = x.sm, currency = x.cu, shipping_cost = x.sc, subtotal = x.st,
        total_price = x.tp, taxes = x.tx, bill_to_address = x.bt, ship_to_address = x.sh, payments = x.pm,
        distribution_centre = x.dc, is_routed = x.ro, routed_by = x.rb, carrier_code = x.cc, extended_attributes = x.ea,
        priority = x.pr, ship_partial = x.sp,
        despatch_by = case when o.distribution_centre = x.dc then o.despatch_by else x.db end,
        at_risk_at = case when o.distribution_centre = x.dc then o.at_risk_at else x.db - ${atRiskBefore} end
      from json_to_recordset(${JSON.stringify(orders.map(headerOf))}::json) as x(${headerColumns})
      where o.client_id = ${tenant} and o.order_id = x.o`,
  );
}

/** The lines of the document, all open. */
export function insertLines(tx: Transaction, clientId: string, orders: readonly OrderWrite[]): void {
  const rows = orders.flatMap((order) => order.content.lines.map((line) => lineOf(order, line)));
  tenantSend(
    tx,
    clientId,
    sql`insert into sales_order_line as l (client_id, order_id, line_number, sku, stock_pool, uom, feed_qty, feed_uom,
        line_total, unit_net_price, extended_unit_net_price, unit_gross_price, taxes, extended_attributes, qty_ordered, qty_open,
        facility_code, priority, accepted_at)
      select t.client_id, x.o, x.n, x.s, x.p, x.u, x.fq, x.fu, x.lt, x.un, x.eu, x.ug, x.tx, coalesce(x.ea, '{}'), x.q, x.q,
        x.fc, x.pr, x.ac
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(o text, n integer, s text, p text,
        u text, fq numeric, fu text, lt numeric, un numeric, eu numeric, ug numeric, tx jsonb, ea jsonb, q numeric,
        fc text, pr smallint, ac timestamptz)
      where t.client_id = ${tenant}`,
  );
}

function lineOf(order: OrderWrite, line: OrderLine) {
  const hasAttributes = Object.keys(line.extendedAttributes).length > 0;
  return {
    o: order.orderId,
    n: line.lineNumber,
    s: line.sku,
    p: line.stockPool,
    u: line.uom,
    fq: formatQuantity(line.feedQty),
    fu: line.feedUom,
    lt: line.lineTotal,
    un: line.unitNetPrice,
    eu: line.extendedUnitNetPrice,
    ug: line.unitGrossPrice,
    tx: line.taxes,
    ea: hasAttributes ? line.extendedAttributes : undefined,
    q: formatQuantity(line.qty),
    fc: order.distributionCentre,
    pr: order.content.priority,
    ac: order.receivedAt,
  };
}

export function deleteLines(tx: Transaction, clientId: string, orderIds: readonly string[]): void {
  tenantSend(
    tx,
    clientId,
    sql`delete from sales_order_line where client_id = ${tenant} and order_id = any(${orderIds}::text[])`,
  );
}

/** orderReference of an RMA: an orderId, else an externalOrderReference, of the same client. */
export function matchReferences(
  tx: Tx,
  clientId: string,
  references: readonly string[],
): Promise<{ reference: string; order_id: string }[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select order_id as reference, order_id from sales_order
        where client_id = ${tenant} and order_id = any(${references}::text[])
      union all
      select external_order_reference, order_id from sales_order
        where client_id = ${tenant} and external_order_reference = any(${references}::text[])
      limit 10000`,
  );
}

/** Despatched quantities of an order's SKUs, in integer thousandths: what a return can bring back at the most. */
export async function listDespatched(
  tx: Tx,
  clientId: string,
  orderIds: readonly string[],
): Promise<{ orderId: string; sku: string; despatched: number }[]> {
  const rows = await tenantQuery<{ order_id: string; sku: string; despatched: string }>(
    tx,
    clientId,
    sql`select order_id, sku, sum(qty_despatched) as despatched from sales_order_line
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) group by order_id, sku limit 100000`,
  );
  return rows.map((row) => ({
    orderId: row.order_id,
    sku: row.sku,
    despatched: parseQuantity(row.despatched) as number,
  }));
}
