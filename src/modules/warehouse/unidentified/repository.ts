import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import {
  beyondPlace,
  byReceipt,
  type ReceiptColumns,
  type Received,
  readReceiptPage,
  receivedUs,
} from "#/http/requests/receipt-repository.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { type UnidentifiedReceipt, unidentifiedReceipt } from "#/modules/warehouse/unidentified/contract.ts";
import * as tables from "#/modules/warehouse/unidentified/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";
import { insertInto } from "#/store/db/table.ts";

const columns = columnsOf(unidentifiedReceipt, "u");

/** The receipt of a facility has its id already; another one would hide it. */
export async function hasReceipt(tx: ClientTx, facilityCode: string, receiptId: string): Promise<boolean> {
  const rows = await tx.query(sql`select receipt_id from unidentified_receipt
      where client_id = ${tenant} and distribution_centre = ${facilityCode} and receipt_id = ${receiptId}
        and receipt_id > ''
      union all select receipt_id from goods_receipt
      where client_id = ${tenant} and facility_code = ${facilityCode} and receipt_id = ${receiptId} limit 1`);
  return rows.length > 0;
}

export async function findUnidentified(tx: ClientTx, unidentifiedId: string): Promise<UnidentifiedReceipt | undefined> {
  const rows = await tx.query<UnidentifiedReceipt>(sql`select ${columns} from unidentified_receipt u
      where u.client_id = ${tenant} and u.unidentified_id = ${unidentifiedId} limit 1`);
  return rows[0];
}

/** Locks them until the transaction ends. */
export async function lockUnidentified(tx: ClientTx, unidentifiedId: string): Promise<UnidentifiedReceipt | undefined> {
  const rows = await tx.query<UnidentifiedReceipt>(sql`select ${columns} from unidentified_receipt u
      where u.client_id = ${tenant} and u.unidentified_id = ${unidentifiedId} limit 1 for no key update`);
  return rows[0];
}

export interface UnidentifiedPageRequest {
  readonly filter: {
    readonly status: string | undefined;
    readonly distributionCentre: string | undefined;
    /** ISO 8601 UTC. */
    readonly updatedSince: string | undefined;
  };
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

const byId: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`unidentified_id` };

export function listUnidentified(
  tx: ClientTx,
  page: UnidentifiedPageRequest,
): Promise<Received<UnidentifiedReceipt>[]> {
  const { filter, sort, after, limit } = page;
  return readReceiptPage(byId, { ...page, updatedSince: filter.updatedSince }, indexOf(filter), (index) => {
    const conditions = allOf([
      index,
      filter.status === undefined ? undefined : sql`status = ${filter.status}`,
      filter.distributionCentre === undefined ? undefined : sql`distribution_centre = ${filter.distributionCentre}`,
      after === undefined ? undefined : beyondPlace(byId, after, sort),
    ]);
    return tx.query(sql`select ${columns}, ${receivedUs} from unidentified_receipt u
        where u.client_id = ${tenant} and ${conditions} order by ${byReceipt(byId, sort)} limit ${limit}`);
  });
}

/** The condition that matches the index for this filter (docs/decisions/0036-statistics.md). */
function indexOf({ status, distributionCentre }: UnidentifiedPageRequest["filter"]): Statement {
  if (status !== undefined) return sql`received_at < 'infinity'`;
  return distributionCentre === undefined ? sql`received_at >= '-infinity'` : sql`distribution_centre > ''`;
}

const insertReceipt = insertInto(tables.unidentifiedReceipt);
const settleReceipt = insertInto(tables.unidentifiedReceipt, {
  onConflict: { set: ["status", "po_number", "vendor_order_id", "reason", "settled_at", "updated_at", "version"] },
  returning: ["version"],
});

/** The unique index resolves races: if another transaction inserts the receipt first, this transaction fails. */
export function insertUnidentified(tx: ClientTransaction, receipt: UnidentifiedReceipt): void {
  insertReceipt.send(tx, [rowOf(receipt)]);
}

export function writeSettled(tx: ClientTransaction, receipt: UnidentifiedReceipt): void {
  settleReceipt.send(tx, [rowOf(receipt)]);
}

const rowOf = (receipt: UnidentifiedReceipt) => ({
  unidentified_id: receipt.unidentifiedId,
  distribution_centre: receipt.distributionCentre,
  receipt_id: receipt.receiptId,
  status: receipt.status,
  sscc: receipt.sscc,
  carrier_code: receipt.carrierCode,
  tracking_number: receipt.trackingNumber,
  marks: receipt.marks,
  packages: receipt.packages,
  lines: receipt.lines,
  occurred_at: receipt.occurredAt,
  po_number: receipt.poNumber,
  vendor_order_id: receipt.vendorOrderId,
  reason: receipt.reason,
  received_at: receipt.receivedAt,
  settled_at: receipt.settledAt,
  updated_at: receipt.updatedAt,
  version: receipt.version,
});
