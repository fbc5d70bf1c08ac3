import type { Transaction, Tx } from "#/db/database.ts";
import {
  type ArrivingList,
  type Batch,
  type Entry,
  effective,
  type FeedClient,
  type ListEnd,
  WholeNeededError,
} from "#/feeds/intake/definition.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import {
  type CatalogueMessage,
  chunkItems,
  chunksOf,
  type ItemChunk,
  lackOfWeightUnit,
} from "#/modules/catalogue/domain.ts";
import { itemWarningsMax } from "#/modules/catalogue/read-item.ts";
import * as repository from "#/modules/catalogue/repository.ts";
import type { EventDraft } from "#/outbox/append.ts";

type CatalogueEntry = Entry<CatalogueMessage>;

/** What the store says about the items of one document. */
interface StoredItems {
  readonly known: ReadonlyMap<string, repository.KnownItem>;
  /** Warnings about single items, by SKU. */
  readonly warnings: Map<string, Finding[]>;
}

/** By token of the document. */
export type ItemPlan = ReadonlyMap<string, StoredItems>;

/** Validates catalogues against the store: EANs that stay with another SKU, units that cannot change, older data. */
export async function validateItems(tx: Tx, { client, entries }: Batch<CatalogueMessage>): Promise<ItemPlan> {
  const plan = new Map<string, StoredItems>();
  for (const entry of entries) {
    const known = new Map<string, repository.KnownItem>();
    const chunks = chunksOf(entry);
    const items = await Promise.all(chunks.map(({ skus }) => repository.lockItems(tx, client.clientId, skus)));
    for (const item of items.flat()) known.set(item.sku, item);
    const stored: StoredItems = { known, warnings: new Map() };
    plan.set(entry.token, stored);
    await checkEans(tx, client, entry, known);
    await checkStockUnits(tx, client, entry, known);
    checkWeightUnits(entry, known);
    const holders: (readonly BarcodeHolder[])[] = [];
    for (const chunk of chunks) holders.push(await barcodeHoldersOf(tx, client.clientId, chunk));
    warnOfBarcodes(entry, stored, holders);
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
async function checkEans(
  tx: Tx,
  client: FeedClient,
  entry: CatalogueEntry,
  known: ReadonlyMap<string, repository.KnownItem>,
): Promise<void> {
  const named = new Map<string, string | null>();
  for (const { skus, eans } of chunksOf(entry)) skus.forEach((sku, i) => void named.set(sku, eans[i] ?? null));
  const holdsAfter = (sku: string, ean: string) => {
    const inDocument = named.get(sku);
    if (inDocument === undefined) return true;
    return inDocument === null && client.settings.catMode === "MERGE" && known.get(sku)?.ean_code === ean;
  };
  for (const { skus, eans } of chunksOf(entry)) {
    const holders = await eanHoldersOf(tx, client.clientId, eans);
    eans.forEach((ean, i) => {
      const holder = ean === null ? undefined : holders.get(ean);
      if (ean === null || holder === undefined || holder === skus[i] || !holdsAfter(holder, ean)) return;
      entry.faults.push(finding("EAN", `EAN ${ean} of SKU ${skus[i]} is already mapped to SKU ${holder}`));
    });
  }
}

/** The stored SKU of each EAN that has one. */
async function eanHoldersOf(
  tx: Tx,
  clientId: string,
  eans: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = eans.filter((ean) => ean !== null);
  if (wanted.length === 0) return new Map();
  const rows = await repository.findEanHolders(tx, clientId, wanted);
  return new Map(rows.map(({ sku, ean_code }) => [ean_code, sku]));
}

/** StockUom cannot change while stock or open documents use it. */
async function checkStockUnits(
  tx: Tx,
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
  const [, used] = await Promise.all([
    repository.lockStockUnits(tx, client.clientId),
    repository.findSkusInUse(tx, client.clientId, [...changed.keys()]),
  ]);
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

type BarcodeHolder = Awaited<ReturnType<typeof repository.findBarcodeHolders>>[number];

/** The stored items with a barcode of the chunk. */
async function barcodeHoldersOf(tx: Tx, clientId: string, { barcodes }: ItemChunk): Promise<readonly BarcodeHolder[]> {
  if (barcodes.length === 0) return [];
  return repository.findBarcodeHolders(
    tx,
    clientId,
    barcodes.map(([barcode]) => barcode),
  );
}

/** @param found the holders of each chunk's barcodes */
function warnOfBarcodes(
  entry: CatalogueEntry,
  storedItems: StoredItems,
  found: readonly (readonly BarcodeHolder[])[],
): void {
  const holders = new Map<string, string>();
  const warnOf = (barcode: string, sku: string, other: string) =>
    warn(entry, storedItems, sku, finding("BARCODE", `Barcode ${barcode} of SKU ${sku} is also on SKU ${other}`));
  const chunks = chunksOf(entry);
  if (chunks.every(({ barcodes }) => barcodes.length === 0)) return;
  for (const { barcodes } of chunks) {
    for (const [barcode, sku] of barcodes) {
      const holder = holders.get(barcode);
      if (holder !== undefined && holder !== sku) warnOf(barcode, sku, holder);
      holders.set(barcode, sku);
    }
  }
  const inDocument = new Set(chunks.flatMap(({ skus }) => skus));
  for (const stored of found.flat()) {
    if (inDocument.has(stored.sku)) continue;
    for (const barcode of stored.barcodes) {
      const holder = holders.get(barcode);
      if (holder !== undefined) warnOf(barcode, holder, stored.sku);
    }
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

export async function writeItems(
  tx: Transaction,
  batch: Batch<CatalogueMessage>,
  plan: ItemPlan,
): Promise<readonly EventDraft[]> {
  for (const entry of effective(batch)) {
    const stored = plan.get(entry.token);
    // One chunk at a time: all chunks at once would fill the connection's buffers.
    for (const chunk of chunksOf(entry)) await writeChunk(tx, batch, entry.token, chunk, stored?.known);
    if (stored) storeWarnings(tx, batch.client, stored);
  }
  return [];
}

/** New items need no look-up; if another node inserts one first, the primary key reports it. */
async function writeChunk(
  tx: Transaction,
  { client, at }: Pick<Batch<CatalogueMessage>, "client" | "at">,
  token: string,
  chunk: ItemChunk,
  known: StoredItems["known"] = new Map(),
): Promise<void> {
  const change = { json: chunk.json, datedAt: chunk.date, token, at };
  if (known.size === 0 || !chunk.skus.some((sku) => known.has(sku)))
    await repository.insertItems(tx, client.clientId, change);
  else if (client.settings.catMode === "MERGE") await repository.mergeItems(tx, client.clientId, change);
  else await repository.replaceItems(tx, client.clientId, change);
}

function storeWarnings(tx: Transaction, { clientId }: FeedClient, { warnings }: StoredItems): void {
  const ofItems = [...warnings].map(([sku, warnings]) => ({ sku, warnings }));
  for (let from = 0; from < ofItems.length; from += chunkItems)
    repository.addWarnings(tx, clientId, ofItems.slice(from, from + chunkItems));
}

/**
 * Writes a catalogue while the rest of it is read. An EAN that moves between items can only be judged with the whole
 * document, and the index of further barcodes is slow while its transaction adds to it. All other rules are about single
 * items as they were before the document, or come at its end.
 */
export async function writeArrivingItems(tx: Transaction, list: ArrivingList): Promise<ListEnd<CatalogueMessage>> {
  const { client, token, pieces } = list;
  const known = new Map<string, repository.KnownItem>();
  for await (const { content } of pieces) {
    const chunk = content as ItemChunk;
    if (chunk.barcodes.length > 0) throw new WholeNeededError("it has barcodes");
    const [items, eanHolders] = await Promise.all([
      repository.lockItems(tx, client.clientId, chunk.skus),
      eanHoldersOf(tx, client.clientId, chunk.eans),
    ]);
    for (const item of items) known.set(item.sku, item);
    const isHeldElsewhere = (ean: string | null, i: number) =>
      ean !== null && eanHolders.has(ean) && eanHolders.get(ean) !== chunk.skus[i];
    if (chunk.eans.some(isHeldElsewhere)) throw new WholeNeededError("an EAN moves");
    await writeChunk(tx, list, token, chunk, known);
  }
  return async (entry) => {
    const stored: StoredItems = { known, warnings: new Map() };
    await checkStockUnits(tx, client, entry, known);
    checkWeightUnits(entry, known);
    warnOfOlderDates(entry, stored);
    if (entry.faults.length === 0) storeWarnings(tx, client, stored);
  };
}
