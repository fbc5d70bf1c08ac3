import type { FacilityObject } from "#/http/access/operator.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

type Find = (tx: ClientTx, id: string) => Promise<{ readonly facility_code: string | null }[]>;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const ofOrder: Find = (tx, id) =>
  tx.query(sql`select distribution_centre as facility_code from sales_order
      where client_id = ${tenant} and order_id = ${id} limit 1`);

const ofReturn: Find = (tx, id) =>
  tx.query(sql`select distribution_centre as facility_code from return_authorisation
      where client_id = ${tenant} and rma_number = ${id} limit 1`);

/** None for a number whose shipping notices go to several facilities: it concerns more than the user may change. */
const ofPurchaseOrder: Find = (tx, id) =>
  tx.query(sql`select min(distribution_centre) as facility_code from purchase_order
      where client_id = ${tenant} and po_number = ${id}
      having count(distinct distribution_centre) = 1 limit 1`);

const ofWorkOrder: Find = (tx, id) =>
  tx.query(sql`select facility_code from work_order where client_id = ${tenant} and work_order_id = ${id} limit 1`);

const ofParcel: Find = (tx, id) =>
  tx.query(sql`select facility_code from parcel where client_id = ${tenant} and olpn_id = ${id} limit 1`);

const ofOrderDocument: Find = async (tx, id) =>
  !uuid.test(id)
    ? []
    : tx.query(sql`select o.distribution_centre as facility_code from order_document d
          join sales_order o on o.client_id = ${tenant} and o.order_id = d.order_id
          where d.client_id = ${tenant} and d.document_id = ${id}::uuid limit 1`);

const ofDecision: Find = async (tx, id) =>
  !uuid.test(id)
    ? []
    : tx.query(sql`select request->>'distributionCentre' as facility_code from carrier_decision
          where client_id = ${tenant} and decision_id = ${id}::uuid limit 1`);

const ofOutboundDocument: Find = async (tx, id) =>
  !uuid.test(id)
    ? []
    : tx.query(sql`select facility_code from outbound_document
          where client_id = ${tenant} and message_id = ${id}::uuid limit 1`);

const ofCount: Find = (tx, id) =>
  tx.query(sql`select facility_code from stock_count where client_id = ${tenant} and count_id = ${id} limit 1`);

const finders: Readonly<Record<FacilityObject, Find>> = {
  order: ofOrder,
  return: ofReturn,
  purchaseOrder: ofPurchaseOrder,
  workOrder: ofWorkOrder,
  parcel: ofParcel,
  orderDocument: ofOrderDocument,
  carrierDecision: ofDecision,
  outboundDocument: ofOutboundDocument,
  count: ofCount,
};

/** The facility of an object; undefined where there is no such object, or it belongs to none. */
export async function findFacilityOf(tx: ClientTx, object: FacilityObject, id: string): Promise<string | undefined> {
  const rows = await finders[object](tx, id);
  return rows[0]?.facility_code ?? undefined;
}
