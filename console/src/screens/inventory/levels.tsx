import type { components } from "#operator";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { Qty } from "../../parts/qty.tsx";
import { onHoldOf, unsellableText } from "./unsellable-words.ts";

type Level = components["schemas"]["StockLevel"];

const columns: readonly Column<Level>[] = [
  { key: "sku" },
  { key: "name", kind: "product" },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "onHand", kind: "quantity", header: "On hand" },
  {
    key: "available",
    kind: "quantity",
    header: "Available",
    cell: ({ available }) => <Qty value={available} isWanted />,
  },
  { key: "allocated", kind: "quantity", header: "Allocated" },
  { key: "unsellable", kind: "quantity", header: "Unsellable" },
  {
    key: "unsellableReasons",
    header: "Why unsellable",
    width: 136,
    wraps: true,
    of: ({ unsellableReasons }) => unsellableText(unsellableReasons),
  },
  { key: "onHold", kind: "quantity", header: "On hold", isHiddenAtFirst: true, of: onHoldOf },
  { key: "damaged", kind: "quantity", header: "Damaged", isHiddenAtFirst: true },
  { key: "lots", kind: "count", header: "Lots", isHiddenAtFirst: true },
  { key: "firstExpiry", header: "First expiry", width: 120 },
  { key: "lastMovementAt", header: "Last movement", isHiddenAtFirst: true },
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
      fetchPage={pagesOf("/stock/list")}
      empty={{ why: "Nothing has been received yet. Stock appears with the first goods receipt of a warehouse." }}
      live={10_000}
    />
  );
}
