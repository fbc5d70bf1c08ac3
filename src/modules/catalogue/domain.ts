import type { Checked, FeedClient } from "#/feeds/intake/definition.ts";
import { checkLimit, itemsMax } from "#/feeds/intake/limits.ts";
import { checkPathSegments } from "#/feeds/park/actions.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { itemShape } from "#/modules/catalogue/contract.ts";
import { type ReadItem, readItem, weightUnitCodes } from "#/modules/catalogue/read-item.ts";
import { element, many, mapped, text, type ValueOf } from "#/xml/index.ts";

/** CAT, root `itemMaster` (specification §2.5). */
export const itemMasterShape = element({
  children: { clientId: text, date: text, item: many(mapped(itemShape, readItem)) },
});

export type ItemMaster = ValueOf<typeof itemMasterShape>;

/** Items are written in chunks of this size: statements stay bounded, and other documents get turns in between. */
export const chunkItems = 2_000;

export interface ItemChunk {
  readonly skus: readonly string[];
  /** The EAN of each SKU, in the same order; null for none. */
  readonly eans: readonly (string | null)[];
  readonly stockUnits: readonly (string | null)[];
  /** Each scannable barcode with its SKU. */
  readonly barcodes: readonly (readonly [barcode: string, sku: string])[];
  /**
   * `ItemRow[]` as the bytes of its JSON: created by the reader of the document and passed unchanged to the statement.
   */
  readonly json: Uint8Array<ArrayBuffer>;
}

export interface CatalogueMessage {
  /** In MERGE mode: items with a weight but no weight unit, each with its place in the document. */
  readonly unitless: readonly { readonly sku: string; readonly path: string }[];
  /** The document's own date-time, as sent. */
  readonly date: string;
  readonly chunks: readonly ItemChunk[];
}

export const lackOfWeightUnit = (path: string): Finding =>
  finding("VALUE", `${path}/weightUomCode: is required where a weight is given; allowed: ${weightUnitCodes}`);

/** Checks everything in a CAT that needs no database. A fault or a warning names the item's place and value. */
export function checkItemMaster(raw: ItemMaster, { settings }: FeedClient): Checked<CatalogueMessage> {
  const faults: Finding[] = checkLimit(raw.item.length, itemsMax, "items");
  const warnings: Finding[] = [];
  const places = new Map<string, number>();
  const eans = new Map<string, string>();
  const unitless: { sku: string; path: string }[] = [];
  const items = raw.item.slice(0, itemsMax);
  items.forEach(({ sku, ean, lacksWeightUnit, findings }, i) => {
    const path = raw.item.length === 1 ? "item" : `item[${i + 1}]`;
    const before = places.get(sku);
    if (before !== undefined) {
      const text = `${path}/sku: SKU '${sku}' is in the document twice, first as item[${before + 1}]`;
      faults.push(finding("VALUE", text));
    }
    faults.push(...checkPathSegments({ [`${path}/sku`]: sku }));
    places.set(sku, i);
    const holder = ean === null ? undefined : eans.get(ean);
    if (holder !== undefined && holder !== sku) {
      faults.push(finding("EAN", `EAN ${ean} of SKU ${sku} is already mapped to SKU ${holder}`));
    }
    if (ean !== null) eans.set(ean, sku);
    if (lacksWeightUnit && settings.catMode === "MERGE") unitless.push({ sku, path });
    else if (lacksWeightUnit) faults.push(lackOfWeightUnit(path));
    if (!findings) return;
    faults.push(...findings.faults.map(({ code, text }) => finding(code, path + text)));
    warnings.push(...findings.warnings.map(({ code, text }) => finding(code, path + text)));
  });
  const chunks: ItemChunk[] = [];
  for (let from = 0; from < items.length; from += chunkItems)
    chunks.push(chunkOf(items.slice(from, from + chunkItems)));
  const transfer = chunks.map(({ json }) => json.buffer);
  return { message: { date: raw.date as string, chunks, unitless }, faults, warnings, transfer };
}

function chunkOf(items: readonly ReadItem[]): ItemChunk {
  return {
    skus: items.map(({ sku }) => sku),
    eans: items.map(({ ean }) => ean),
    stockUnits: items.map(({ stockUnit }) => stockUnit),
    barcodes: items.flatMap(({ sku, barcodes }) => (barcodes ?? []).map((barcode) => [barcode, sku] as const)),
    json: new TextEncoder().encode(`[${items.map(({ json }) => json).join()}]`),
  };
}
