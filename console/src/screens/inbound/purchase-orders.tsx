import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { Progress } from "../../parts/actions/progress.tsx";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { withLists } from "../../parts/list/filter-values.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { Qty } from "../../parts/qty.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";

type PurchaseOrder = components["schemas"]["InboundPurchaseOrder"];
type Query = NonNullable<operations["listPurchaseOrders"]["parameters"]["query"]>;

const purchaseOrderPath = ({ clientId, poNumber, vendorOrderId }: PurchaseOrder) =>
  linkTo("purchaseOrder", clientId, poNumber, vendorOrderId);

const columns: readonly Column<PurchaseOrder>[] = [
  {
    key: "poNumber",
    header: "Purchase order",
    width: 160,
    cell: (order) => <Id text={order.poNumber} to={purchaseOrderPath(order)} />,
  },
  { key: "vendorOrderId", header: "Vendor order", width: 124, cell: ({ vendorOrderId }) => vendorOrderId || "none" },
  { key: "clientId", header: "Client", width: 78, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  {
    key: "status",
    header: "State",
    width: 120,
    cell: ({ status }) => <StateBadge kind="purchaseOrder" state={status} />,
  },
  { key: "lines", header: "Lines", width: 70, align: "right", cell: ({ lines }) => lines },
  {
    key: "qty",
    header: "Expected",
    width: 100,
    align: "right",
    isHiddenAtFirst: true,
    cell: ({ qty }) => <Qty value={qty} />,
  },
  {
    key: "qtyReceived",
    header: "Received",
    width: 166,
    cell: ({ qty, qtyReceived }) => <Progress done={qtyReceived} of={qty} />,
    text: ({ qtyReceived }) => String(qtyReceived),
  },
  {
    key: "qtyDamaged",
    header: "Damaged",
    width: 100,
    align: "right",
    cell: ({ qtyDamaged }) => <Qty value={qtyDamaged} />,
  },
  {
    key: "discrepancies",
    header: "Discrepancies",
    width: 140,
    cell: ({ discrepancies, lines }) =>
      discrepancies === 0 ? "none" : <ToneBadge tone="waiting" text={`${discrepancies} of ${lines} lines`} />,
    text: ({ discrepancies }) => String(discrepancies),
  },
  {
    key: "receivedAt",
    header: "Announced",
    width: 132,
    sort: "receivedAt",
    cell: ({ receivedAt, distributionCentre }) => <Time at={receivedAt} facility={distributionCentre} />,
  },
];

const filters: readonly Filter[] = [
  {
    key: "status",
    label: "State",
    kind: "several",
    options: enumerations.PurchaseOrderStatus.map((value) => ({ value, label: wordOf(value) })),
  },
];

/** Purchase orders over all clients: expected and received quantities. */
export function PurchaseOrders() {
  return (
    <Screen title="Inbound">
      <DataList
        id="inbound"
        label="Purchase orders"
        columns={columns}
        filters={filters}
        sort="-receivedAt"
        fetchPage={(request: ListRequest, signal) =>
          unwrap(api.GET("/purchaseOrder/list", { params: { query: withLists(request, "status") as Query }, signal }))
        }
        rowId={(order) => purchaseOrderPath(order)}
        rowTo={purchaseOrderPath}
        empty={{ why: "No purchase orders yet. Clients send them as PO feeds." }}
        live={10_000}
      />
    </Screen>
  );
}
