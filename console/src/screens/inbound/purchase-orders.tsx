import type { components } from "#operator";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";

type PurchaseOrder = components["schemas"]["InboundPurchaseOrder"];

const purchaseOrderPath = ({ clientId, poNumber, vendorOrderId }: PurchaseOrder) =>
  linkTo("purchaseOrder", clientId, poNumber, vendorOrderId);

const columns: readonly Column<PurchaseOrder>[] = [
  { key: "poNumber", kind: "id", header: "Purchase order", to: purchaseOrderPath },
  { key: "vendorOrderId", header: "Vendor order", width: 124, none: "none" },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "status", states: "purchaseOrder" },
  { key: "lines" },
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

const filters: readonly Filter[] = [stateFilter(enumerations.PurchaseOrderStatus, "several")];

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
