import type { UnitOfWork } from "#/db/database.ts";
import { findItemRules, type ItemRules } from "#/modules/catalogue/index.ts";
import { openBooks } from "#/modules/inventory/ledger/book.ts";
import {
  listUnpublished,
  markPublished,
  type UnpublishedRow,
} from "#/modules/inventory/notifications/change-repository.ts";
import {
  facilityToday,
  quantitiesToNumbers,
  readQuantities,
  type SkuQuantities,
} from "#/modules/inventory/quantities.ts";
import type { EventDraft } from "#/outbox/append.ts";

const skusMax = 1_000;

/**
 * `inventory:changed` for SKUs whose first unreported change is at least as old as `olderThan` (ISO 8601), with the
 * current quantities and their position. Called with now − 10 s, it reports a SKU to a client at most every 10 seconds.
 * `inventory:low` if the available quantity has fallen to the item's threshold since it was last above it.
 *
 * The books stay locked while it reads, so that quantities and position belong together. One call takes a thousand
 * SKUs: if as many `inventory:changed` come back, there may be more.
 */
export async function publishChanges(tx: UnitOfWork, olderThan: string): Promise<EventDraft[]> {
  const hints = await listUnpublished(tx, olderThan, skusMax);
  if (hints.length === 0) return [];
  const books = await openBooks(
    tx,
    hints.map((row) => row.facility_code),
    tx.change.at,
  );
  // Another worker may have reported them while this one waited for the books.
  const unpublished = (await listUnpublished(tx, olderThan, skusMax)).filter((row) => books.has(row.facility_code));
  const rules = await findItemRules(
    tx,
    unpublished.map(({ sku }) => sku),
  );
  const drafts: EventDraft[] = [];
  for (const [facilityCode, rows] of Map.groupBy(unpublished, (row) => row.facility_code)) {
    const today = await facilityToday(tx.plain, facilityCode, tx.change.at);
    const skus = rows.map(({ sku }) => sku);
    const quantities = await readQuantities(tx, facilityCode, skus, today);
    const position = books.get(facilityCode)?.position ?? 0;
    const published = rows.map((row) => {
      const { total } = quantities.get(row.sku) as SkuQuantities;
      const isLow = isLowNow(total.available, rules.get(row.sku));
      drafts.push(changedDraft(row, total, position));
      if (isLow && !row.is_low) drafts.push(lowDraft(row, total, rules.get(row.sku)));
      return { sku: row.sku, isLow };
    });
    markPublished(tx, facilityCode, published);
  }
  return drafts;
}

function isLowNow(available: number, rules: ItemRules | undefined): boolean {
  return rules?.lowStockThreshold !== undefined && available <= rules.lowStockThreshold;
}

function draftOf(topic: string, { facility_code: facilityCode, sku }: UnpublishedRow, data: object): EventDraft {
  return {
    topic,
    objectType: "stock",
    objectId: `${facilityCode}/${sku}`,
    facilityCode,
    data: { sku, distributionCentre: facilityCode, ...data },
  };
}

function changedDraft(row: UnpublishedRow, total: SkuQuantities["total"], position: number): EventDraft {
  return draftOf("inventory:changed", row, { quantities: quantitiesToNumbers(total), reason: null, position });
}

function lowDraft(row: UnpublishedRow, total: SkuQuantities["total"], rules: ItemRules | undefined): EventDraft {
  const threshold = (rules?.lowStockThreshold ?? 0) / 1000;
  return draftOf("inventory:low", row, { quantities: quantitiesToNumbers(total), reason: "LOW_STOCK", threshold });
}
