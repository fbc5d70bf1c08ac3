import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo, productPath } from "../../links.ts";
import { Progress } from "../../parts/actions/progress.tsx";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { withLists } from "../../parts/list/filter-values.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";

type WorkOrder = components["schemas"]["WorkOrderSummary"];
type Query = NonNullable<operations["listWorkOrdersOfAll"]["parameters"]["query"]>;

const workOrderPath = ({ clientId, workOrderId }: WorkOrder) => linkTo("workOrder", clientId, workOrderId);

const columns: readonly Column<WorkOrder>[] = [
  {
    key: "workOrderId",
    header: "Work order",
    width: 120,
    cell: (row) => <Id text={row.workOrderId} to={workOrderPath(row)} />,
  },
  { key: "clientId", header: "Client", width: 80, cell: ({ clientId }) => clientId },
  { key: "distributionCentre", header: "Facility", width: 80, cell: ({ distributionCentre }) => distributionCentre },
  { key: "status", header: "State", width: 194, cell: ({ status }) => <StateBadge kind="workOrder" state={status} /> },
  {
    key: "finishedGoodName",
    header: "Makes",
    width: 168,
    wraps: true,
    cell: ({ clientId, finishedGoodSku, finishedGoodName, distributionCentre }) => (
      <Go to={productPath(clientId, finishedGoodSku, distributionCentre)}>{finishedGoodName ?? finishedGoodSku}</Go>
    ),
    text: ({ finishedGoodSku, finishedGoodName }) => finishedGoodName ?? finishedGoodSku,
  },
  {
    key: "finishedGoodSku",
    header: "SKU",
    width: 180,
    isHiddenAtFirst: true,
    cell: ({ finishedGoodSku }) => finishedGoodSku,
  },
  {
    key: "qtyCompleted",
    header: "Made",
    width: 160,
    cell: ({ qtyCompleted, qtyOrdered }) => <Progress done={qtyCompleted} of={qtyOrdered} />,
    text: ({ qtyCompleted }) => String(qtyCompleted),
  },
  {
    key: "shortages",
    header: "Short",
    width: 180,
    cell: ({ shortages, components: all }) =>
      shortages === 0 ? "nothing" : <ToneBadge tone="waiting" text={`${shortages} of ${all} components`} />,
    text: ({ shortages }) => String(shortages),
  },
  {
    key: "dueDate",
    header: "Due",
    width: 90,
    cell: ({ dueDate, distributionCentre }) => <Time at={dueDate} facility={distributionCentre} />,
  },
  {
    key: "receivedAt",
    header: "Created",
    width: 104,
    sort: "receivedAt",
    cell: ({ receivedAt, distributionCentre }) => <Time at={receivedAt} facility={distributionCentre} />,
  },
  { key: "priority", header: "Priority", width: 80, align: "right", cell: ({ priority }) => priority },
];

const filters: readonly Filter[] = [
  {
    key: "status",
    label: "State",
    kind: "several",
    options: enumerations.WorkOrderStatus.map((value) => ({ value, label: wordOf(value) })),
  },
];

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
        fetchPage={(request: ListRequest, signal) =>
          unwrap(api.GET("/workOrder/list", { params: { query: withLists(request, "status") as Query }, signal }))
        }
        rowId={(row) => workOrderPath(row)}
        rowTo={workOrderPath}
        empty={{ why: "No work orders yet. Clients create them through the Work Order service." }}
        live={10_000}
      />
    </Screen>
  );
}
