import type { Entry } from "#/intake/feeds/intake/definition.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { isWhole, quantityOf } from "#/kernel/values/quantity.ts";
import { type CatalogueMessage, chunksOf } from "#/modules/catalogue/domain.ts";
import { faultOfKitUnit, type KitComponent } from "#/modules/catalogue/kit-component.ts";
import { findKitItems, findKitsOf, type KnownItem } from "#/modules/catalogue/repository.ts";
import { lockTenant } from "#/modules/clients/index.ts";
import type { ClientTransaction } from "#/store/db/database.ts";

/** The kits of the documents of a batch that were checked before, by SKU. */
export type EarlierKits = Map<string, readonly KitComponent[]>;

/**
 * Checks the kits of a document against the state after it: every component is known and no kit itself, and no kit is a
 * component of another. The lock on the tenant keeps other catalogues with kits out until the commit.
 */
export async function checkKits(
  tx: ClientTransaction,
  entry: Entry<CatalogueMessage>,
  known: ReadonlyMap<string, KnownItem>,
  { isMerged, earlier }: { readonly isMerged: boolean; readonly earlier: EarlierKits },
): Promise<void> {
  const chunks = chunksOf(entry);
  const kits = new Map(chunks.flatMap(({ kits }) => kits).map((kit) => [kit.sku, kit]));
  if (kits.size === 0) return;
  const named = new Map<string, string | null>();
  for (const { skus, stockUnits } of chunks) skus.forEach((sku, i) => void named.set(sku, stockUnits[i] ?? null));
  const wanted = [...new Set([...kits.values()].flatMap(({ components }) => components.map(({ sku }) => sku)))];
  // The queries follow the lock on the same connection.
  const [, stored, holders] = await Promise.all([
    lockTenant(tx),
    findKitItems(tx, [...new Set([...wanted, ...kits.keys()])]),
    findKitsOf(tx, [...kits.keys()]),
  ]);
  const inStore = new Map(stored.map((item) => [item.sku, item]));
  const stays = (sku: string) => isMerged || !named.has(sku);
  const wasKit = (sku: string) => earlier.has(sku) || (inStore.get(sku)?.is_kit ?? false);
  const isKit = (sku: string) => kits.has(sku) || (stays(sku) && wasKit(sku));
  const unitOf = (sku: string) =>
    named.get(sku) ?? (named.has(sku) && !isMerged ? undefined : inStore.get(sku)?.stock_uom) ?? defaultStockUnit;
  const fault = (text: string) => entry.faults.push(finding("KIT", text));
  for (const { sku: kit, path, components } of kits.values()) {
    if (isMerged && unitOf(kit) !== defaultStockUnit) fault(`${path}/components: ${faultOfKitUnit(unitOf(kit))}`);
    for (const [i, { sku, qty }] of components.entries()) {
      const place = `${path}/components/component${components.length === 1 ? "" : `[${i + 1}]`}`;
      const isKnown = named.has(sku) || inStore.has(sku) || known.has(sku);
      if (!isKnown) fault(`${place}/sku: component ${sku} of kit ${kit} is not known: send it in this CAT, or before`);
      else if (sku !== kit && isKit(sku)) fault(`${place}/sku: component ${sku} of kit ${kit} is a kit itself`);
      else if (unitOf(sku) === defaultStockUnit && !isWhole(quantityOf(qty))) {
        fault(`${place}/qty: '${qty}' of component ${sku} is not a whole number of ${defaultStockUnit}`);
      }
    }
  }
  const others = [...earlier].flatMap(([kitSku, parts]) => parts.map(({ sku }) => ({ kitSku, sku })));
  for (const { kitSku, sku } of [...holders, ...others]) {
    const place = kits.get(sku);
    if (place && !kits.has(kitSku) && stays(kitSku)) {
      fault(`${place.path}/components: SKU ${sku} is a component of kit ${kitSku}, so it cannot be a kit`);
    }
  }
  for (const { sku, components } of kits.values()) earlier.set(sku, components);
}
