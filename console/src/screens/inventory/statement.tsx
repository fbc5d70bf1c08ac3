import type { components } from "#operator";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { Qty } from "../../parts/qty.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";

type Entry = components["schemas"]["StatementEntry"];

interface StatementProps {
  readonly clientId: string;
  readonly sku: string;
  readonly facility: string;
}

/** The page of the document of an entry; undefined if only the warehouse knows it. */
function documentPath(clientId: string, { type, id, poNumber, vendorOrderId }: Entry["reference"]): string | undefined {
  if (type === "order" || type === "return" || type === "workOrder" || type === "transfer")
    return linkTo(type, clientId, id);
  return poNumber === null ? undefined : linkTo("purchaseOrder", clientId, poNumber, vendorOrderId ?? "");
}

function Reference({ clientId, reference }: { readonly clientId: string; readonly reference: Entry["reference"] }) {
  const path = documentPath(clientId, reference);
  const text = `${wordOf(reference.type)} ${reference.id}`;
  return path === undefined ? <span>{text}</span> : <Go to={path}>{text}</Go>;
}

const columnsOf = ({ clientId, facility }: StatementProps): readonly Column<Entry>[] => [
  { key: "position", kind: "number", header: "Position" },
  { key: "at", kind: "exact", header: "Booked", cell: ({ at }) => <Time at={at} facility={facility} isExact /> },
  { key: "type", kind: "word", header: "Entry" },
  {
    key: "qty",
    kind: "change",
    header: "Quantity",
    cell: ({ qty, affectsOnHand }) => (affectsOnHand ? <Qty value={qty} isSigned /> : "–"),
  },
  {
    key: "onHandAfter",
    kind: "quantity",
    header: "Balance",
    cell: ({ onHandAfter }) => (
      <strong>
        <Qty value={onHandAfter} />
      </strong>
    ),
  },
  {
    key: "allocatedChange",
    kind: "change",
    header: "Reserved",
    cell: ({ allocatedChange }) => (allocatedChange === 0 ? "" : <Qty value={allocatedChange} isSigned />),
  },
  {
    key: "reference",
    header: "Document",
    width: 240,
    wraps: true,
    cell: ({ reference }) => <Reference clientId={clientId} reference={reference} />,
    text: ({ reference }) => `${reference.type} ${reference.id}`,
  },
  { key: "condition" },
  {
    key: "lot",
    header: "Lot",
    width: 114,
    wraps: true,
    cell: ({ batchRef, expiryDate, stockPool }) => [stockPool, batchRef, expiryDate].filter(Boolean).join(" · "),
    text: ({ batchRef, expiryDate, stockPool }) => [stockPool, batchRef, expiryDate].filter(Boolean).join(" "),
  },
  { key: "reason", kind: "word", header: "Reason" },
];

const filters: readonly Filter[] = [
  {
    key: "days",
    label: "Booked",
    range: { from: "from", to: "to", unit: "day", presets: ["today", "yesterday", "7d", "30d", "90d"] },
  },
];

/** The ledger of a product in a facility: each entry, the balance after it, and its document. */
export function Statement(props: StatementProps) {
  const { clientId, sku, facility } = props;
  return (
    <DataList
      id="statement"
      label="Statement"
      scope={[]}
      fixed={{ clientId, sku, distributionCentre: facility }}
      columns={columnsOf(props)}
      filters={filters}
      fetchPage={pagesOf("/stock/statement")}
      rowId={({ position }) => String(position)}
      empty={{ why: "No movements of this SKU in this facility." }}
      live={10_000}
    />
  );
}
