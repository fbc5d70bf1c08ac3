import type { components } from "#operator";
import { api } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { type Column, DataList } from "../../parts/list/data-list.tsx";

type Expected = components["schemas"]["ExpectedStock"];

const columnsOf = (clientId: string): readonly Column<Expected>[] => [
  {
    key: "poNumber",
    kind: "id",
    header: "Purchase order",
    to: ({ poNumber, vendorOrderId }) => linkTo("purchaseOrder", clientId, poNumber, vendorOrderId),
  },
  { key: "vendorOrderId", header: "Vendor order", width: 124, none: "none" },
  { key: "expectedDate", kind: "day", header: "Expected on", width: 164, none: "no day" },
  { key: "qtyMissing", kind: "quantity", header: "Still to come", of: ({ qty, qtyReceived }) => qty - qtyReceived },
  { key: "qtyReceived", kind: "progress", header: "Received", total: ({ qty }) => qty },
  { key: "status", states: "purchaseOrder" },
  { key: "distributionCentre" },
  { key: "fromFacility", header: "Shipped by", none: "a vendor" },
  { key: "receivedAt", header: "Announced" },
];

interface ExpectedRequest {
  readonly distributionCentre?: string[];
}

/** Open purchase orders, and transfers on their way, that still bring a product. */
export function Expected({ clientId, sku }: { readonly clientId: string; readonly sku: string }) {
  return (
    <DataList
      id="expected"
      label="Expected"
      scope={["distributionCentre"]}
      columns={columnsOf(clientId)}
      fetchPage={({ distributionCentre }: ExpectedRequest, signal) => {
        const query = { clientId, sku, ...(distributionCentre === undefined ? {} : { distributionCentre }) };
        return api.GET("/stock/expected", { params: { query }, signal });
      }}
      rowId={({ poNumber, vendorOrderId, lineNumber }) => `${poNumber} ${vendorOrderId} ${lineNumber}`}
      empty={{ why: "No open purchase order brings this product." }}
      live={10_000}
    />
  );
}
