import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { productPath } from "../../links.ts";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Qty } from "../../parts/qty.tsx";
import { Time } from "../../parts/time.tsx";
import { unsellableText } from "./unsellable-words.ts";

type Level = components["schemas"]["StockLevel"];
type Query = operations["listStock"]["parameters"]["query"];

const columns: readonly Column<Level>[] = [
  {
    key: "sku",
    header: "SKU",
    width: 204,
    cell: ({ sku, clientId, distributionCentre }) => (
      <Id text={sku} to={productPath(clientId, sku, distributionCentre)} />
    ),
  },
  { key: "name", header: "Product", width: 166, wraps: true, cell: ({ name }) => name ?? "–" },
  { key: "clientId", header: "Client", width: 78, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "onHand", header: "On hand", width: 88, align: "right", cell: ({ onHand }) => <Qty value={onHand} /> },
  {
    key: "available",
    header: "Available",
    width: 104,
    align: "right",
    cell: ({ available }) => <Qty value={available} isWanted />,
  },
  {
    key: "allocated",
    header: "Allocated",
    width: 98,
    align: "right",
    cell: ({ allocated }) => <Qty value={allocated} />,
  },
  {
    key: "unsellable",
    header: "Unsellable",
    width: 106,
    align: "right",
    cell: ({ unsellable }) => <Qty value={unsellable} />,
  },
  {
    key: "unsellableReasons",
    header: "Why unsellable",
    width: 136,
    wraps: true,
    cell: ({ unsellableReasons }) => unsellableText(unsellableReasons),
    text: ({ unsellableReasons }) => unsellableText(unsellableReasons),
  },
  {
    key: "onHold",
    header: "On hold",
    width: 90,
    align: "right",
    isHiddenAtFirst: true,
    cell: ({ onHold }) => <Qty value={onHold} />,
  },
  {
    key: "damaged",
    header: "Damaged",
    width: 106,
    align: "right",
    isHiddenAtFirst: true,
    cell: ({ damaged }) => <Qty value={damaged} />,
  },
  { key: "lots", header: "Lots", width: 60, align: "right", isHiddenAtFirst: true, cell: ({ lots }) => lots },
  { key: "firstExpiry", header: "First expiry", width: 110, cell: ({ firstExpiry }) => firstExpiry ?? "–" },
  {
    key: "lastMovementAt",
    header: "Last movement",
    width: 142,
    isHiddenAtFirst: true,
    cell: ({ lastMovementAt, distributionCentre }) => <Time at={lastMovementAt} facility={distributionCentre} />,
  },
];

const filters: readonly Filter[] = [
  { key: "text", label: "SKU begins with", placeholder: "MUG" },
  { key: "isUnavailable", label: "None available", kind: "switch" },
  { key: "isUnsellable", label: "Unsellable", kind: "switch" },
  { key: "isOnHold", label: "On hold", kind: "switch" },
  {
    key: "expiresWithinDays",
    label: "Good stock expires",
    options: [7, 14, 30, 60, 90, 180].map((days) => ({ value: String(days), label: `within ${days} days` })),
  },
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
