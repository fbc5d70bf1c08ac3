import type { AnswerOf } from "../../../answer-of.ts";
import { linkTo } from "../../../links.ts";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { StockCondition } from "../stock-condition.tsx";

export type Trace = AnswerOf<"/client/lot/trace">;

interface SectionProps {
  readonly clientId: string;
  readonly trace: Trace;
}

type Row<Key extends "stock" | "reservations" | "receipts" | "uses" | "returns"> = Trace[Key][number];

const ofLot = [{ key: "sku" }, { key: "lotNumber", kind: "batch" }, { key: "distributionCentre" }] as const;
const qty = { key: "qty", kind: "quantity", header: "Quantity" } as const;

const stockColumns: readonly Column<Row<"stock">>[] = [
  ...ofLot,
  { key: "condition", cell: (row) => <StockCondition {...row} /> },
  { key: "stockPool" },
  { key: "expiryDate" },
  qty,
  { key: "allocated", kind: "quantity", header: "Allocated" },
];

/** Stock left of the lot, and of what was made from it. */
export function Stock({ trace: { stock } }: SectionProps) {
  return (
    <StaticList
      id="lot-stock"
      label="Stock of the lot"
      hasBar
      columns={stockColumns}
      rows={stock}
      rowId={(row) =>
        [row.sku, row.lotNumber, row.distributionCentre, row.stockPool, row.condition, row.expiryDate].join(" ")
      }
      empty={{ why: "Nothing of the lot is left." }}
    />
  );
}

const ownerKinds = { ORDER: "order", WORK_ORDER: "workOrder", TRANSFER: "transfer" } as const;

/** The parts of the lot that orders, work orders and transfers have. */
export function Reservations({ clientId, trace: { reservations } }: SectionProps) {
  const columns: readonly Column<Row<"reservations">>[] = [
    {
      key: "ownerId",
      kind: "id",
      header: "For",
      to: ({ ownerType, ownerId }) => linkTo(ownerKinds[ownerType], clientId, ownerId),
    },
    ...ofLot,
    { key: "qtyAllocated", kind: "quantity", header: "Allocated" },
    { key: "qtyPicked", kind: "quantity", header: "Picked" },
    { key: "qtyPacked", kind: "quantity", header: "Packed" },
  ];
  return (
    <StaticList
      id="lot-reservations"
      label="Reserved of the lot"
      hasBar
      columns={columns}
      rows={reservations}
      rowId={(row) => [row.ownerId, row.sku, row.lotNumber, row.distributionCentre].join(" ")}
      empty={{ why: "No order and no work order has goods of the lot." }}
    />
  );
}

/** The receipts that brought the lot. */
export function Receipts({ clientId, trace: { receipts } }: SectionProps) {
  const columns: readonly Column<Row<"receipts">>[] = [
    {
      key: "poNumber",
      kind: "id",
      header: "Purchase order",
      to: ({ poNumber, vendorOrderId }) => linkTo("purchaseOrder", clientId, poNumber, vendorOrderId ?? ""),
    },
    { key: "receiptId", kind: "id", header: "Receipt" },
    ...ofLot,
    { key: "condition" },
    qty,
    { key: "bookedAt", header: "Booked" },
    { key: "correctedBy", header: "Corrected by" },
  ];
  return (
    <StaticList
      id="lot-receipts"
      label="Receipts of the lot"
      hasBar
      columns={columns}
      rows={receipts}
      rowId={(row) => [row.distributionCentre, row.receiptId, row.sku, row.lotNumber, row.condition].join(" ")}
      empty={{ why: "No purchase order brought the lot: it is opening stock, was adjusted in, or was made here." }}
    />
  );
}

/** Work orders that made the lot or consumed it. */
export function Uses({ clientId, trace: { components, uses } }: SectionProps) {
  const columns: readonly Column<Row<"uses">>[] = [
    {
      key: "workOrderId",
      kind: "id",
      header: "Work order",
      to: ({ workOrderId }) => linkTo("workOrder", clientId, workOrderId),
    },
    { key: "componentSku", kind: "sku", header: "Component" },
    { key: "componentLotNumber", kind: "batch", header: "Its lot" },
    qty,
    { key: "goodsSku", kind: "sku", header: "Finished good" },
    { key: "goodsLotNumber", kind: "batch", header: "Lot made" },
    { key: "bookedAt", header: "Consumed" },
  ];
  return (
    <StaticList
      id="lot-uses"
      label="Work orders of the lot"
      hasBar
      columns={columns}
      rows={[...components, ...uses]}
      rowId={(row) => [row.workOrderId, row.componentSku, row.componentLotNumber, row.goodsLotNumber].join(" ")}
      empty={{ why: "No work order made the lot or consumed it." }}
    />
  );
}

/** Units of the lot that came back. */
export function Returns({ clientId, trace: { returns } }: SectionProps) {
  const columns: readonly Column<Row<"returns">>[] = [
    {
      key: "rmaNumber",
      kind: "id",
      header: "Return",
      of: ({ rmaNumber, olpnId, returnId }) => rmaNumber ?? olpnId ?? returnId,
      to: ({ rmaNumber, olpnId, returnId }) =>
        rmaNumber === null && olpnId !== null
          ? linkTo("parcel", clientId, olpnId)
          : linkTo("return", clientId, rmaNumber ?? returnId ?? ""),
    },
    ...ofLot,
    { key: "disposition", kind: "word", header: "Grade" },
    qty,
    { key: "bookedAt", header: "Booked" },
  ];
  return (
    <StaticList
      id="lot-returns"
      label="Returns of the lot"
      hasBar
      columns={columns}
      rows={returns}
      rowId={(row) => [row.rmaNumber, row.olpnId, row.returnId, row.lotNumber, row.disposition, row.bookedAt].join(" ")}
      empty={{ why: "Nothing of the lot has come back." }}
    />
  );
}
