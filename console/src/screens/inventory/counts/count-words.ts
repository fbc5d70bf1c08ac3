interface Scope {
  readonly sku: string | null;
  readonly stockPool: string | null;
  readonly batchRef: string | null;
  readonly expiryDate: string | null;
  readonly condition: string;
}

/** "MUG-BLUE-330, batch B1", "pool B2B": what is counted. */
export function scopeText({ sku, stockPool, batchRef, expiryDate, condition }: Scope): string {
  const parts = [
    sku,
    batchRef === null ? null : `batch ${batchRef}`,
    expiryDate === null ? null : `expiry ${expiryDate}`,
    stockPool === null || (sku !== null && stockPool === "DEFAULT") ? null : `pool ${stockPool}`,
    condition === "GOOD" ? null : condition.replaceAll("_", " ").toLowerCase(),
  ];
  return parts.filter((part) => part !== null).join(", ");
}
