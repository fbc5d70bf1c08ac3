import type { components } from "#operator";
import { linkTo } from "../../links.ts";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { StateBadge } from "../../parts/state-badge.tsx";

type Waiter = components["schemas"]["StockWaiter"];

const kinds = {
  ORDER: { word: "Order", path: "order", states: "order" },
  WORK_ORDER: { word: "Work order", path: "workOrder", states: "workOrder" },
} as const;

const columnsOf = (clientId: string): readonly Column<Waiter>[] => [
  { key: "id", kind: "id", header: "Waiting", to: ({ kind, id }) => linkTo(kinds[kind].path, clientId, id) },
  { key: "kind", header: "Kind", of: ({ kind }) => kinds[kind].word },
  { key: "lineNumber", kind: "number", header: "Line" },
  {
    key: "status",
    states: "order",
    cell: ({ kind, status }) => (status === null ? "–" : <StateBadge kind={kinds[kind].states} state={status} />),
  },
  { key: "qty", kind: "quantity", header: "Short" },
  { key: "qtyWanted", kind: "quantity", header: "Of" },
  { key: "waitingSince", kind: "age", header: "Waits for" },
  { key: "dueAt", header: "Due" },
  { key: "priority" },
  { key: "distributionCentre" },
];

/** Lines of orders and work orders that wait for a product, in the order in which they get stock. */
export function Waiting({ clientId, sku }: { readonly clientId: string; readonly sku: string }) {
  return (
    <DataList
      id="waiting"
      label="Waiting"
      scope={["distributionCentre"]}
      fixed={{ clientId, sku }}
      columns={columnsOf(clientId)}
      fetchPage={pagesOf("/stock/waiting")}
      rowId={({ kind, id, lineNumber }) => `${kind} ${id} ${lineNumber}`}
      empty={{ why: "Nothing waits for this product." }}
      live={10_000}
    />
  );
}
