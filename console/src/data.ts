import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { AnswerOf, GetPath, ParamsOf } from "./answer-of.ts";
import { api } from "./api.ts";

export interface DataOptions {
  /** Polling interval in milliseconds while the page is visible; without it, the data is read once. */
  readonly live?: 5_000 | 10_000 | 30_000;
  /** false: waits for data that it depends on. */
  readonly isReady?: boolean;
}

/**
 * Reads data from the API. It shows the previous data during a refresh, and polls if it is `live`.
 * @param key identifies the data, with everything that the response depends on: `["order", clientId, orderId]`
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

/** Reads an answer of the API: `useAnswer("/mail/get/{mailId}", { path: { mailId }, query: { clientId } })`. */
export function useAnswer<Path extends GetPath>(
  path: Path,
  params: ParamsOf<Path>,
  options: DataOptions = {},
): UseQueryResult<AnswerOf<Path>, Error> {
  return useData(
    [path, params],
    (signal) => api.GET(path as never, { params, signal } as never) as Promise<AnswerOf<Path>>,
    options,
  );
}
