import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { ConditionBadge } from "../../parts/condition-badge.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { Qty } from "../../parts/qty.tsx";
import { Time } from "../../parts/time.tsx";

type Lot = components["schemas"]["StockLot"];

const columns: readonly Column<Lot>[] = [
  { key: "distributionCentre", header: "Facility", width: 90, cell: ({ distributionCentre }) => distributionCentre },
  {
    key: "condition",
    header: "Condition",
    width: 130,
    cell: ({ condition }) => <ConditionBadge condition={condition} />,
  },
  { key: "stockPool", header: "Stock pool", width: 120, cell: ({ stockPool }) => stockPool },
  { key: "batchRef", header: "Batch", width: 150, cell: ({ batchRef }) => batchRef ?? "–" },
  { key: "expiryDate", header: "Expires", width: 120, cell: ({ expiryDate }) => expiryDate ?? "–" },
  { key: "qty", header: "Quantity", width: 100, align: "right", cell: ({ qty }) => <Qty value={qty} /> },
  {
    key: "allocated",
    header: "Allocated",
    width: 100,
    align: "right",
    cell: ({ allocated }) => <Qty value={allocated} />,
  },
  {
    key: "receivedAt",
    header: "In stock since",
    width: 140,
    cell: ({ receivedAt, distributionCentre }) => <Time at={receivedAt} facility={distributionCentre} />,
  },
  {
    key: "lastMovementAt",
    header: "Last movement",
    width: 140,
    cell: ({ lastMovementAt, distributionCentre }) => <Time at={lastMovementAt} facility={distributionCentre} />,
  },
];

/** Stock of a product by lot. */
export function Lots({ clientId, sku }: { readonly clientId: string; readonly sku: string }) {
  return (
    <DataList
      id="lots"
      label="Lots"
      isPlain
      scope={["distributionCentre"]}
      columns={columns}
      fetchPage={async ({ distributionCentre }: { distributionCentre?: string[] }, signal) => {
        const query = { clientId, sku, ...(distributionCentre === undefined ? {} : { distributionCentre }) };
        return { items: (await unwrap(api.GET("/stock/lots", { params: { query }, signal }))).items };
      }}
      rowId={(lot) => [lot.distributionCentre, lot.condition, lot.stockPool, lot.batchRef, lot.expiryDate].join(" ")}
      empty={{ why: "No stock now. The statement shows the movements." }}
    />
  );
}
