import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";

export interface DataOptions {
  /** Milliseconds between two looks while the page is seen; without it the data is read once. */
  readonly live?: 5_000 | 10_000 | 30_000;
  /** false: not yet, for want of something that it depends on. */
  readonly isReady?: boolean;
}

/**
 * Reads something of the API, shows what was there while it is read again, and reads again every so often where it is
 * `live`.
 * @param key what it is, with everything that the answer depends on: `["order", clientId, orderId]`
 */
export function useData<T>(
  key: readonly unknown[],
  load: (signal: AbortSignal) => Promise<T>,
  { live, isReady = true }: DataOptions = {},
): UseQueryResult<T, Error> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => load(signal),
    enabled: isReady,
    placeholderData: keepPreviousData,
    ...(live === undefined ? {} : { refetchInterval: live }),
  });
}
