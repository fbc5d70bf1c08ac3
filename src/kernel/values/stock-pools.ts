/** The pool of goods without a named pool; every client has it. */
export const defaultStockPool = "DEFAULT";

/** The client settings that name stock pools; `*`: any pool. */
export interface PoolSettings {
  readonly stockPools: "*" | readonly string[];
  /** The stock pools that the top-level `available` counts. */
  readonly availablePools: "*" | readonly string[];
}

/** The stock pools that the client has, DEFAULT first; `*`: any. */
export function poolsOfClient({ stockPools, availablePools }: PoolSettings): "*" | readonly string[] {
  if (stockPools === "*") return "*";
  return [...new Set([defaultStockPool, ...stockPools, ...(availablePools === "*" ? [] : availablePools)])];
}

/**
 * Why goods cannot belong to a pool; undefined where the client has it. A misspelt pool leads to stock that no order
 * requests, or to an order without stock.
 */
export function faultOfPool(settings: PoolSettings, pool: string): string | undefined {
  const known = poolsOfClient(settings);
  return known === "*" || known.includes(pool)
    ? undefined
    : `'${pool}' is not a stock pool of the client; it has ${known.join(", ")}`;
}
