import { sentence } from "#/kernel/feed-codes.ts";
import { dangerousGoodsOf } from "#/kernel/values/dangerous-goods.ts";
import { type FoundItemRecord, type ItemRecord, itemAnswer } from "#/modules/catalogue/rest-contract.ts";
import type { StoredItem } from "#/modules/catalogue/rest-repository.ts";

/** The record of an item from its row. */
export function itemRecord({ warnings, ...row }: StoredItem): ItemRecord {
  return {
    ...row,
    dangerousGoods: dangerousGoodsOf(row.extendedAttributes) ?? null,
    warnings: warnings.map(sentence),
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
