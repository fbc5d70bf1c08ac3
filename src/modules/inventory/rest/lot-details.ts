import type { ClientTx } from "#/db/database.ts";
import type { InventoryLot } from "#/modules/inventory/rest/lookup-contract.ts";
import * as repository from "#/modules/inventory/rest/lookup-repository.ts";

/**
 * A lot of small goods may have a hundred thousand serial numbers; the limits keep an answer within a few megabytes.
 */
export interface LotLimits {
  readonly lots: number;
  readonly serials: number;
  readonly serialsOfLot: number;
}

export const lotLimits: LotLimits = { lots: 20_000, serials: 20_000, serialsOfLot: 1_000 };

/**
 * The lots of SKUs with their serial numbers, by SKU; SKUs without lots are left out. Call it in a transaction that
 * reads one snapshot of the store.
 */
export async function readLots(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  limits: LotLimits = lotLimits,
): Promise<ReadonlyMap<string, InventoryLot[]>> {
  // One serial number more than returned shows whether there are more.
  const [rows, serials] = await Promise.all([
    repository.listLots(tx, facilityCode, skus, limits.lots),
    repository.listSerialsOfLots(tx, facilityCode, skus, {
      perLot: limits.serialsOfLot + 1,
      inAll: limits.serials + 1,
    }),
  ]);
  const named = Map.groupBy(serials.slice(0, limits.serials), keyOf);
  // Serial numbers come lot by lot. After a cut, those of the last lot and of all later lots may be missing.
  const cutAt = serials.length > limits.serials ? serials.at(-1) : undefined;
  const cutKey = cutAt && keyOf(cutAt);
  const lots = new Map<string, InventoryLot[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const ofLot = named.get(key);
    const isCut = cutKey !== undefined && (ofLot === undefined || key === cutKey);
    const isTruncated = isCut || (ofLot?.length ?? 0) > limits.serialsOfLot;
    const { sku, ...goods } = row;
    const ofSku = lots.get(sku);
    const names = (ofLot ?? []).slice(0, limits.serialsOfLot).map(({ serial }) => serial);
    const lot = { ...goods, serials: names, serialsTruncated: isTruncated };
    if (ofSku) ofSku.push(lot);
    else lots.set(sku, [lot]);
  }
  return lots;
}

const keyOf = ({ sku, stockPool, condition, batchRef, expiryDate }: repository.LotKey) =>
  JSON.stringify([sku, stockPool, condition, batchRef, expiryDate]);
