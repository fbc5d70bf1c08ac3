import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Qty } from "../../parts/qty.tsx";
import { Time } from "../../parts/time.tsx";

type Level = components["schemas"]["StockLevel"];
type Query = operations["listStock"]["parameters"]["query"];

export const productPath = (clientId: string, sku: string, facility?: string) =>
  `/inventory/${encodeURIComponent(clientId)}/${encodeURIComponent(sku)}${
    facility === undefined ? "" : `?at=${encodeURIComponent(facility)}`
  }`;

const columns: readonly Column<Level>[] = [
  {
    key: "sku",
    header: "SKU",
    width: 204,
    cell: ({ sku, clientId, distributionCentre }) => (
      <Id text={sku} to={productPath(clientId, sku, distributionCentre)} />
    ),
  },
  { key: "clientId", header: "Client", width: 90, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "onHand", header: "On hand", width: 90, align: "right", cell: ({ onHand }) => <Qty value={onHand} /> },
  {
    key: "available",
    header: "Available",
    width: 106,
    align: "right",
    cell: ({ available }) => <Qty value={available} isWanted />,
  },
  {
    key: "allocated",
    header: "Allocated",
    width: 100,
    align: "right",
    cell: ({ allocated }) => <Qty value={allocated} />,
  },
  { key: "onHold", header: "On hold", width: 90, align: "right", cell: ({ onHold }) => <Qty value={onHold} /> },
  { key: "damaged", header: "Damaged", width: 106, align: "right", cell: ({ damaged }) => <Qty value={damaged} /> },
  { key: "lots", header: "Lots", width: 60, align: "right", cell: ({ lots }) => lots },
  { key: "firstExpiry", header: "First expiry", width: 110, cell: ({ firstExpiry }) => firstExpiry ?? "–" },
  {
    key: "lastMovementAt",
    header: "Last movement",
    width: 142,
    cell: ({ lastMovementAt, distributionCentre }) => <Time at={lastMovementAt} facility={distributionCentre} />,
  },
];

const filters: readonly Filter[] = [
  { key: "text", label: "SKU begins with", placeholder: "MUG" },
  { key: "isOnHold", label: "On hold", kind: "switch" },
];

/** Stock by client, product and facility. */
export function Levels() {
  return (
    <DataList
      id="stock"
      label="Stock levels"
      columns={columns}
      filters={filters}
      fetchPage={(query: NonNullable<Query>, signal) => unwrap(api.GET("/stock/list", { params: { query }, signal }))}
      rowId={({ clientId, distributionCentre, sku }) => `${clientId} ${distributionCentre} ${sku}`}
      rowTo={({ clientId, distributionCentre, sku }) => productPath(clientId, sku, distributionCentre)}
      empty={{ why: "Nothing has been received yet. Stock appears with the first goods receipt of a warehouse." }}
      live={10_000}
    />
  );
}
