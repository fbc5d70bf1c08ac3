import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import {
  beyondPlace,
  byReceipt,
  type ReceiptColumns,
  type Received,
  readReceiptPage,
  receivedUs,
} from "#/http/requests/receipt-repository.ts";
import { formatQuantity } from "#/kernel/values/quantity.ts";
import { linesMax } from "#/modules/transfers/states.ts";
import * as tables from "#/modules/transfers/tables.ts";
import type { Transfer, TransferLine } from "#/modules/transfers/transfer.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";
import { insertInto } from "#/store/db/table.ts";

const transfersMax = 1_000;

type Header = Omit<Transfer, "lines">;
type StoredLine = TransferLine & { readonly transferId: string };

const headerColumns = sql`transfer_id as "transferId", from_facility as "fromFacility", to_facility as "toFacility", status,
  notes, carrier_code as "carrierCode", tracking_number as "trackingNumber", shipped_at as "shippedAt",
  received_at as "receivedAt", updated_at as "updatedAt", version`;

/** The facility that ships: a transaction opens its book before it locks the transfer. Takes no lock. */
export async function findSender(tx: ClientTx, transferId: string): Promise<string | undefined> {
  const rows = await tx.query<{ from_facility: string }>(
    sql`select from_facility from transfer where client_id = ${tenant} and transfer_id = ${transferId} limit 1`,
  );
  return rows[0]?.from_facility;
}

/** The whole transfers, locked in key order until the transaction ends. Unknown ones are absent. */
export async function lockTransfers(tx: ClientTx, transferIds: readonly string[]): Promise<Transfer[]> {
  if (transferIds.length === 0) return [];
  const headers = tx.query<Header>(sql`select ${headerColumns} from transfer
      where client_id = ${tenant} and transfer_id = any(${transferIds}::text[])
      order by transfer_id limit ${transfersMax} for no key update`);
  // This query follows the lock on the same connection: it starts when the locks are held, so it reads protected rows.
  return assemble(...(await Promise.all([headers, listLines(tx, transferIds)])));
}

/** The transfers without a lock, in their current state. */
export async function readTransfers(tx: ClientTx, transferIds: readonly string[]): Promise<Transfer[]> {
  if (transferIds.length === 0) return [];
  const headers = tx.query<Header>(sql`select ${headerColumns} from transfer
      where client_id = ${tenant} and transfer_id = any(${transferIds}::text[])
      order by transfer_id limit ${transfersMax}`);
  return assemble(...(await Promise.all([headers, listLines(tx, transferIds)])));
}

function listLines(tx: ClientTx, transferIds: readonly string[]): Promise<StoredLine[]> {
  return tx.query(sql`select transfer_id as "transferId", line_number as "lineNumber", sku, uom,
        (qty_ordered * 1000)::bigint as ordered, (qty_allocated * 1000)::bigint as allocated,
        (qty_shipped * 1000)::bigint as shipped, (qty_received * 1000)::bigint as received,
        (qty_damaged * 1000)::bigint as damaged
      from transfer_line
      where client_id = ${tenant} and transfer_id = any(${transferIds}::text[])
      order by transfer_id, line_number limit ${transfersMax * linesMax}`);
}

function assemble<Row extends Header>(headers: readonly Row[], lines: readonly StoredLine[]): (Row & Transfer)[] {
  const linesOf = Map.groupBy(lines, ({ transferId }) => transferId);
  return headers.map((row) => ({
    ...row,
    lines: (linesOf.get(row.transferId) ?? []).map(({ transferId, ...line }) => line),
  }));
}

export interface TransferFilter {
  readonly status: string | undefined;
  readonly fromFacility: string | undefined;
  /** ISO 8601 UTC. */
  readonly updatedSince: string | undefined;
}

export interface TransferPageRequest {
  readonly filter: TransferFilter;
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

const byTransfer: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`transfer_id` };

/** A page of transfers by receipt, each with its place in the list. */
export async function listTransfers(tx: ClientTx, page: TransferPageRequest): Promise<Received<Transfer>[]> {
  const { updatedSince } = page.filter;
  const rows = await readReceiptPage(byTransfer, { ...page, updatedSince }, indexOf(page.filter), (condition) =>
    selectHeaders(tx, page, condition),
  );
  const ids = rows.map(({ transferId }) => transferId);
  return assemble(rows, ids.length === 0 ? [] : await listLines(tx, ids));
}

/** The condition that matches the index for this filter (docs/decisions/0036-statistics.md). */
function indexOf({ status, fromFacility }: TransferFilter): Statement {
  if (status !== undefined) return sql`received_at < 'infinity'`;
  return fromFacility === undefined ? sql`received_at >= '-infinity'` : sql`from_facility > ''`;
}

function selectHeaders(
  tx: ClientTx,
  { filter, sort, after, limit }: TransferPageRequest,
  index: Statement,
): Promise<Received<Header>[]> {
  const conditions = allOf([
    index,
    filter.status === undefined ? undefined : sql`status = ${filter.status}`,
    filter.fromFacility === undefined ? undefined : sql`from_facility = ${filter.fromFacility}`,
    after === undefined ? undefined : beyondPlace(byTransfer, after, sort),
  ]);
  return tx.query(sql`select ${headerColumns}, ${receivedUs} from transfer where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byTransfer, sort)} limit ${limit}`);
}

const insertHeaders = insertInto(tables.transfer);
const replaceHeaders = insertInto(tables.transfer, {
  onConflict: { set: ["status", "carrier_code", "tracking_number", "shipped_at", "updated_at", "version"] },
  returning: ["version"],
});
const replaceLines = insertInto(tables.transferLine, {
  onConflict: { set: ["qty_allocated", "qty_shipped", "qty_received", "qty_damaged"] },
  returning: ["line_number"],
});

/** The primary key resolves races: if another transaction inserts the transfer first, this transaction fails. */
export function insertTransfer(tx: ClientTransaction, transfer: Transfer): void {
  insertHeaders.send(tx, [headerOf(transfer)]);
  replaceLines.send(tx, linesOf(transfer));
}

export function writeTransfers(tx: ClientTransaction, transfers: readonly Transfer[]): void {
  replaceHeaders.send(tx, transfers.map(headerOf));
  replaceLines.send(tx, transfers.flatMap(linesOf));
}

const headerOf = (transfer: Transfer) => ({
  transfer_id: transfer.transferId,
  from_facility: transfer.fromFacility,
  to_facility: transfer.toFacility,
  status: transfer.status,
  notes: transfer.notes,
  carrier_code: transfer.carrierCode,
  tracking_number: transfer.trackingNumber,
  shipped_at: transfer.shippedAt,
  received_at: transfer.receivedAt,
  updated_at: transfer.updatedAt,
  version: transfer.version,
});

const linesOf = ({ transferId, lines }: Transfer) =>
  lines.map((line) => ({
    transfer_id: transferId,
    line_number: line.lineNumber,
    sku: line.sku,
    uom: line.uom,
    qty_ordered: formatQuantity(line.ordered),
    qty_allocated: formatQuantity(line.allocated),
    qty_shipped: formatQuantity(line.shipped),
    qty_received: formatQuantity(line.received),
    qty_damaged: formatQuantity(line.damaged),
  }));
