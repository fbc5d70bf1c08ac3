import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { productPath } from "../../links.ts";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { Qty } from "../../parts/qty.tsx";
import { Age } from "../../parts/time.tsx";

type Row = components["schemas"]["BackorderedProduct"];
type Query = operations["listBackorderedProducts"]["parameters"]["query"];

const columns: readonly Column<Row>[] = [
  {
    key: "sku",
    header: "SKU",
    width: 190,
    cell: ({ sku, clientId, distributionCentre }) => (
      <Id text={sku} to={productPath(clientId, sku, distributionCentre)} />
    ),
  },
  { key: "name", header: "Product", width: 220, wraps: true, cell: ({ name }) => name ?? "–" },
  { key: "clientId", header: "Client", width: 90, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "qty", header: "Short", width: 90, align: "right", cell: ({ qty }) => <Qty value={qty} /> },
  { key: "lines", header: "Lines", width: 80, align: "right", cell: ({ lines }) => lines },
  { key: "orders", header: "Orders", width: 80, align: "right", cell: ({ orders }) => orders },
  {
    key: "oldestAcceptedAt",
    header: "Oldest order waits",
    width: 160,
    cell: ({ oldestAcceptedAt }) => <Age since={oldestAcceptedAt} />,
  },
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
