import { ofParcel, type PurchaseState } from "#/modules/labels/states.ts";
import type { ClientTransaction, ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { insertInto, table } from "#/store/db/table.ts";

const labelPurchase = table("label_purchase", ["purchase_id"], {
  purchase_id: "uuid",
  order_id: "text",
  olpn_id: "text",
  facility_code: "text",
  carrier_code: "text",
  service_code: "text",
  sources: "text[]",
  rank: "smallint",
  source_code: "text",
  status: "text",
  is_sent: "boolean",
  tries: "integer",
  due_at: "timestamptz?",
  request: "jsonb?",
  error: "text?",
  created_at: "timestamptz",
  updated_at: "timestamptz",
});
const insertAll = insertInto(labelPurchase);

/** The input of a source for one label. */
export interface PurchaseRequest {
  /** The values of templates: service, from, to, parcel, goods, customs, order, shipDate. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The content of the platform's label, where the sources end with it. */
  readonly ownLabel?: unknown;
}

export interface PurchaseOrderOfLabel {
  readonly orderId: string;
  readonly olpnId: string;
  readonly facilityCode: string;
  readonly carrierCode: string;
  readonly serviceCode: string;
  /** In the order in which they are tried. */
  readonly sources: readonly string[];
  readonly request: PurchaseRequest | null;
}

export interface Purchase extends PurchaseOrderOfLabel {
  /** UUIDv7: the key under which the source sells it once. */
  readonly purchaseId: string;
  readonly rank: number;
  readonly sourceCode: string;
  readonly status: PurchaseState;
  /** A source may have sold a label that no answer has reported. */
  readonly isSent: boolean;
  readonly tries: number;
  readonly externalId: string | null;
  readonly trackingNumber: string | null;
  readonly error: string | null;
}

export const purchaseColumns = sql`p.purchase_id as "purchaseId", p.order_id as "orderId", p.olpn_id as "olpnId",
  p.facility_code as "facilityCode", p.carrier_code as "carrierCode", p.service_code as "serviceCode", p.sources, p.rank,
  p.source_code as "sourceCode", p.status, p.is_sent as "isSent", p.tries, p.request, p.external_id as "externalId",
  p.tracking_number as "trackingNumber", p.error`;

/** Begins purchases at the source of their rank, with the change that needs the labels. */
export function startPurchases(
  tx: UnitOfWork,
  orders: readonly PurchaseOrderOfLabel[],
  rank = 0,
  status: PurchaseState = "PENDING",
): void {
  const { at, ids } = tx.change;
  const rows = orders.map((order) => ({
    purchase_id: ids.next(Date.parse(at)),
    order_id: order.orderId,
    olpn_id: order.olpnId,
    facility_code: order.facilityCode,
    carrier_code: order.carrierCode,
    service_code: order.serviceCode,
    sources: order.sources,
    rank,
    source_code: order.sources[rank] as string,
    status,
    is_sent: false,
    tries: 0,
    due_at: status === "PENDING" ? at : null,
    request: status === "PENDING" ? order.request : null,
    created_at: at,
    updated_at: at,
  }));
  insertAll.send(tx, rows);
}

/**
 * The labels of these parcels are not needed: what was bought, or may have been, is given back. An attempt that runs keeps
 * its lease, and its result is given back as well.
 */
export function voidPurchases(tx: ClientTransaction, at: string, olpnIds: readonly string[]): void {
  tx.send(sql`update label_purchase set status = case when is_sent or external_id is not null then 'VOIDING' else 'VOIDED' end,
        tries = case when due_at > ${at}::timestamptz then tries else 0 end, request = null, updated_at = ${at}::timestamptz,
        due_at = case when is_sent or external_id is not null then greatest(due_at, ${at}::timestamptz) end
      where client_id = ${tenant} and olpn_id = any(${olpnIds}::text[]) and status in ${ofParcel}`);
}

/** The purchase of a parcel's label: pending, bought or failed. Undefined: the platform prints it, or nothing is bought any more. */
export async function findPurchaseOf(tx: ClientTx, olpnId: string): Promise<Purchase | undefined> {
  const rows = await tx.query<Purchase>(sql`select ${purchaseColumns} from label_purchase p
      where p.client_id = ${tenant} and p.olpn_id = ${olpnId} and p.status in ${ofParcel} limit 1`);
  return rows[0];
}

/** A purchase by its id, locked to the end of the transaction. */
export async function lockPurchase(tx: ClientTx, purchaseId: string): Promise<Purchase | undefined> {
  const rows = await tx.query<Purchase>(sql`select ${purchaseColumns} from label_purchase p
      where p.client_id = ${tenant} and p.purchase_id = ${purchaseId}::uuid limit 1 for no key update`);
  return rows[0];
}

/** Due purchases of a source, claimed until the lease ends: a worker that dies leaves them to another one. */
export function claimPurchases(tx: ClientTx, { sourceCode, at, leaseUntil, limit }: Claim): Promise<Purchase[]> {
  return tx.query(sql`update label_purchase p set due_at = ${leaseUntil}::timestamptz, tries = p.tries + 1,
        is_sent = p.is_sent or p.status = 'PENDING', updated_at = ${at}::timestamptz
      from (select purchase_id, is_sent from label_purchase
        where client_id = ${tenant} and source_code = ${sourceCode} and due_at is not null and due_at <= ${at}::timestamptz
        order by due_at limit ${limit} for no key update skip locked) d
      where p.client_id = ${tenant} and p.purchase_id = d.purchase_id
      returning p.purchase_id as "purchaseId", p.order_id as "orderId", p.olpn_id as "olpnId",
        p.facility_code as "facilityCode", p.carrier_code as "carrierCode", p.service_code as "serviceCode", p.sources,
        p.rank, p.source_code as "sourceCode", p.status, d.is_sent as "isSent", p.tries, p.request,
        p.external_id as "externalId", p.tracking_number as "trackingNumber", p.error`);
}

interface Claim {
  readonly sourceCode: string;
  readonly at: string;
  readonly leaseUntil: string;
  readonly limit: number;
}

/** The next state of a purchase after an attempt or an operator's action. */
export interface PurchaseStep {
  readonly status: PurchaseState;
  readonly isSent: boolean;
  readonly tries: number;
  readonly dueAt: string | null;
  readonly error: string | null;
  readonly keepsRequest: boolean;
  readonly externalId?: string | null | undefined;
  readonly trackingNumber?: string | null | undefined;
  readonly price?: string | null | undefined;
  readonly currency?: string | null | undefined;
}

export function movePurchase(tx: ClientTransaction, at: string, purchaseId: string, step: PurchaseStep): void {
  tx.send(sql`update label_purchase set status = ${step.status}, is_sent = ${step.isSent}, tries = ${step.tries}::integer,
        due_at = ${step.dueAt}::timestamptz, error = ${step.error}, updated_at = ${at}::timestamptz,
        request = case when ${step.keepsRequest}::boolean then request end,
        external_id = coalesce(${step.externalId ?? null}, external_id),
        tracking_number = coalesce(${step.trackingNumber ?? null}, tracking_number),
        price = coalesce(${step.price ?? null}::numeric, price), currency = coalesce(${step.currency ?? null}, currency)
      where client_id = ${tenant} and purchase_id = ${purchaseId}::uuid`);
}

/**
 * Repeats a failed purchase for an operator. A refused one begins again at the first source, under another key: a source may
 * answer the old key with the old refusal. @returns false: there is nothing to repeat
 */
export function retryPurchase(tx: UnitOfWork, purchase: Purchase): boolean {
  const { at } = tx.change;
  const { purchaseId, status, isSent, request } = purchase;
  const again = { tries: 0, dueAt: at, error: null, isSent };
  if (status === "VOID_FAILED") {
    movePurchase(tx, at, purchaseId, { ...again, status: "VOIDING", isSent: true, keepsRequest: false });
    return true;
  }
  if (status !== "FAILED" || request === null) return false;
  if (isSent) movePurchase(tx, at, purchaseId, { ...again, status: "PENDING", keepsRequest: true });
  else {
    const { error } = purchase;
    movePurchase(tx, at, purchaseId, { ...again, status: "REFUSED", dueAt: null, error, keepsRequest: false });
    startPurchases(tx, [purchase]);
  }
  return true;
}

/** Asks the source from then on where the parcel is; null: not any more. */
export function trackFrom(tx: ClientTransaction, purchaseIds: readonly string[], dueAt: string | null): void {
  tx.send(sql`update label_purchase set track_due_at = ${dueAt}::timestamptz
      where client_id = ${tenant} and purchase_id = any(${purchaseIds}::uuid[])`);
}

/** Bought labels whose parcels are due to be tracked, claimed until the lease ends. */
export function claimTracked(tx: ClientTx, { sourceCode, at, leaseUntil, limit }: Claim): Promise<Purchase[]> {
  return tx.query(sql`update label_purchase p set track_due_at = ${leaseUntil}::timestamptz
      from (select purchase_id from label_purchase
        where client_id = ${tenant} and source_code = ${sourceCode} and track_due_at is not null
          and track_due_at <= ${at}::timestamptz
        order by track_due_at limit ${limit} for no key update skip locked) d
      where p.client_id = ${tenant} and p.purchase_id = d.purchase_id
      returning ${purchaseColumns}`);
}
