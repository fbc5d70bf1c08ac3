import type { components } from "#operator";
import { enumerations } from "../../enumerations.ts";
import { linkTo, productPath } from "../../links.ts";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { ToneBadge } from "../../parts/state-badge.tsx";

type WorkOrder = components["schemas"]["WorkOrderSummary"];

const workOrderPath = ({ clientId, workOrderId }: WorkOrder) => linkTo("workOrder", clientId, workOrderId);

const columns: readonly Column<WorkOrder>[] = [
  { key: "workOrderId", kind: "id", header: "Work order", to: workOrderPath },
  { key: "clientId" },
  { key: "distributionCentre" },
  { key: "status", states: "workOrder" },
  {
    key: "finishedGoodName",
    header: "Makes",
    width: 168,
    wraps: true,
    of: ({ finishedGoodSku, finishedGoodName }) => finishedGoodName ?? finishedGoodSku,
    to: ({ clientId, finishedGoodSku, distributionCentre }) =>
      productPath(clientId, finishedGoodSku, distributionCentre),
  },
  { key: "finishedGoodSku", kind: "sku", isHiddenAtFirst: true },
  { key: "qtyCompleted", kind: "progress", header: "Made", total: ({ qtyOrdered }) => qtyOrdered },
  {
    key: "shortages",
    header: "Short components",
    width: 140,
    cell: ({ shortages, components: all }) =>
      shortages === 0 ? "–" : <ToneBadge tone="waiting" text={`${shortages} of ${all}`} />,
  },
  { key: "dueDate", kind: "moment", header: "Due" },
  { key: "receivedAt", header: "Created", sort: "receivedAt" },
  { key: "priority", isHiddenAtFirst: true },
];

const filters: readonly Filter[] = [stateFilter(enumerations.WorkOrderStatus, "several")];

/** Work orders over all clients. */
export function WorkOrders() {
  return (
    <Screen title="Work orders">
      <DataList
        id="work-orders"
        label="Work orders"
        columns={columns}
        filters={filters}
        sort="-receivedAt"
        fetchPage={pagesOf("/workOrder/list", "status")}
        empty={{ why: "No work orders yet. Clients create them through the Work Order service." }}
        live={10_000}
      />
    </Screen>
  );
}
