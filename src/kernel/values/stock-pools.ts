/** The pool of goods that name none; every client has it. */
export const defaultStockPool = "DEFAULT";

/** The client settings that name stock pools; `*`: whichever. */
export interface PoolSettings {
  readonly stockPools: "*" | readonly string[];
  /** The stock pools that the top-level `available` counts. */
  readonly availablePools: "*" | readonly string[];
}

/**
 * Why goods cannot be of a pool; undefined where the client has it. A pool that is misspelt would hold stock that no order
 * asks for, or an order that no stock is for.
 */
export function faultOfPool({ stockPools, availablePools }: PoolSettings, pool: string): string | undefined {
  if (stockPools === "*") return undefined;
  const named = [defaultStockPool, ...stockPools, ...(availablePools === "*" ? [] : availablePools)];
  const known = [...new Set(named)];
  return known.includes(pool) ? undefined : `'${pool}' is not a stock pool of the client; it has ${known.join(", ")}`;
}
