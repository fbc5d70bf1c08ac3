import { checkLimit, itemsMax } from "#/intake/feeds/intake/checks.ts";
import type { Checked, Entry, FeedClient, ListCheck, Piece } from "#/intake/feeds/intake/definition.ts";
import { element, many, mapped, text, type ValueOf } from "#/intake/xml/index.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { lackSentence } from "#/kernel/values/customs-rules.ts";
import { gtinKey } from "#/kernel/values/gtin.ts";
import { faultOfPathSegment } from "#/kernel/values/path-segment.ts";
import { itemShape } from "#/modules/catalogue/contract.ts";
import type { KitComponent } from "#/modules/catalogue/kit-component.ts";
import { type ReadItem, readItem, weightUnitCodes } from "#/modules/catalogue/read-item.ts";

/** CAT, root `itemMaster` (specification §2.5). */
export const itemMasterShape = element({
  children: { clientId: text, date: text, item: many(mapped(itemShape, readItem)) },
});

export type ItemMaster = ValueOf<typeof itemMasterShape>;

/** Items are written in chunks of this size: statements stay bounded, and other documents get turns in between. */
export const chunkItems = 2_000;

export interface ItemChunk {
  /** The document's own date-time, as sent. */
  readonly date: string;
  readonly skus: readonly string[];
  /** The EAN of each SKU, in the same order; null for none. */
  readonly eans: readonly (string | null)[];
  readonly stockUnits: readonly (string | null)[];
  /** Each scannable barcode with its SKU. */
  readonly barcodes: readonly (readonly [barcode: string, sku: string])[];
  /** The kits, each with its place in the document. */
  readonly kits: readonly {
    readonly sku: string;
    readonly path: string;
    readonly components: readonly KitComponent[];
  }[];
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
}

export const chunksOf = ({ pieces = [] }: Pick<Entry, "pieces">): ItemChunk[] =>
  pieces.map(({ content }) => content as ItemChunk);

export const lackOfWeightUnit = (path: string): Finding =>
  finding("VALUE", `${path}/weightUomCode: is required where a weight is given; allowed: ${weightUnitCodes}`);

/** Checks everything in a CAT that needs no database. A fault or a warning names the item's place and value. */
export function checkItemMaster(raw: ItemMaster, client: FeedClient): Checked<CatalogueMessage> {
  const check = beginItems(client);
  const pieces = check.take(raw, true);
  return { ...check.end(), pieces };
}

/** The checks of `checkItemMaster` for a CAT that is read piece by piece. */
export function beginItems({ settings }: FeedClient): ListCheck<ItemMaster, CatalogueMessage> {
  const faults: Finding[] = [];
  const warnings: Finding[] = [];
  const places = new Map<string, number>();
  const eans = new Map<string, string>();
  const unitless: { sku: string; path: string }[] = [];
  let date = "";
  let count = 0;

  /** @param pathOf makes the place of an item with a finding, which few items have */
  function check(
    { sku, ean, lacksWeightUnit, unmetRules, findings }: ReadItem,
    place: number,
    pathOf: (place: number) => string,
  ) {
    const before = places.get(sku);
    if (before !== undefined) {
      const text = `${pathOf(place)}/sku: SKU '${sku}' is in the document twice, first as item[${before + 1}]`;
      faults.push(finding("VALUE", text));
    }
    const ofSegment = faultOfPathSegment(sku);
    if (ofSegment !== undefined) faults.push(finding("VALUE", `${pathOf(place)}/sku: ${ofSegment}`));
    places.set(sku, place);
    const holder = ean === null ? undefined : eans.get(gtinKey(ean));
    if (holder !== undefined && holder !== sku) {
      faults.push(finding("EAN", `EAN ${ean} of SKU ${sku} is already mapped to SKU ${holder}`));
    }
    if (ean !== null) eans.set(gtinKey(ean), sku);
    if (lacksWeightUnit && settings.catMode === "MERGE") unitless.push({ sku, path: pathOf(place) });
    else if (lacksWeightUnit) faults.push(lackOfWeightUnit(pathOf(place)));
    // In MERGE mode the stored item may have what the document leaves out.
    const lack = settings.catMode === "MERGE" ? undefined : lackSentence(unmetRules, settings.customsDestinations);
    if (lack !== undefined) warnings.push(finding("CUSTOMS", `${pathOf(place)}: SKU ${sku} ${lack}`));
    if (!findings) return;
    const path = pathOf(place);
    faults.push(...findings.faults.map(({ code, text }) => finding(code, path + text)));
    warnings.push(...findings.warnings.map(({ code, text }) => finding(code, path + text)));
  }

  return {
    take(raw, isWhole) {
      if (count === 0) date = raw.date as string;
      const items = raw.item.slice(0, Math.max(0, itemsMax - count));
      const isOnly = isWhole && raw.item.length === 1;
      const pathOf = (place: number) => (isOnly ? "item" : `item[${place + 1}]`);
      for (const [i, item] of items.entries()) check(item, count + i, pathOf);
      count += raw.item.length;
      const pieces: Piece[] = [];
      for (let from = 0; from < items.length; from += chunkItems) {
        const content = chunkOf(date, items.slice(from, from + chunkItems), (i) =>
          pathOf(count - raw.item.length + from + i),
        );
        pieces.push({ content, transfer: [content.json.buffer] });
      }
      return pieces;
    },
    hasFaults: () => faults.length > 0 || count > itemsMax,
    end: () => ({
      message: { date, unitless },
      faults: [...checkLimit(count, itemsMax, "items"), ...faults],
      warnings,
    }),
  };
}

/** @param pathOf the place of an item of the chunk */
function chunkOf(date: string, items: readonly ReadItem[], pathOf: (i: number) => string): ItemChunk {
  return {
    date,
    skus: items.map(({ sku }) => sku),
    eans: items.map(({ ean }) => ean),
    stockUnits: items.map(({ stockUnit }) => stockUnit),
    barcodes: items.flatMap(({ sku, barcodes }) => (barcodes ?? []).map((barcode) => [barcode, sku] as const)),
    kits: items.flatMap(({ sku, components }, i) =>
      components === undefined ? [] : [{ sku, path: pathOf(i), components }],
    ),
    json: new TextEncoder().encode(`[${items.map(({ json }) => json).join()}]`),
  };
}
