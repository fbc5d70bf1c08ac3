/** The conditions that separate stock of one SKU, besides its facility and lot (lifecycle.md §8). */

export const conditions = ["GOOD", "ON_HOLD", "DAMAGED", "QUARANTINE"] as const;
export type Condition = (typeof conditions)[number];

/** The pool of stock without a reserved purpose; lines of other pools may take from it too. */
export const defaultPool = "DEFAULT";

export const noBatch = "";
export const noExpiry = "infinity";

export interface Lot {
  readonly stockPool: string;
  /** `''` for none. */
  readonly batchRef: string;
  /** `YYYY-MM-DD`, the last day on which the goods are usable; `infinity` for none. */
  readonly expiryDate: string;
}

/** A lot as a report names it. An absent field means the default pool, no batch, or no expiry. */
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

/** The inverse of `lotOf`: absent values are left out, as reports and outbound feeds write them. */
export function fieldsOfLot(lot: Lot): { stockPool: string; batchRef?: string; expiryDate?: string } {
  return {
    stockPool: lot.stockPool,
    ...(lot.batchRef === noBatch ? {} : { batchRef: lot.batchRef }),
    ...(lot.expiryDate === noExpiry ? {} : { expiryDate: lot.expiryDate }),
  };
}

/** A map key, equal exactly for equal SKU and lot. */
export function lotKey({ sku, stockPool, batchRef, expiryDate }: { readonly sku: string } & Lot): string {
  return JSON.stringify([sku, stockPool, batchRef, expiryDate]);
}

/** A map key for one condition of a lot, which has one balance. */
export function balanceKey(place: { readonly sku: string; readonly condition: Condition } & Lot): string {
  return `${place.condition} ${lotKey(place)}`;
}

/** Readable text: `SKU A, batch B1, expiry 2026-12-31, pool B2B`. */
export function describeLot({ sku, stockPool, batchRef, expiryDate }: { readonly sku: string } & Lot): string {
  const parts = [`SKU ${sku}`];
  if (batchRef !== noBatch) parts.push(`batch ${batchRef}`);
  if (expiryDate !== noExpiry) parts.push(`expiry ${expiryDate}`);
  if (stockPool !== defaultPool) parts.push(`pool ${stockPool}`);
  return parts.join(", ");
}

/** The day a number of days after a date. @param date `YYYY-MM-DD` */
export function dayAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Expired goods count as on hold. @param today the facility's local date, `YYYY-MM-DD`. */
export function isExpired(lot: Pick<Lot, "expiryDate">, today: string): boolean {
  return lot.expiryDate !== noExpiry && lot.expiryDate < today;
}
