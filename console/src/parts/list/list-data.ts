import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { useSearchParams } from "react-router";
import { useTimezone } from "../../directory.ts";
import { type Scope, useScope, useSetParams } from "../../scope.ts";
import { rangeOf } from "../../time-range.ts";
import { allowedValues } from "./filter-values.ts";
import type { DataListProps, Filter, ListRequest, ListTotal } from "./list-types.ts";

const pageRows = 100;
const exportPageRows = 500;
/** Limit of an export. Larger data sets need a report. */
export const exportRowsMax = 10_000;
/** Polling interval of the total, which costs more than a page. */
const totalLiveMs = 30_000;
/** Above this number of pages, the list does not refresh, because every loaded page is read again. */
const livePagesMax = 2;

export interface ListData<Row> {
  readonly rows: readonly Row[];
  readonly isWaiting: boolean;
  readonly isComplete: boolean;
  /** All matching rows; undefined if unknown. */
  readonly total: ListTotal | undefined;
  readonly isFetchingMore: boolean;
  readonly error: Error | null;
  readonly isFiltered: boolean;
  /** Filters of the top bar that apply to the list; both undefined: none. */
  readonly scoped: Scope["query"];
  /** The sort order from the URL, or the list's default. */
  readonly sort: string | undefined;
  setSort(sort: string | null): void;
  clearFilters(): void;
  /** Clears the client and facility filters. */
  clearScope(): void;
  retry(): void;
  fetchMore(): void;
  /** Receives the scroll position: rows do not move while the user reads further down. */
  atTop(isAtTop: boolean): void;
  /** All matching rows, at most 10 000. */
  exportRows(): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }>;
}

/** Loads the rows of a list page by page, according to the URL. */
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
  const request = useMemo((): Parameters => {
    const values = filters.flatMap((filter): [string, string][] => {
      const { key, kind, range } = filter;
      const text = range?.initial === undefined ? params.get(key) : rangeOf(params.get(key), range.initial).key;
      const value = kind === "several" ? allowedValues(filter, text ?? "") : (text ?? "");
      return value === "" ? [] : [[key, value]];
    });
    return { ...fixed, ...scoped, ...Object.fromEntries(values), ...(sort === undefined ? {} : { sort }) };
  }, [params, filters, scoped, fixed, sort]);

  const timezone = useTimezone();
  const isAtTop = useRef(true);
  const load = (cursor: string, limit: number, signal: AbortSignal) => {
    const listRequest: ListRequest = {
      ...withEnds(request, filters, timezone),
      limit,
      ...(cursor === "" ? {} : { cursor }),
    };
    return fetchPage(listRequest as Request, signal);
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

  const { sort: _, ...matching } = request;
  const counted = useQuery({
    queryKey: ["list-total", id, matching, timezone],
    queryFn: async ({ signal }) =>
      (await props.countAll?.(withEnds(matching, filters, timezone) as Request, signal)) ?? null,
    enabled: props.countAll !== undefined && query.hasNextPage,
    refetchInterval: totalLiveMs,
  });

  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return {
    rows,
    isWaiting: query.isPending,
    isComplete: !query.hasNextPage,
    total: counted.data ?? undefined,
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

type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** Replaces the key of each range in the request with its ends, computed now. */
function withEnds(request: Parameters, filters: readonly Filter[], timezone: string): Parameters {
  const parameters: Record<string, string | readonly string[]> = { ...request };
  for (const { key, range } of filters) {
    const value = parameters[key];
    if (range === undefined || typeof value !== "string") continue;
    delete parameters[key];
    const chosen = rangeOf(value, "any");
    const { from, to } = range.unit === "day" ? chosen.days(timezone) : chosen.window(timezone);
    if (from !== undefined) parameters[range.from] = from;
    if (to !== undefined) parameters[range.to] = to;
  }
  return parameters;
}
