/** What stock of one SKU is told apart by, besides its facility (lifecycle.md §8). */

export const conditions = ["GOOD", "ON_HOLD", "DAMAGED", "QUARANTINE"] as const;
export type Condition = (typeof conditions)[number];

/** The pool of stock that nobody has set apart; lines of other pools may take from it too. */
export const defaultPool = "DEFAULT";

export const noBatch = "";
export const noExpiry = "infinity";

export interface Lot {
  readonly stockPool: string;
  /** `''` for none. */
  readonly batchRef: string;
  /** `YYYY-MM-DD`, the last day on which the goods are good; `infinity` for none. */
  readonly expiryDate: string;
}

/** A lot as a report names it: what is absent is the default pool, no batch, no expiry. */
export interface LotFields {
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
}

export function lotOf(fields: LotFields): Lot {
  return {
    stockPool: fields.stockPool || defaultPool,
    batchRef: fields.batchRef ?? noBatch,
    expiryDate: fields.expiryDate || noExpiry,
  };
}

/** The other way: what is absent is left out, as reports and outbound feeds write it. */
export function fieldsOfLot(lot: Lot): { stockPool: string; batchRef?: string; expiryDate?: string } {
  return {
    stockPool: lot.stockPool,
    ...(lot.batchRef === noBatch ? {} : { batchRef: lot.batchRef }),
    ...(lot.expiryDate === noExpiry ? {} : { expiryDate: lot.expiryDate }),
  };
}

/** Equal exactly for equal SKU and lot; a key for maps. */
export function lotKey({ sku, stockPool, batchRef, expiryDate }: { readonly sku: string } & Lot): string {
  return JSON.stringify([sku, stockPool, batchRef, expiryDate]);
}

/** The same of one condition of the lot: what a balance is kept of. */
export function balanceKey(place: { readonly sku: string; readonly condition: Condition } & Lot): string {
  return `${place.condition} ${lotKey(place)}`;
}

/** For people: `SKU A, batch B1, expiry 2026-12-31, pool B2B`. */
export function describeLot({ sku, stockPool, batchRef, expiryDate }: { readonly sku: string } & Lot): string {
  const parts = [`SKU ${sku}`];
  if (batchRef !== noBatch) parts.push(`batch ${batchRef}`);
  if (expiryDate !== noExpiry) parts.push(`expiry ${expiryDate}`);
  if (stockPool !== defaultPool) parts.push(`pool ${stockPool}`);
  return parts.join(", ");
}

/** Expired goods count as on hold. @param today the facility's own date, `YYYY-MM-DD`. */
export function isExpired(lot: Pick<Lot, "expiryDate">, today: string): boolean {
  return lot.expiryDate !== noExpiry && lot.expiryDate < today;
}
