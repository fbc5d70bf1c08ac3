import type { ClientTx } from "#/db/database.ts";
import { byColumn, setOf } from "#/db/row-set.ts";
import { allOf, type Statement, sql, tenant } from "#/db/sql.ts";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import { beyondPlace, byReceipt, type ReceiptColumns, readReceiptPage } from "#/http/requests/receipt-repository.ts";
import type { Finding } from "#/kernel/feed-codes.ts";

/** The row of an item: numerics are exact text, times ISO 8601 UTC. */
export interface StoredItem {
  readonly sku: string;
  readonly alt_sku: string | null;
  readonly ean_code: string | null;
  readonly name: string;
  readonly weight: string | null;
  readonly weight_uom_code: string | null;
  readonly height: string | null;
  readonly length: string | null;
  readonly width: string | null;
  readonly dimensions_uom_code: string | null;
  readonly product_type: string | null;
  readonly country_of_origin: string | null;
  readonly image_url: string | null;
  readonly capture_batch_ref: boolean;
  readonly extended_attributes: Readonly<Record<string, string>>;
  readonly barcodes: readonly string[];
  readonly stock_uom: string;
  readonly is_active: boolean;
  readonly warnings: readonly Finding[];
  readonly feed_token: string;
  readonly created_at: string;
  /** The moment in microseconds: with milliseconds a cursor could step back over rows. */
  readonly created_us: number;
  readonly updated_at: string;
  readonly version: number;
}

const columns = sql`sku, alt_sku, ean_code, name, weight, weight_uom_code, height, length, width, dimensions_uom_code,
  product_type, country_of_origin, image_url, capture_batch_ref, extended_attributes, barcodes, stock_uom, is_active,
  warnings, feed_token, created_at, (extract(epoch from created_at) * 1000000)::bigint as created_us, updated_at, version`;

/** The known items of these SKUs, in no order. @param skus at most 1 000. */
export function findItems(tx: ClientTx, skus: readonly string[]): Promise<StoredItem[]> {
  return tx.query(
    setOf(
      skus,
      (keys) => sql`select ${columns} from item where client_id = ${tenant} and sku = any(${keys}::text[]) limit 1000`,
      { keys: byColumn("sku") },
    ),
  );
}

export interface ItemPageRequest {
  readonly active: boolean | undefined;
  /** ISO 8601 UTC. */
  readonly updatedSince: string | undefined;
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

const bySku: ReceiptColumns = { receivedAt: sql`created_at`, id: sql`sku` };

/** A page of items by their first receipt. */
export function listItems(tx: ClientTx, page: ItemPageRequest): Promise<StoredItem[]> {
  return readReceiptPage(bySku, page, sql`created_at >= '-infinity'`, (condition) => selectItems(tx, page, condition));
}

function selectItems(
  tx: ClientTx,
  { active, sort, after, limit }: ItemPageRequest,
  index: Statement,
): Promise<StoredItem[]> {
  const conditions = allOf([
    index,
    active === undefined ? undefined : sql`is_active = ${active}`,
    after === undefined ? undefined : beyondPlace(bySku, after, sort),
  ]);
  return tx.query(sql`select ${columns} from item where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(bySku, sort)} limit ${limit}`);
}
