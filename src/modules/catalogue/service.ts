import type { Transaction, Tx } from "#/db/database.ts";
import { type Batch, type Entry, effective, type FeedClient } from "#/feeds/intake/definition.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { type CatalogueMessage, chunkItems, lackOfWeightUnit } from "#/modules/catalogue/domain.ts";
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
    const { chunks } = entry.message;
    const items = await Promise.all(chunks.map(({ skus }) => repository.lockItems(tx, client.clientId, skus)));
    for (const item of items.flat()) known.set(item.sku, item);
    const stored: StoredItems = { known, warnings: new Map() };
    plan.set(entry.token, stored);
    await checkEans(tx, client, entry, known);
    await checkStockUnits(tx, client, entry, known);
    for (const { sku, path } of entry.message.unitless)
      if (!known.get(sku)?.weight_uom_code) entry.faults.push(lackOfWeightUnit(path));
    await warnOfBarcodes(tx, client.clientId, entry, stored);
    warnOfOlderDates(entry, stored);
  }
  return plan;
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
  for (const { skus, eans } of entry.message.chunks) skus.forEach((sku, i) => void named.set(sku, eans[i] ?? null));
  const holdsAfter = (sku: string, ean: string) => {
    const inDocument = named.get(sku);
    if (inDocument === undefined) return true;
    return inDocument === null && client.settings.catMode === "MERGE" && known.get(sku)?.ean_code === ean;
  };
  for (const { skus, eans } of entry.message.chunks) {
    const wanted = eans.filter((ean) => ean !== null);
    if (wanted.length === 0) continue;
    const holders = new Map<string, string>();
    for (const { sku, ean_code } of await repository.findEanHolders(tx, client.clientId, wanted))
      holders.set(ean_code, sku);
    eans.forEach((ean, i) => {
      const holder = ean === null ? undefined : holders.get(ean);
      if (ean === null || holder === undefined || holder === skus[i] || !holdsAfter(holder, ean)) return;
      entry.faults.push(finding("EAN", `EAN ${ean} of SKU ${skus[i]} is already mapped to SKU ${holder}`));
    });
  }
}

/** StockUom cannot change while stock or open documents use it. */
async function checkStockUnits(
  tx: Tx,
  client: FeedClient,
  entry: CatalogueEntry,
  known: ReadonlyMap<string, repository.KnownItem>,
): Promise<void> {
  const changed = new Map<string, string>();
  for (const { skus, stockUnits } of entry.message.chunks) {
    skus.forEach((sku, i) => {
      const before = known.get(sku)?.stock_uom;
      const after = stockUnits[i] ?? (client.settings.catMode === "MERGE" ? before : defaultStockUnit);
      if (before !== undefined && after !== undefined && before !== after) changed.set(sku, after);
    });
  }
  if (changed.size === 0) return;
  const used = await repository.findSkusInUse(tx, client.clientId, [...changed.keys()]);
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

async function warnOfBarcodes(
  tx: Tx,
  clientId: string,
  entry: CatalogueEntry,
  storedItems: StoredItems,
): Promise<void> {
  const holders = new Map<string, string>();
  const warnOf = (barcode: string, sku: string, other: string) =>
    warn(entry, storedItems, sku, finding("BARCODE", `Barcode ${barcode} of SKU ${sku} is also on SKU ${other}`));
  for (const { barcodes } of entry.message.chunks) {
    for (const [barcode, sku] of barcodes) {
      const holder = holders.get(barcode);
      if (holder !== undefined && holder !== sku) warnOf(barcode, sku, holder);
      holders.set(barcode, sku);
    }
  }
  const inDocument = new Set(entry.message.chunks.flatMap(({ skus }) => skus));
  for (const { barcodes } of entry.message.chunks) {
    if (barcodes.length === 0) continue;
    for (const stored of await repository.findBarcodeHolders(
      tx,
      clientId,
      barcodes.map(([barcode]) => barcode),
    )) {
      if (inDocument.has(stored.sku)) continue;
      for (const barcode of stored.barcodes) {
        const holder = holders.get(barcode);
        if (holder !== undefined) warnOf(barcode, holder, stored.sku);
      }
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
  const { client, at } = batch;
  for (const entry of effective(batch)) {
    const stored = plan.get(entry.token);
    for (const chunk of entry.message.chunks) {
      const change = { json: chunk.json, datedAt: entry.message.date, token: entry.token, at };
      // One chunk at a time: all chunks at once would fill the connection's buffers. New items need no look-up; if
      // another node inserts one first, the primary key reports it.
      if (!chunk.skus.some((sku) => stored?.known.has(sku))) await repository.insertItems(tx, client.clientId, change);
      else if (client.settings.catMode === "MERGE") await repository.mergeItems(tx, client.clientId, change);
      else await repository.replaceItems(tx, client.clientId, change);
    }
    const ofItems = [...(stored?.warnings ?? [])].map(([sku, warnings]) => ({ sku, warnings }));
    for (let from = 0; from < ofItems.length; from += chunkItems)
      repository.addWarnings(tx, client.clientId, ofItems.slice(from, from + chunkItems));
  }
  return [];
}
