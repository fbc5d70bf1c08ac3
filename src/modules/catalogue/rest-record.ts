import { sentence } from "#/kernel/feed-codes.ts";
import { dangerousGoodsOf } from "#/kernel/values/dangerous-goods.ts";
import type { FoundItemRecord, ItemRecord } from "#/modules/catalogue/rest-contract.ts";
import type { StoredItem } from "#/modules/catalogue/rest-repository.ts";

/** The record of an item from its row. */
export function itemRecord(row: StoredItem): ItemRecord {
  return {
    sku: row.sku,
    name: row.name,
    altSku: row.alt_sku,
    eanCode: row.ean_code,
    weight: numberOf(row.weight),
    weightUomCode: row.weight_uom_code,
    height: numberOf(row.height),
    length: numberOf(row.length),
    width: numberOf(row.width),
    dimensionsUomCode: row.dimensions_uom_code,
    productType: row.product_type,
    countryOfOrigin: row.country_of_origin,
    imageUrl: row.image_url,
    dangerousGoods: dangerousGoodsOf(row.extended_attributes) ?? null,
    captureBatchRef: row.capture_batch_ref,
    extendedAttributes: row.extended_attributes,
    gtinBarcodes: [...row.barcodes],
    stockUom: row.stock_uom,
    active: row.is_active,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    warnings: row.warnings.map(sentence),
    version: row.version,
    feedToken: row.feed_token,
  };
}

/**
 * The store has at most twelve digits before the point and six after it: a double represents every practical measure of
 * them.
 */
function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}

/** One answer for each SKU, in the order of the request, without duplicates. */
export function answersOf(skus: readonly string[], rows: readonly StoredItem[]): FoundItemRecord[] {
  const bySku = new Map(rows.map((row) => [row.sku, row]));
  return [...new Set(skus)].map((sku) => {
    const row = bySku.get(sku);
    return row ? { ...itemRecord(row), found: true } : unknown(sku);
  });
}

function unknown(sku: string): FoundItemRecord {
  return {
    sku,
    found: false,
    name: null,
    altSku: null,
    eanCode: null,
    weight: null,
    weightUomCode: null,
    height: null,
    length: null,
    width: null,
    dimensionsUomCode: null,
    productType: null,
    countryOfOrigin: null,
    imageUrl: null,
    dangerousGoods: null,
    captureBatchRef: null,
    extendedAttributes: null,
    gtinBarcodes: null,
    stockUom: null,
    active: null,
    createdAt: null,
    updatedAt: null,
    warnings: null,
    version: null,
    feedToken: null,
  };
}
