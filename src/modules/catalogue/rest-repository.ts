import Type from "typebox";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import { beyondPlace, byReceipt, type ReceiptColumns, readReceiptPage } from "#/http/requests/receipt-repository.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { type Finding, sentence } from "#/kernel/feed-codes.ts";
import { customsDestinations, customsGoodsOf, rulesOf, unmetRules } from "#/kernel/values/customs-rules.ts";
import { dangerousGoodsOf } from "#/kernel/values/dangerous-goods.ts";
import {
  type FoundItemRecord,
  type ItemCustoms,
  type ItemRecord,
  item,
  itemAnswer,
} from "#/modules/catalogue/rest-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";

/** The row of an item: its dangerous goods are in its attributes, and its warnings have codes. */
export interface StoredItem extends Omit<ItemRecord, "dangerousGoods" | "warnings"> {
  readonly warnings: readonly Finding[];
  /** The moment in microseconds: with milliseconds a cursor could step back over rows. */
  readonly createdUs: number;
}

const rowColumns = columnsOf(Type.Omit(item, ["dangerousGoods"]), "item", {
  gtinBarcodes: sql`barcodes`,
  active: sql`is_active`,
  // The attribute may be any text.
  availableFrom: sql`substring(extended_attributes ->> 'AvailableFrom' from '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$')`,
  components: sql`coalesce(components, '[]')`,
});
const columns = sql`${rowColumns}, (extract(epoch from created_at) * 1000000)::bigint as "createdUs"`;

/** The known items of these SKUs, in no order. @param skus at most 1 000. */
export function findItems(tx: ClientTx, skus: readonly string[]): Promise<StoredItem[]> {
  return tx.query(
    setOf(
      skus,
      (keys) => sql`select ${columns} from item where client_id = ${tenant} and sku = any(${keys}::text[]) limit 1000`,
      { reads: "item", keys: byColumn("sku") },
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

export function itemRecord({ warnings, ...row }: StoredItem): ItemRecord {
  return {
    ...row,
    dangerousGoods: dangerousGoodsOf(row.extendedAttributes) ?? null,
    warnings: warnings.map(sentence),
  };
}

export function customsRecord(clientId: string, item: StoredItem): ItemCustoms {
  const goods = customsGoodsOf(item);
  const rules = unmetRules(goods);
  return {
    clientId,
    sku: item.sku,
    description: goods.description,
    hsCode: goods.hsCode ?? null,
    countryOfOrigin: goods.countryOfOrigin ?? null,
    productIdentifiers: goods.identifiers,
    destinations: customsDestinations.map((destination) => {
      const unmet = rulesOf(rules, destination, false);
      const lacks = unmet.map(({ code, field, needs, since, source }) => ({ code, field, needs, since, source }));
      return { destination, isComplete: lacks.length === 0, lacks };
    }),
  };
}

/** One answer for each SKU, in the order of the request, without duplicates. */
export function answersOf(skus: readonly string[], rows: readonly StoredItem[]): FoundItemRecord[] {
  const bySku = new Map(rows.map((row) => [row.sku, row]));
  return [...new Set(skus)].map((sku) => {
    const row = bySku.get(sku);
    return row ? { ...itemRecord(row), found: true } : unknown(sku);
  });
}

const nothing = Object.fromEntries(Object.keys(itemAnswer.properties).map((name) => [name, null]));
const unknown = (sku: string) => ({ ...nothing, sku, found: false }) as FoundItemRecord;
