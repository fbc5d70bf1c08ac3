import type { components } from "#operator";
import { useAnswer } from "../../data.ts";
import { dayMs } from "../../durations.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { optionsOf } from "../../parts/options.ts";
import { CountFigure } from "../../parts/page/figure.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { useScope } from "../../scope.ts";

type PurchaseOrder = components["schemas"]["InboundPurchaseOrder"];

const purchaseOrderPath = ({ clientId, poNumber, vendorOrderId }: PurchaseOrder) =>
  linkTo("purchaseOrder", clientId, poNumber, vendorOrderId);

/** Upper limit of a figure. */
const countMax = 1_000;

const columns: readonly Column<PurchaseOrder>[] = [
  { key: "poNumber", kind: "id", header: "Purchase order", to: purchaseOrderPath },
  { key: "vendorOrderId", header: "Vendor order", width: 124, none: "none", isHiddenAtFirst: true },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "status", states: "purchaseOrder" },
  { key: "lines" },
  {
    key: "expectedDate",
    kind: "day",
    header: "Expected on",
    width: 164,
    none: "no day",
    cell: (order) => <Due order={order} />,
  },
  { key: "qty", kind: "quantity", header: "Expected", isHiddenAtFirst: true },
  { key: "qtyReceived", kind: "progress", header: "Received", total: ({ qty }) => qty },
  { key: "qtyDamaged", kind: "quantity", header: "Damaged", isHiddenAtFirst: true },
  { key: "discrepancies" },
  {
    key: "cartonsReceived",
    header: "Cartons",
    width: 92,
    of: ({ cartons, cartonsReceived }) => (cartons === 0 ? undefined : `${cartonsReceived} of ${cartons}`),
  },
  { key: "receivedAt", header: "Announced", sort: "receivedAt" },
];

const filters: readonly Filter[] = [
  stateFilter(enumerations.PurchaseOrderStatus, "several"),
  { key: "due", label: "Due", kind: "select", options: optionsOf({ TODAY: "Arriving today", OVERDUE: "Overdue" }) },
];

/** The expected day, in red when it has passed. */
function Due({ order: { due, expectedDate } }: { readonly order: PurchaseOrder }) {
  if (!expectedDate) return <span>no day</span>;
  if (due === "OVERDUE") {
    const days = Math.max(1, Math.floor((Date.now() - Date.parse(expectedDate)) / dayMs));
    return (
      <span title={expectedDate}>
        <ToneBadge tone="failed" text={`${days} d overdue`} />
      </span>
    );
  }
  return due === "TODAY" ? <ToneBadge tone="waiting" text="today" /> : <span>{expectedDate}</span>;
}

/** Counts of the purchase orders that arrive today, and of the overdue ones. */
export function InboundFigures() {
  const { query } = useScope();
  const { data, error } = useAnswer("/purchaseOrder/figures", { query }, { live: 10_000 });
  const isFailed = error !== null;
  return (
    <>
      <CountFigure
        label="Arriving today"
        count={data?.today}
        isMore={data?.today === countMax}
        isFailed={isFailed}
        to="/inbound?due=TODAY&sort=receivedAt"
        hint="by the day of the facility"
      />
      <CountFigure
        label="Overdue"
        count={data?.overdue}
        isMore={data?.overdue === countMax}
        isFailed={isFailed}
        to="/inbound?due=OVERDUE&sort=receivedAt"
        tone="failed"
        hint="past their expected day"
      />
    </>
  );
}

/** Purchase orders over all clients: expected and received quantities. */
export function PurchaseOrders() {
  return (
    <DataList
      id="inbound"
      label="Purchase orders"
      columns={columns}
      filters={filters}
      sort="-receivedAt"
      fetchPage={pagesOf("/purchaseOrder/list", "status")}
      empty={{ why: "No purchase orders yet. Clients send them as PO feeds." }}
      live={10_000}
    />
  );
}
