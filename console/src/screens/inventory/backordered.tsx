import type { components } from "#operator";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";

type Row = components["schemas"]["BackorderedProduct"];

const columns: readonly Column<Row>[] = [
  { key: "sku" },
  { key: "name", kind: "product" },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "qty", kind: "quantity", header: "Short" },
  { key: "lines" },
  { key: "orders", kind: "count", header: "Orders" },
  { key: "oldestAcceptedAt", kind: "age", header: "Oldest order waits" },
];

/** Products with waiting orders, by facility. */
export function Backordered() {
  return (
    <DataList
      id="backordered"
      label="Back-ordered products"
      columns={columns}
      fetchPage={pagesOf("/stock/backordered")}
      empty={{ why: "No order waits for stock." }}
      live={10_000}
    />
  );
}
