import {
  type ArrivingList,
  type Batch,
  defineFeed,
  type Entry,
  effective,
  type FeedClient,
  type ListEnd,
  WholeNeededError,
} from "#/intake/feeds/intake/definition.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { gtinKey, gtinNotations } from "#/kernel/values/gtin.ts";
import {
  beginItems,
  type CatalogueMessage,
  checkItemMaster,
  chunkItems,
  chunksOf,
  type ItemChunk,
  itemMasterShape,
  lackOfWeightUnit,
} from "#/modules/catalogue/domain.ts";
import { checkKits, type EarlierKits } from "#/modules/catalogue/kits.ts";
import { itemWarningsMax } from "#/modules/catalogue/read-item.ts";
import * as repository from "#/modules/catalogue/repository.ts";
import { lockTenant } from "#/modules/clients/index.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

type CatalogueEntry = Entry<CatalogueMessage>;

/** The items of one document in the store. */
interface StoredItems {
  readonly known: ReadonlyMap<string, repository.KnownItem>;
  /** Warnings about single items, by SKU. */
  readonly warnings: Map<string, Finding[]>;
}

/** By token of the document. */
type ItemPlan = ReadonlyMap<string, StoredItems>;

/** Validates catalogues against the store: EANs that stay with another SKU, units that cannot change, older data. */
async function validateItems(tx: ClientTransaction, { client, entries }: Batch<CatalogueMessage>): Promise<ItemPlan> {
  const plan = new Map<string, StoredItems>();
  const earlier: EarlierKits = new Map();
  for (const entry of entries) {
    const known = new Map<string, repository.KnownItem>();
    const chunks = chunksOf(entry);
    const items = await Promise.all(chunks.map(({ skus }) => repository.lockItems(tx, skus)));
    for (const item of items.flat()) known.set(item.sku, item);
    const stored: StoredItems = { known, warnings: new Map() };
    plan.set(entry.token, stored);
    const holders: CodeHolders[] = [];
    for (const chunk of chunks) holders.push(await codeHoldersOf(tx, chunk));
    checkEans(client, entry, known, holders);
    await checkStockUnits(tx, client, entry, known);
    await checkKits(tx, entry, known, { isMerged: client.settings.catMode === "MERGE", earlier });
    checkWeightUnits(entry, known);
    warnOfCodes(entry, stored, holders);
    warnOfOlderDates(entry, stored);
  }
  return plan;
}

function checkWeightUnits(entry: CatalogueEntry, known: ReadonlyMap<string, repository.KnownItem>): void {
  for (const { sku, path } of entry.message.unitless)
    if (!known.get(sku)?.weight_uom_code) entry.faults.push(lackOfWeightUnit(path));
}

/**
 * EANs are checked on the state after the document: a holder that the document gives another EAN, or none, releases its
 * EAN. In MERGE mode an item without eanCode keeps its EAN. (`checkItemMaster` finds an EAN that occurs twice in one
 * document.)
 */
function checkEans(
  client: FeedClient,
  entry: CatalogueEntry,
  known: ReadonlyMap<string, repository.KnownItem>,
  holders: readonly CodeHolders[],
): void {
  const named = new Map<string, string | null>();
  for (const { skus, eans } of chunksOf(entry)) skus.forEach((sku, i) => void named.set(sku, eans[i] ?? null));
  const holdsAfter = (sku: string, key: string) => {
    const inDocument = named.get(sku);
    if (inDocument === undefined) return true;
    const stored = known.get(sku)?.ean_code ?? "";
    return inDocument === null && client.settings.catMode === "MERGE" && gtinKey(stored) === key;
  };
  for (const [chunk, { skus, eans }] of chunksOf(entry).entries()) {
    eans.forEach((ean, i) => {
      if (ean === null) return;
      const key = gtinKey(ean);
      const holder = holders[chunk]?.byEan.get(key)?.find((sku) => sku !== skus[i] && holdsAfter(sku, key));
      if (holder === undefined) return;
      entry.faults.push(finding("EAN", `EAN ${ean} of SKU ${skus[i]} is already mapped to SKU ${holder}`));
    });
  }
}

/** The stored SKUs of the codes of a chunk, by the key of the code. */
interface CodeHolders {
  readonly byEan: ReadonlyMap<string, readonly string[]>;
  readonly byBarcode: ReadonlyMap<string, readonly string[]>;
}

/** A GTIN may be stored in another notation than that of the document. */
async function codeHoldersOf(
  tx: ClientTx,
  { eans, barcodes }: Pick<ItemChunk, "eans" | "barcodes">,
): Promise<CodeHolders> {
  const codes = [...eans.filter((ean) => ean !== null), ...barcodes.map(([barcode]) => barcode)];
  if (codes.length === 0) return { byEan: new Map(), byBarcode: new Map() };
  const notations = [...new Set(codes.flatMap(gtinNotations))];
  const [ofEans, ofBarcodes] = await Promise.all([
    repository.findEanHolders(tx, notations),
    repository.findBarcodeHolders(tx, notations),
  ]);
  return {
    byEan: skusByKey(ofEans.map(({ sku, ean_code }) => [ean_code, sku])),
    byBarcode: skusByKey(ofBarcodes.flatMap(({ sku, barcodes: codes }) => codes.map((code) => [code, sku] as const))),
  };
}

function skusByKey(codes: readonly (readonly [code: string, sku: string])[]): ReadonlyMap<string, readonly string[]> {
  const skus = new Map<string, string[]>();
  for (const [code, sku] of codes) {
    const ofKey = skus.get(gtinKey(code));
    if (ofKey) ofKey.push(sku);
    else skus.set(gtinKey(code), [sku]);
  }
  return skus;
}

/** StockUom cannot change while stock or open documents use it. */
async function checkStockUnits(
  tx: ClientTx,
  client: FeedClient,
  entry: CatalogueEntry,
  known: ReadonlyMap<string, repository.KnownItem>,
): Promise<void> {
  if (known.size === 0) return;
  const changed = new Map<string, string>();
  for (const { skus, stockUnits } of chunksOf(entry)) {
    skus.forEach((sku, i) => {
      const before = known.get(sku)?.stock_uom;
      const after = stockUnits[i] ?? (client.settings.catMode === "MERGE" ? before : defaultStockUnit);
      if (before !== undefined && after !== undefined && before !== after) changed.set(sku, after);
    });
  }
  if (changed.size === 0) return;
  // The query follows the lock on the same connection: it sees the documents that committed before.
  const [, used] = await Promise.all([lockTenant(tx), repository.findSkusInUse(tx, [...changed.keys()])]);
  for (const { sku } of used) {
    const before = known.get(sku)?.stock_uom;
    entry.faults.push(
      finding(
        "VALUE",
        `StockUom of SKU ${sku} cannot change from ${before} to ${changed.get(sku)} while stock or open documents of it exist`,
      ),
    );
  }
}

/** Warns the sender of the document, and stores the warning with the item. */
function warn({ warnings }: CatalogueEntry, stored: StoredItems, sku: string, warning: Finding): void {
  warnings.push(warning);
  const skuWarnings = stored.warnings.get(sku) ?? [];
  if (skuWarnings.length < itemWarningsMax) stored.warnings.set(sku, [...skuWarnings, warning]);
}

/**
 * Warns of each code that two SKUs have, as EAN or barcode, in any notation. (An EAN that two SKUs have as EAN is a fault.)
 *
 * @param holders those of each chunk
 */
function warnOfCodes(entry: CatalogueEntry, storedItems: StoredItems, holders: readonly CodeHolders[]): void {
  const chunks = chunksOf(entry);
  const inDocument = new Set(chunks.flatMap(({ skus }) => skus));
  const seen = new Map<string, { readonly sku: string; readonly isEan: boolean }>();
  const warned = new Set<string>();
  for (const [i, { skus, eans, barcodes }] of chunks.entries()) {
    const { byEan, byBarcode } = holders[i] ?? {};
    const check = (code: string, sku: string, isEan: boolean) => {
      const key = gtinKey(code);
      const before = seen.get(key);
      const inChunk = before !== undefined && !(isEan && before.isEan) ? [before.sku] : [];
      const stored = [...(byBarcode?.get(key) ?? []), ...(isEan ? [] : (byEan?.get(key) ?? []))];
      const others = new Set([...inChunk, ...stored.filter((other) => !inDocument.has(other))]);
      others.delete(sku);
      for (const other of others) {
        // An item often has its EAN among its barcodes.
        const conflict = JSON.stringify([key, sku, other]);
        if (warned.has(conflict)) continue;
        warned.add(conflict);
        warn(entry, storedItems, sku, finding("BARCODE", `Barcode ${code} of SKU ${sku} is also on SKU ${other}`));
      }
      seen.set(key, { sku, isEan: isEan || (before?.sku === sku && before.isEan) });
    };
    eans.forEach((ean, place) => {
      if (ean !== null) check(ean, skus[place] as string, true);
    });
    for (const [barcode, sku] of barcodes) check(barcode, sku, false);
  }
}

function warnOfOlderDates(entry: CatalogueEntry, stored: StoredItems): void {
  const date = Date.parse(entry.message.date);
  for (const { sku, dated_at } of stored.known.values()) {
    if (date < Date.parse(dated_at)) {
      const text = `date ${entry.message.date} is older than ${dated_at}, the date of the stored SKU ${sku}`;
      warn(entry, stored, sku, finding("OLDER", text));
    }
  }
}

async function writeItems(
  tx: ClientTransaction,
  batch: Batch<CatalogueMessage>,
  plan: ItemPlan,
): Promise<readonly EventDraft[]> {
  for (const entry of effective(batch)) {
    const stored = plan.get(entry.token);
    // One chunk at a time: all chunks at once would fill the connection's buffers.
    for (const chunk of chunksOf(entry)) await writeChunk(tx, batch, entry.token, chunk, stored?.known);
    if (stored) storeWarnings(tx, stored);
  }
  return [];
}

/** New items need no look-up; if another node inserts one first, the primary key reports it. */
async function writeChunk(
  tx: ClientTransaction,
  { client, at }: Pick<Batch<CatalogueMessage>, "client" | "at">,
  token: string,
  chunk: ItemChunk,
  known: StoredItems["known"] = new Map(),
): Promise<void> {
  const change = { json: chunk.json, datedAt: chunk.date, token, at };
  if (known.size === 0 || !chunk.skus.some((sku) => known.has(sku))) await repository.insertItems(tx, change);
  else if (client.settings.catMode === "MERGE") await repository.mergeItems(tx, change);
  else await repository.replaceItems(tx, change);
}

function storeWarnings(tx: ClientTransaction, { warnings }: StoredItems): void {
  const ofItems = [...warnings].map(([sku, warnings]) => ({ sku, warnings }));
  for (let from = 0; from < ofItems.length; from += chunkItems)
    repository.addWarnings(tx, ofItems.slice(from, from + chunkItems));
}

/**
 * Writes a catalogue while the rest of it is read. An EAN that moves between items can only be judged with the whole
 * document, and the index of further barcodes is slow while its transaction adds to it. All other rules are about single
 * items as they were before the document, or come at its end.
 */
async function writeArrivingItems(tx: ClientTransaction, list: ArrivingList): Promise<ListEnd<CatalogueMessage>> {
  const { client, token, pieces } = list;
  const known = new Map<string, repository.KnownItem>();
  for await (const { content } of pieces) {
    const chunk = content as ItemChunk;
    if (chunk.barcodes.length > 0) throw new WholeNeededError("it has barcodes");
    if (chunk.kits.length > 0) throw new WholeNeededError("it has kits");
    const [items, { byEan, byBarcode }] = await Promise.all([
      repository.lockItems(tx, chunk.skus),
      codeHoldersOf(tx, chunk),
    ]);
    for (const item of items) known.set(item.sku, item);
    const isHeldElsewhere = (ean: string | null, i: number) => {
      const key = ean === null ? "" : gtinKey(ean);
      return [byEan.get(key), byBarcode.get(key)].some((skus) => skus?.some((sku) => sku !== chunk.skus[i]));
    };
    if (chunk.eans.some(isHeldElsewhere)) throw new WholeNeededError("an EAN moves, or is a barcode");
    await writeChunk(tx, list, token, chunk, known);
  }
  return async (entry) => {
    const stored: StoredItems = { known, warnings: new Map() };
    await checkStockUnits(tx, client, entry, known);
    checkWeightUnits(entry, known);
    warnOfOlderDates(entry, stored);
    if (entry.faults.length === 0) storeWarnings(tx, stored);
  };
}

/** The definition of the CAT feed for the receiver. */
export const catalogueFeed = defineFeed({
  type: "CAT",
  xsd: "CAT.xsd",
  shape: itemMasterShape,
  clientIdOf: (raw) => raw.clientId,
  objectIdOf: (raw) => (raw.item?.length === 1 ? raw.item[0]?.sku : undefined),
  check: checkItemMaster,
  list: { item: "item", begin: beginItems },
  keyOf: () => undefined,
  validate: validateItems,
  write: writeItems,
  writePieces: writeArrivingItems,
});
