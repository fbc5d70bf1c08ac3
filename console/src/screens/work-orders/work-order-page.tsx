import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useItems } from "../../items.ts";
import { productPath } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Progress } from "../../parts/actions/progress.tsx";
import { Go } from "../../parts/go.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { clientFact, facilityFact } from "../../parts/page/place-facts.tsx";
import { Timeline, type TimelineEvent } from "../../parts/page/timeline.tsx";
import { qtyText } from "../../parts/qty.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { toneOf, wordOf } from "../../parts/tones.ts";

type WorkOrder = AnswerOf<"/client/workOrder/get/{workOrderId}">;
type Component = WorkOrder["components"][number];

const cancellable = ["CREATED", "WAITING_COMPONENTS", "RELEASED"];

/** A work order: its product, its components, and what is short. */
export const WorkOrderPage = pageOf(
  "/client/workOrder/get/{workOrderId}",
  { what: "The work order", live: 10_000 },
  (workOrder) => <Whole workOrder={workOrder} />,
);

/** Missing quantity of a component: neither reserved nor consumed. */
const shortOf = ({ qtyRequired, qtyAllocated, qtyConsumed }: Component) =>
  Math.max(0, Math.round((qtyRequired - qtyAllocated - qtyConsumed) * 1000) / 1000);

function Whole({ workOrder }: { readonly workOrder: WorkOrder }) {
  const { clientId, workOrderId, facilityCode, status, finishedGoodSku: sku } = workOrder;
  const items = useItems(clientId, [{ sku }, ...workOrder.components]);
  const params = { path: { workOrderId }, query: { clientId } };
  const isOpen = cancellable.includes(status) || status === "IN_PROGRESS";
  const short = isOpen ? workOrder.components.filter((component) => shortOf(component) > 0) : [];
  return (
    <DetailPage
      what="Work order"
      id={workOrderId}
      clientId={clientId}
      back={{ to: "/work-orders", label: "Work orders" }}
      state={<StateBadge kind="workOrder" state={status} />}
      age={<Time at={workOrder.receivedAt} facility={facilityCode} />}
      actions={
        <ActionButton
          verb="Cancel work order"
          title={`Cancel work order ${workOrderId}`}
          text="Its reserved components are freed at once. This cannot be undone."
          run={() =>
            api.POST("/client/workOrder/cancel/{workOrderId}", {
              params,
              body: { reason: "Cancelled in the console" },
            })
          }
          done={`Work order ${workOrderId} was cancelled.`}
          whyNot={
            cancellable.includes(status)
              ? undefined
              : `The work order is ${wordOf(status).toLowerCase()}. Only work orders that have not started can be cancelled.`
          }
          isDestructive
        />
      }
      notice={
        short.length === 0 ? undefined : (
          <p role="status">
            <ToneBadge tone="waiting" text="Short" />{" "}
            {short.map((component) => `${qtyText(shortOf(component))} ${component.uom} of ${component.sku}`).join(", ")}
            . It is released when stock arrives or is freed.
          </p>
        )
      }
      facts={[
        clientFact(clientId),
        facilityFact(facilityCode),
        {
          name: "Makes",
          value: (
            <Go to={productPath(clientId, sku, facilityCode)}>
              {[items.get(sku)?.name, sku].filter(Boolean).join(", ")}
            </Go>
          ),
        },
        { name: "Made", value: <Progress done={workOrder.qtyCompleted} of={workOrder.qtyOrdered} /> },
        { name: "Consumption", value: wordOf(workOrder.consumption) },
        {
          name: "Due",
          value: workOrder.dueDate && <Time at={workOrder.dueDate} facility={facilityCode} isExact />,
        },
        { name: "Priority", value: workOrder.priority },
        { name: "Notes", value: workOrder.notes },
        { name: "Created", value: <Time at={workOrder.receivedAt} facility={facilityCode} isExact /> },
        { name: "Last change", value: <Time at={workOrder.updatedAt} facility={facilityCode} /> },
      ]}
      timeline={<Timeline events={eventsOf(workOrder)} facility={facilityCode} />}
      tabs={[
        {
          key: "components",
          label: "Components",
          count: workOrder.components.length,
          content: <Components workOrder={workOrder} items={items} isOpen={isOpen} />,
        },
      ]}
    />
  );
}

/** Events from the record: receipt, progress, and due time. */
function eventsOf({ receivedAt, updatedAt, status, qtyCompleted, uom }: WorkOrder): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: receivedAt, text: "Created" }];
  if (qtyCompleted > 0) {
    events.push({ at: updatedAt, text: `${qtyText(qtyCompleted)} ${uom} made`, actor: "warehouse", tone: "moving" });
  }
  if (status !== "CREATED") events.push({ at: updatedAt, text: wordOf(status), tone: toneOf("workOrder", status) });
  return events;
}

interface ComponentsProps {
  readonly workOrder: WorkOrder;
  readonly items: ReturnType<typeof useItems>;
  readonly isOpen: boolean;
}

function Components({ workOrder, items, isOpen }: ComponentsProps) {
  const columns: readonly Column<Component>[] = [
    { key: "lineNumber", kind: "number", header: "Line" },
    { key: "sku", to: ({ sku }) => productPath(workOrder.clientId, sku, workOrder.facilityCode) },
    { key: "name", kind: "product", of: ({ sku }) => items.get(sku)?.name },
    { key: "qtyPer", kind: "quantity", header: "For one" },
    { key: "qtyRequired", kind: "quantity", header: "Required" },
    { key: "qtyAllocated", kind: "quantity", header: "Allocated" },
    { key: "qtyConsumed", kind: "progress", header: "Consumed", total: ({ qtyRequired }) => qtyRequired },
    {
      key: "short",
      kind: "number",
      header: "Short",
      cell: (component) =>
        isOpen && shortOf(component) > 0 ? <ToneBadge tone="waiting" text={qtyText(shortOf(component))} /> : "–",
      text: (component) => String(isOpen ? shortOf(component) : 0),
    },
    { key: "uom" },
  ];
  return (
    <StaticList
      id="work-order-components"
      label="Components"
      columns={columns}
      rows={workOrder.components}
      rowId={({ lineNumber }) => String(lineNumber)}
      empty={{ why: "It has no components." }}
    />
  );
}
