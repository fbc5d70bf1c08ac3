/** The pool of goods without a named pool; every client has it. */
export const defaultStockPool = "DEFAULT";

/** The client settings that name stock pools; `*`: any pool. */
export interface PoolSettings {
  readonly stockPools: "*" | readonly string[];
  /** The stock pools that the top-level `available` counts. */
  readonly availablePools: "*" | readonly string[];
}

/**
 * Why goods cannot belong to a pool; undefined where the client has it. A misspelt pool leads to stock that no order
 * requests, or to an order without stock.
 */
export function faultOfPool({ stockPools, availablePools }: PoolSettings, pool: string): string | undefined {
  if (stockPools === "*") return undefined;
  const named = [defaultStockPool, ...stockPools, ...(availablePools === "*" ? [] : availablePools)];
  const known = [...new Set(named)];
  return known.includes(pool) ? undefined : `'${pool}' is not a stock pool of the client; it has ${known.join(", ")}`;
}
