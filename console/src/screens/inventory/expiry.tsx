import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { productPath } from "../../links.ts";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Qty, qtyText } from "../../parts/qty.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Runway } from "./runway.tsx";

type Lot = components["schemas"]["ExpiringLot"];
type Query = operations["listExpiringStock"]["parameters"]["query"];

/** Whole units: the forecast is a mean. */
const leftOver = (qty: number, atRisk: number) => Math.min(qty, Math.ceil(atRisk));

function Forecast({ lot: { daysLeft, atRisk, condition, qty } }: { readonly lot: Lot }) {
  if (daysLeft < 0) return <ToneBadge tone="failed" text="Expired" />;
  if (condition !== "GOOD") return <ToneBadge tone="ended" text="Not for sale" />;
  if (atRisk > 0) return <ToneBadge tone="waiting" text={`${qtyText(leftOver(qty, atRisk))} left over`} />;
  return <ToneBadge tone="done" text="Sold in time" />;
}

const columns: readonly Column<Lot>[] = [
  {
    key: "sku",
    header: "SKU",
    width: 204,
    cell: ({ sku, clientId, distributionCentre }) => (
      <Id text={sku} to={productPath(clientId, sku, distributionCentre)} />
    ),
  },
  { key: "name", header: "Product", width: 148, wraps: true, cell: ({ name }) => name ?? "–" },
  { key: "batchRef", header: "Batch", width: 92, cell: ({ batchRef }) => batchRef ?? "–" },
  { key: "clientId", header: "Client", width: 76, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "expiryDate", header: "Expires", width: 108, cell: ({ expiryDate }) => expiryDate },
  {
    key: "daysLeft",
    header: "Days left",
    width: 92,
    align: "right",
    cell: ({ daysLeft }) => (daysLeft < 0 ? `${-daysLeft} d ago` : daysLeft),
    text: ({ daysLeft }) => String(daysLeft),
  },
  { key: "qty", header: "In stock", width: 84, align: "right", cell: ({ qty }) => <Qty value={qty} /> },
  {
    key: "despatchedPerDay",
    header: "Leaves a day",
    width: 110,
    align: "right",
    isHiddenAtFirst: true,
    cell: ({ despatchedPerDay }) => <Qty value={despatchedPerDay} />,
  },
  {
    key: "coverDays",
    header: "Stock lasts",
    width: 148,
    cell: (lot) => <Runway daysLeft={lot.daysLeft} coverDays={lot.coverDays} />,
    text: ({ coverDays }) => String(coverDays ?? ""),
  },
  {
    key: "atRisk",
    header: "Left over",
    width: 100,
    align: "right",
    isHiddenAtFirst: true,
    cell: ({ qty, atRisk }) => <Qty value={leftOver(qty, atRisk)} />,
  },
  {
    key: "check",
    header: "Forecast",
    width: 136,
    cell: (lot) => <Forecast lot={lot} />,
    text: ({ atRisk, daysLeft }) => (daysLeft < 0 ? "expired" : atRisk > 0 ? "left over" : "in time"),
  },
  { key: "condition", header: "Condition", width: 110, isHiddenAtFirst: true, cell: ({ condition }) => condition },
];

const filters: readonly Filter[] = [
  {
    key: "expires",
    label: "Expires",
    // With one end only, the API applies its default for the other: 400 days ago, in 90 days.
    range: { from: "from", to: "to", unit: "day", presets: ["next-7d", "next-30d", "next-90d"], isBounded: true },
  },
  {
    key: "only",
    label: "Good stock",
    kind: "select" as const,
    options: [
      { value: "EXPIRING", label: "Expires within 30 days" },
      { value: "EXPIRED", label: "Expired" },
      { value: "EXPIRED_ALLOCATED", label: "Expired and still allocated" },
    ],
  },
];

/** Expiring lots, with a forecast of what is left of them at the rate of sale of the last 30 days. */
export function Expiry() {
  return (
    <DataList
      id="expiry"
      label="Lots that expire"
      columns={columns}
      filters={filters}
      fetchPage={(query: NonNullable<Query>, signal) =>
        unwrap(api.GET("/stock/expiring", { params: { query }, signal }))
      }
      rowId={(lot) =>
        [lot.clientId, lot.distributionCentre, lot.sku, lot.stockPool, lot.condition, lot.batchRef].join(" ")
      }
      rowTo={({ clientId, distributionCentre, sku }) => productPath(clientId, sku, distributionCentre)}
      empty={{ why: "Nothing in stock expires within 90 days." }}
    />
  );
}
