import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { productPath } from "../../links.ts";
import { type Column, DataList } from "../../parts/list/data-list.tsx";

type Row = components["schemas"]["BackorderedProduct"];
type Query = operations["listBackorderedProducts"]["parameters"]["query"];

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
      fetchPage={(query: NonNullable<Query>, signal) =>
        unwrap(api.GET("/stock/backordered", { params: { query }, signal }))
      }
      rowId={({ clientId, distributionCentre, sku }) => `${clientId} ${distributionCentre} ${sku}`}
      rowTo={({ clientId, distributionCentre, sku }) => productPath(clientId, sku, distributionCentre)}
      empty={{ why: "No order waits for stock." }}
      live={10_000}
    />
  );
}
