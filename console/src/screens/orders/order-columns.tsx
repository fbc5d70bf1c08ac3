import { Text } from "@mantine/core";
import { hourMs } from "../../durations.ts";
import { linkTo, pathWith } from "../../links.ts";
import { moneyText } from "../../parts/decision.tsx";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import type { Column, ColumnSet } from "../../parts/list/data-list.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { duration, useNow } from "../../parts/time.tsx";
import { hasLeft, holdWord, type ListedOrder } from "./order-words.ts";
import { QuantityBar, quantityText } from "./quantity-bar.tsx";

const riskMs = hourMs;

/** Time until the order must leave; red if overdue, amber in the last hour, each with a word. */
export function TimeLeft({ order }: { readonly order: Pick<ListedOrder, "status" | "despatchBy"> }) {
  const now = useNow();
  if (order.despatchBy === null) return <span>–</span>;
  if (hasLeft(order))
    return (
      <Text span inherit c="dimmed">
        {order.status === "CANCELLED" ? "cancelled" : "has left"}
      </Text>
    );
  const ms = Date.parse(order.despatchBy) - now;
  if (ms < 0) return <ToneBadge tone="failed" text={`${duration(-ms)} late`} />;
  if (ms < riskMs) return <ToneBadge tone="waiting" text={`${duration(ms)} left`} />;
  return <span>{duration(ms)}</span>;
}

/** The state of an order; while the warehouse has not answered a cancellation, the request. */
export function OrderStateBadge({ status, isCancelRequested }: Pick<ListedOrder, "status" | "isCancelRequested">) {
  if (isCancelRequested) return <ToneBadge tone="waiting" text="Cancel requested" />;
  return <StateBadge kind="order" state={status} />;
}

function Holds({ holds }: Pick<ListedOrder, "holds">) {
  if (holds.length === 0) return <span>–</span>;
  return (
    <span title={holds.map(({ reason }) => reason).join("; ")}>
      {holds.map(({ type }) => holdWord(type)).join(", ")}
    </span>
  );
}

/** The first SKU that its lines wait for, with a link to what brings it. */
function MissingSkus({ order }: { readonly order: ListedOrder }) {
  const { clientId, distributionCentre, missingSkus = [] } = order;
  const [sku] = missingSkus;
  if (sku === undefined) return <span>–</span>;
  return (
    <span title={missingSkus.join(", ")}>
      <Go to={pathWith(linkTo("sku", clientId, sku), { at: distributionCentre, tab: "expected" })}>{sku}</Go>
      {othersText(missingSkus.length)}
    </span>
  );
}

const joined = (...parts: readonly (string | null)[]) => parts.filter(Boolean).join(" · ");
const shippingText = ({ shippingMethod, carrierCode }: ListedOrder) => joined(shippingMethod, carrierCode);

/** " +2" for the others of three. */
const othersText = (count: number) => (count > 1 ? ` +${count - 1}` : "");
const carrierText = ({ parcels: { carrierCode, carrierServiceCode, services } }: ListedOrder) =>
  joined(carrierCode, carrierServiceCode) + othersText(services);

const currencyText = (costs: ListedOrder["parcels"]["costs"]) => costs.map(({ currency }) => currency).join(" + ");

/** Columns of the list over clients. */
export const orderColumns: readonly Column<ListedOrder>[] = [
  { key: "orderId", kind: "id", header: "Order", to: ({ clientId, orderId }) => linkTo("order", clientId, orderId) },
  { key: "clientId" },
  {
    key: "status",
    states: "order",
    cell: ({ status, isCancelRequested }) => <OrderStateBadge status={status} isCancelRequested={isCancelRequested} />,
  },
  { key: "shipToName", header: "Customer", exported: "Customer (ship-to name)", width: 144 },
  {
    key: "despatchBy",
    header: "Time left",
    exported: "Despatch by",
    width: 126,
    sort: "despatchBy",
    isAscendingFirst: true,
    cell: (order) => <TimeLeft order={order} />,
  },
  { key: "receivedAt", header: "Received", sort: "receivedAt" },
  {
    key: "quantities",
    header: "Units",
    width: 128,
    cell: ({ quantities }) => <QuantityBar quantities={quantities} hasTotal />,
    text: ({ quantities }) => quantityText(quantities),
  },
  { key: "distributionCentre" },
  {
    key: "missingSkus",
    header: "Missing SKU",
    width: 208,
    cell: (order) => <MissingSkus order={order} />,
    text: ({ missingSkus = [] }) => missingSkus.join(" "),
  },
  { key: "statusSince", kind: "age", header: "In state for", exported: "In state since" },
  { key: "lines" },
  {
    key: "holds",
    header: "Holds",
    width: 170,
    cell: ({ holds }) => <Holds holds={holds} />,
    text: ({ holds }) => holds.map(({ type }) => type).join(" "),
  },
  { key: "priority" },
  { key: "country", header: "To", exported: "Country" },
  {
    key: "shippingMethod",
    header: "Shipping",
    exported: "Shipping method and carrier chosen by the client",
    of: shippingText,
  },
  {
    key: "carrier",
    header: "Carrier",
    exported: "Carrier and service of the parcels",
    width: 120,
    wraps: true,
    isHiddenAtFirst: true,
    of: carrierText,
  },
  {
    key: "trackingNumber",
    header: "Tracking",
    exported: "First tracking number + number of others",
    width: 240,
    isHiddenAtFirst: true,
    cell: ({ parcels: { trackingNumber, trackingNumbers } }) =>
      trackingNumber === null ? (
        "–"
      ) : (
        <>
          <Id text={trackingNumber} />
          {othersText(trackingNumbers)}
        </>
      ),
    text: ({ parcels: { trackingNumber, trackingNumbers } }) => (trackingNumber ?? "") + othersText(trackingNumbers),
  },
  {
    key: "cost",
    kind: "number",
    header: "Carrier cost",
    exported: "Carrier cost of the parcels",
    isHiddenAtFirst: true,
    cell: ({ parcels: { costs } }) => costs.map(moneyText).join(" + ") || "–",
    text: ({ parcels: { costs } }) => costs.map(({ amount }) => amount).join(" + "),
  },
  {
    key: "costCurrency",
    header: "Cost currency",
    exported: "Currency of the carrier cost",
    width: 124,
    isHiddenAtFirst: true,
    of: ({ parcels: { costs } }) => currencyText(costs),
  },
  {
    key: "despatchedAt",
    header: "Despatched",
    exported: "First parcel despatched",
    isHiddenAtFirst: true,
    of: ({ parcels }) => parcels.despatchedAt,
  },
  { key: "externalOrderReference", header: "Reference", width: 160, isHiddenAtFirst: true },
  { key: "statusReason", header: "Reason", width: 240, isHiddenAtFirst: true },
  { key: "updatedAt", header: "Changed", isHiddenAtFirst: true },
];

/** Cost and carrier of a despatched order; and the columns that the list has at first, the work in the warehouse. */
export const orderColumnSets: readonly ColumnSet[] = [
  { name: "Work", keys: orderColumns.filter(({ isHiddenAtFirst = false }) => !isHiddenAtFirst).map(({ key }) => key) },
  {
    name: "Despatch",
    keys: [
      ...["clientId", "status", "despatchedAt", "shipToName", "country", "carrier", "trackingNumber"],
      ...["cost", "costCurrency"],
    ],
  },
];
