import { useListData } from "./list-data.ts";
import type { DataListProps, ListRequest } from "./list-types.ts";
import { ListView } from "./list-view.tsx";

export type { Column } from "./columns.tsx";
export type { BulkAction, ColumnSet, DataListProps, Filter, ListPage, ListRequest } from "./list-types.ts";

/**
 * A table with paging and sorting on the server. Filters, sorting and paging are in the URL. Only visible rows are
 * rendered, so that 100 000 of them scroll smoothly.
 */
export function DataList<Row extends object, Request = ListRequest>(props: DataListProps<Row, Request>) {
  return <ListView {...props} data={useListData(props)} />;
}
