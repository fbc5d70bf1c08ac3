import type { components } from "#operator";
import { linkTo, pathWith } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { Qty } from "../../parts/qty.tsx";

type Row = components["schemas"]["BackorderedProduct"];

const waitingPath = ({ clientId, sku, distributionCentre }: Row) =>
  pathWith(linkTo("sku", clientId, sku), { at: distributionCentre, tab: "waiting" });

const columns: readonly Column<Row>[] = [
  { key: "sku" },
  { key: "name", kind: "product" },
  { key: "clientId" },
  { key: "distributionCentre" },
  {
    key: "qty",
    kind: "quantity",
    header: "Short",
    cell: (row) => (
      <Go to={waitingPath(row)}>
        <Qty value={row.qty} />
      </Go>
    ),
  },
  { key: "lines", to: waitingPath },
  { key: "orders", kind: "number", header: "Orders", to: waitingPath },
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
