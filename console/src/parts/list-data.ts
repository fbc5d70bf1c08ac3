import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { useSearchParams } from "react-router";
import { useTimezone } from "../directory.ts";
import { useScope, useSetParams } from "../scope.ts";
import { rangeOf } from "../time-range.ts";
import type { DataListProps, Filter, ListRequest } from "./list-types.ts";

const pageRows = 100;
const exportPageRows = 500;
/** Beyond it an export is for a report, not for a table. */
export const exportRowsMax = 10_000;
/** More than this is not read again by itself: what was read would be read again with it. */
const livePagesMax = 2;

export interface ListData<Row> {
  readonly rows: readonly Row[];
  readonly isWaiting: boolean;
  readonly isComplete: boolean;
  readonly isFetchingMore: boolean;
  readonly error: Error | null;
  readonly isFiltered: boolean;
  /** What the top bar leaves of the list; both undefined: nothing is left out by it. */
  readonly scoped: { readonly clientId?: string; readonly distributionCentre?: string };
  /** As it is in the URL, or the list's own. */
  readonly sort: string | undefined;
  setSort(sort: string | null): void;
  clearFilters(): void;
  /** Every client and every facility. */
  clearScope(): void;
  retry(): void;
  fetchMore(): void;
  /** Told where the user has scrolled to: rows do not move under the eyes of whoever reads further down. */
  atTop(isAtTop: boolean): void;
  /** Every row that fits, 10 000 at the most. */
  exportRows(): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }>;
}

/** The rows of a list, page by page, as the URL says them. */
export function useListData<Row extends object, Request>(props: DataListProps<Row, Request>): ListData<Row> {
  const { id, filters = [], scope = ["clientId", "distributionCentre"], fixed, live, fetchPage } = props;
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const { query: scopeQuery } = useScope();
  const sort = params.get("sort") ?? props.sort;
  const scoped = useMemo(
    () => Object.fromEntries(Object.entries(scopeQuery).filter(([name]) => scope.some((taken) => taken === name))),
    [scope, scopeQuery],
  );
  const request = useMemo((): Readonly<Record<string, string>> => {
    const values = filters.flatMap(({ key, range }): [string, string][] => {
      const value = range?.initial === undefined ? params.get(key) : rangeOf(params.get(key), range.initial).key;
      return value === null || value === "" ? [] : [[key, value]];
    });
    return { ...fixed, ...scoped, ...Object.fromEntries(values), ...(sort === undefined ? {} : { sort }) };
  }, [params, filters, scoped, fixed, sort]);

  const timezone = useTimezone();
  const isAtTop = useRef(true);
  const load = (cursor: string, limit: number, signal: AbortSignal) => {
    const asked: ListRequest = { ...withEnds(request, filters, timezone), limit, ...(cursor === "" ? {} : { cursor }) };
    return fetchPage(asked as Request, signal);
  };
  const query = useInfiniteQuery({
    queryKey: ["list", id, request, timezone],
    queryFn: ({ pageParam, signal }) => load(pageParam, pageRows, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      live !== undefined && isAtTop.current && (state.data?.pages.length ?? 0) <= livePagesMax ? live : false,
  });

  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return {
    rows,
    isWaiting: query.isPending,
    isComplete: !query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    error: query.error,
    isFiltered: filters.some(({ key }) => (params.get(key) ?? "") !== ""),
    scoped,
    sort,
    setSort: (next) => setParams({ sort: next }),
    clearFilters: () => setParams(Object.fromEntries(filters.map(({ key }) => [key, null]))),
    clearScope: () => setParams({ client: null, facility: null }),
    retry: () => void query.refetch(),
    fetchMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    atTop: (is) => {
      isAtTop.current = is;
    },
    async exportRows() {
      const all: Row[] = [];
      let cursor = "";
      const { signal } = new AbortController();
      do {
        const page = await load(cursor, exportPageRows, signal);
        all.push(...page.items);
        cursor = page.nextCursor ?? "";
      } while (cursor !== "" && all.length < exportRowsMax);
      return { rows: all.slice(0, exportRowsMax), isCut: cursor !== "" || all.length > exportRowsMax };
    },
  };
}

/** The request with the ends of each range, computed now, instead of the key that stands for them. */
function withEnds(
  request: Readonly<Record<string, string>>,
  filters: readonly Filter[],
  timezone: string,
): Readonly<Record<string, string>> {
  const asked: Record<string, string> = { ...request };
  for (const { key, range } of filters) {
    const value = asked[key];
    if (range === undefined || value === undefined) continue;
    delete asked[key];
    const chosen = rangeOf(value, "any");
    const { from, to } = range.unit === "day" ? chosen.days(timezone) : chosen.window(timezone);
    if (from !== undefined) asked[range.from] = from;
    if (to !== undefined) asked[range.to] = to;
  }
  return asked;
}
