import type { components } from "#operator";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { optionsOf } from "../../parts/options.ts";
import { qtyText } from "../../parts/qty.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { Runway } from "./runway.tsx";

type Lot = components["schemas"]["ExpiringLot"];

/** Whole units: the forecast is a mean. */
const leftOver = (qty: number, atRisk: number) => Math.min(qty, Math.ceil(atRisk));

function Forecast({ lot: { daysLeft, atRisk, condition, qty } }: { readonly lot: Lot }) {
  if (daysLeft < 0) return <ToneBadge tone="failed" text="Expired" />;
  if (condition !== "GOOD") return <ToneBadge tone="ended" text="Not for sale" />;
  if (atRisk > 0) return <ToneBadge tone="waiting" text={`${qtyText(leftOver(qty, atRisk))} left over`} />;
  return <ToneBadge tone="done" text="Sold in time" />;
}

const columns: readonly Column<Lot>[] = [
  { key: "sku" },
  { key: "name", kind: "product" },
  {
    key: "batchRef",
    cell: ({ clientId, sku, batchRef }) =>
      batchRef === null ? "–" : <Go to={linkTo("lot", clientId, batchRef, sku)}>{batchRef}</Go>,
  },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "expiryDate" },
  {
    key: "daysLeft",
    kind: "number",
    header: "Days left",
    cell: ({ daysLeft }) => (daysLeft < 0 ? `${-daysLeft} d ago` : daysLeft),
  },
  { key: "qty", kind: "quantity", header: "In stock" },
  { key: "despatchedPerDay", kind: "quantity", header: "Leaves a day", isHiddenAtFirst: true },
  {
    key: "coverDays",
    header: "Stock lasts",
    width: 140,
    cell: (lot) => <Runway daysLeft={lot.daysLeft} coverDays={lot.coverDays} />,
  },
  {
    key: "atRisk",
    kind: "quantity",
    header: "Left over",
    isHiddenAtFirst: true,
    of: ({ qty, atRisk }) => leftOver(qty, atRisk),
  },
  {
    key: "check",
    header: "Forecast",
    width: 136,
    cell: (lot) => <Forecast lot={lot} />,
    text: ({ atRisk, daysLeft }) => (daysLeft < 0 ? "expired" : atRisk > 0 ? "left over" : "in time"),
  },
  { key: "condition", isHiddenAtFirst: true },
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
    options: optionsOf({
      EXPIRING: "Expires within 30 days",
      EXPIRED: "Expired",
      EXPIRED_ALLOCATED: "Expired and still allocated",
    }),
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
      fetchPage={pagesOf("/stock/expiring")}
      rowId={(lot) =>
        [lot.clientId, lot.distributionCentre, lot.sku, lot.stockPool, lot.condition, lot.batchRef].join(" ")
      }
      empty={{ why: "Nothing in stock expires within 90 days." }}
    />
  );
}
