import type { components } from "#operator";
import { api } from "../../../api.ts";
import { enumerations } from "../../../enumerations.ts";
import { linkTo } from "../../../links.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { type Column, DataList, type Filter } from "../../../parts/list/data-list.tsx";
import { pagesOf } from "../../../parts/list/pages.ts";
import { stateFilter } from "../../../parts/list/state-filter.ts";

type Purchase = components["schemas"]["LabelPurchase"];

const columns: readonly Column<Purchase>[] = [
  { key: "olpnId", kind: "id", header: "Parcel", width: 180, to: (row) => linkTo("parcel", row.clientId, row.olpnId) },
  { key: "clientId" },
  { key: "facilityCode" },
  { key: "orderId", kind: "id", header: "Order", to: (row) => linkTo("order", row.clientId, row.orderId) },
  { key: "sourceCode", header: "Label source", width: 150 },
  { key: "serviceCode", header: "Service", width: 120 },
  { key: "status", states: "labelPurchase" },
  { key: "tries" },
  { key: "trackingNumber", header: "Tracking number", width: 190 },
  {
    key: "price",
    header: "Price",
    width: 110,
    of: ({ price, currency }) => (price === null ? "" : `${Number(price).toFixed(2)} ${currency ?? ""}`),
  },
  { key: "error", header: "Error", width: 260, wraps: true },
  { key: "updatedAt", header: "Changed" },
  { key: "action", header: "Remedy", width: 150, cell: (row) => <Remedy purchase={row} />, text: () => "" },
  { key: "createdAt", header: "Ordered", isHiddenAtFirst: true },
  { key: "dueAt", header: "Next attempt", isHiddenAtFirst: true },
  { key: "externalId", header: "Id at the source", width: 180, isHiddenAtFirst: true },
  { key: "purchaseId", kind: "token" },
];

const filters: readonly Filter[] = [
  stateFilter(enumerations.LabelPurchaseStatus, "several"),
  { key: "sourceCode", label: "Label source" },
];

function Remedy({ purchase: { purchaseId, clientId, olpnId, status } }: { readonly purchase: Purchase }) {
  if (status !== "FAILED" && status !== "VOID_FAILED") return null;
  const verb = status === "FAILED" ? "Buy again" : "Void again";
  return (
    <ActionButton
      verb={verb}
      label={`${verb} ${olpnId}`}
      size="xs"
      run={() =>
        api.POST("/labelPurchase/retry/{purchaseId}", {
          params: { path: { purchaseId }, query: { clientId } },
          body: {},
        })
      }
    />
  );
}

/** Purchases of labels, the last changed first; those that failed have their remedy. */
export function LabelPurchases() {
  return (
    <DataList
      id="label-purchases"
      label="Labels"
      columns={columns}
      filters={filters}
      fetchPage={pagesOf("/labelPurchase/list", "status")}
      empty={{ why: "No label was bought yet. A service of the carrier data names its label sources." }}
      live={10_000}
    />
  );
}
