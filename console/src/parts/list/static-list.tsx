import { useSearchParams } from "react-router";
import { useSetParams } from "../../scope.ts";
import type { ListData } from "./list-data.ts";
import type { ListViewProps } from "./list-types.ts";
import { ListView } from "./list-view.tsx";

interface StaticListProps<Row extends object> extends ListViewProps<Row> {
  readonly rows: readonly Row[];
  /** With export and column chooser. */
  readonly hasBar?: boolean;
  /** Default sort order, of a list whose rows are sorted by `sorted`. */
  readonly sort?: string;
  sorted?(rows: readonly Row[], sort: string): readonly Row[];
}

/** A table of rows that the page has. */
export function StaticList<Row extends object>({ rows, hasBar = false, sort, sorted, ...props }: StaticListProps<Row>) {
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const order = sort === undefined ? undefined : (params.get("sort") ?? sort);
  const shown = order === undefined || sorted === undefined ? rows : sorted(rows, order);
  const data: ListData<Row> = {
    rows: shown,
    isWaiting: false,
    isComplete: true,
    total: undefined,
    isFetchingMore: false,
    error: null,
    isFiltered: false,
    scoped: {},
    sort: order,
    setSort: (next) => setParams({ sort: next }),
    exportRows: async () => ({ rows: shown, isCut: false }),
    clearFilters: nothing,
    clearScope: nothing,
    retry: nothing,
    fetchMore: nothing,
    atTop: nothing,
  };
  return <ListView {...props} isPlain={!hasBar} data={data} />;
}

const nothing = () => undefined;
