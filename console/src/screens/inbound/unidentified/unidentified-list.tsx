import type { components } from "#operator";
import { enumerations } from "../../../enumerations.ts";
import { linkTo } from "../../../links.ts";
import { type Column, DataList, type Filter } from "../../../parts/list/data-list.tsx";
import { pagesOf } from "../../../parts/list/pages.ts";
import { stateFilter } from "../../../parts/list/state-filter.ts";

type Row = components["schemas"]["UnidentifiedReceipt"];

const columns: readonly Column<Row>[] = [
  {
    key: "receiptId",
    kind: "id",
    header: "Receipt",
    width: 180,
    to: ({ clientId, unidentifiedId }) => linkTo("unidentifiedReceipt", clientId, unidentifiedId),
  },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "status", states: "unidentifiedReceipt" },
  { key: "packages", kind: "number", header: "Packages" },
  { key: "carrierCode", kind: "text", header: "Carrier", width: 120, none: "unknown" },
  { key: "marks", kind: "text", header: "Written on them", width: 240, wraps: true, none: "nothing" },
  { key: "receivedAt", header: "Reported", sort: "receivedAt" },
];

const filters: readonly Filter[] = [stateFilter(enumerations.UnidentifiedReceiptStatus, "several")];

/** Goods over all clients that came without a purchase order. */
export function UnidentifiedReceipts() {
  return (
    <DataList
      id="unidentified"
      label="Unidentified goods"
      columns={columns}
      filters={filters}
      sort="-receivedAt"
      fetchPage={pagesOf("/unidentifiedReceipt/list", "status")}
      empty={{ why: "No goods without a purchase order. Warehouses report them as unidentifiedReceipt." }}
      live={10_000}
    />
  );
}
