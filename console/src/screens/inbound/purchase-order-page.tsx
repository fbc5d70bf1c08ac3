import type { components } from "#operator";
import { api } from "../../api.ts";
import { useItems } from "../../items.ts";
import { linkTo, productPath } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { FeedName } from "../../parts/feed-name.tsx";
import { Id } from "../../parts/id.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { clientFact, facilityFact } from "../../parts/page/place-facts.tsx";
import { Timeline, type TimelineEvent } from "../../parts/page/timeline.tsx";
import { qtyText } from "../../parts/qty.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import { typeWord } from "../audit/audit-words.ts";

type Detail = components["schemas"]["InboundPurchaseOrderDetail"];
type Line = Detail["lines"][number];
type Carton = Detail["cartons"][number];
type Receipt = Detail["receipts"][number];
type Entry = Receipt["entries"][number] & Pick<Receipt, "receiptId" | "bookedAt">;

/** A purchase order: each line expected against received, and every receipt. */
export const PurchaseOrderPage = pageOf(
  "/purchaseOrder/get/{poNumber}",
  { what: "The purchase order", live: 10_000 },
  (order) => <Whole order={order} />,
);

function Whole({ order }: { readonly order: Detail }) {
  const entries = order.receipts.flatMap(({ receiptId, bookedAt, entries: of }) =>
    of.map((entry): Entry => ({ ...entry, receiptId, bookedAt })),
  );
  const facts = [
    clientFact(order.clientId),
    facilityFact(order.distributionCentre),
    { name: "Vendor order", value: order.vendorOrderId },
    { name: "Announced", value: <Time at={order.receivedAt} facility={order.distributionCentre} isExact /> },
    { name: "Feed", value: <FeedName type="PO" token={order.feedToken} /> },
    { name: "Carrier", value: order.carrierCode },
    { name: "Tracking number", value: order.trackingNumber && <Id text={order.trackingNumber} isSmall /> },
    { name: "Message", value: order.messageId && <Id text={order.messageId} isSmall /> },
    { name: "Not ordered", value: notOrderedText(order) },
    { name: "Last change", value: <Time at={order.updatedAt} facility={order.distributionCentre} /> },
    ...Object.entries(order.extendedAttributes).map(([name, value]) => ({ name: typeWord(name), value })),
  ];
  const close = () => {
    const { clientId, poNumber, vendorOrderId } = order;
    const params = { path: { poNumber }, query: { clientId, vendorOrderId } };
    const body = { reason: "Closed in the console" };
    return api.POST("/client/purchaseOrder/close/{poNumber}", { params, body });
  };
  return (
    <DetailPage
      what="Purchase order"
      id={order.poNumber}
      clientId={order.clientId}
      back={{ to: "/inbound", label: "Inbound" }}
      state={<StateBadge kind="purchaseOrder" state={order.status} />}
      age={<Time at={order.receivedAt} facility={order.distributionCentre} />}
      actions={
        <ActionButton
          verb="Close purchase order"
          title={`Close purchase order ${order.poNumber}`}
          text="No more units are expected. Missing units are reported to the client as short. A receipt within 30 days reopens the purchase order."
          run={close}
          done={`Purchase order ${order.poNumber} was closed.`}
          whyNot={
            order.status === "CLOSED" || order.status === "CANCELLED"
              ? `The purchase order is ${wordOf(order.status).toLowerCase()} already.`
              : undefined
          }
        />
      }
      facts={facts}
      timeline={<Timeline events={eventsOf(order)} facility={order.distributionCentre} />}
      tabs={[
        { key: "lines", label: "Lines", count: order.lines.length, content: <Lines order={order} /> },
        ...(order.cartons.length === 0
          ? []
          : [{ key: "cartons", label: "Cartons", count: order.cartons.length, content: <Cartons order={order} /> }]),
        {
          key: "receipts",
          label: "Receipts",
          count: order.receipts.length,
          content: <Entries order={order} entries={entries} />,
        },
      ]}
    />
  );
}

/** "6 × CUP-RED": goods that came with the purchase order and are on no line of it. */
function notOrderedText({ receipts }: Detail): string {
  const corrected = new Set(receipts.map(({ correctsReceiptId }) => correctsReceiptId));
  const sums = new Map<string, number>();
  for (const { receiptId, entries } of receipts)
    for (const { lineNumber, sku, qty } of corrected.has(receiptId) ? [] : entries)
      if (lineNumber === null) sums.set(sku, (sums.get(sku) ?? 0) + qty);
  return [...sums].map(([sku, qty]) => `${qtyText(qty)} × ${sku}`).join(", ");
}

function eventsOf({ receivedAt, feedToken, completedAt, closedAt, receipts }: Detail): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: receivedAt, text: "Announced by feed", to: linkTo("feed", "", feedToken) }];
  for (const { receiptId, bookedAt, entries, correctsReceiptId } of receipts) {
    const sum = entries.reduce((all, { qty }) => all + qty, 0);
    const what =
      correctsReceiptId === null ? `Receipt ${receiptId}` : `Receipt ${receiptId}, in place of ${correctsReceiptId}`;
    const isPlain = entries.every(({ condition, reason }) => condition === "GOOD" && reason === null);
    events.push({
      at: bookedAt,
      text: `${what}: ${qtyText(sum)} units`,
      actor: "warehouse",
      tone: isPlain ? "done" : "waiting",
    });
  }
  if (completedAt) events.push({ at: completedAt, text: "Every line complete", tone: "done" });
  if (closedAt) events.push({ at: closedAt, text: "Closed", tone: "ended" });
  return events.sort((left, right) => (left.at < right.at ? -1 : 1));
}

function Lines({ order }: { readonly order: Detail }) {
  const items = useItems(order.clientId, order.lines);
  const columns: readonly Column<Line>[] = [
    { key: "lineNumber", kind: "number", header: "Line" },
    { key: "sku", to: ({ sku }) => productPath(order.clientId, sku, order.distributionCentre) },
    { key: "productName", kind: "product", of: ({ productName, sku }) => productName ?? items.get(sku)?.name },
    { key: "qty", kind: "quantity", header: "Expected" },
    { key: "qtyReceived", kind: "progress", header: "Received", total: ({ qty }) => qty },
    { key: "qtyDamaged", kind: "quantity", header: "Damaged" },
    { key: "discrepancy" },
  ];
  return (
    <StaticList
      id="purchase-order-lines"
      label="Lines"
      columns={columns}
      rows={order.lines}
      rowId={({ lineNumber }) => String(lineNumber)}
      empty={{ why: "It has no lines." }}
    />
  );
}

function Cartons({ order }: { readonly order: Detail }) {
  const columns: readonly Column<Carton>[] = [
    { key: "sscc", header: "SSCC", width: 200, cell: ({ sscc }) => <Id text={sscc} /> },
    { key: "trackingNumber", header: "Tracking number", width: 200, none: "none" },
    {
      key: "content",
      kind: "text",
      header: "Content",
      wraps: true,
      none: "not announced",
      of: ({ lines }) => lines.map(({ sku, qty }) => `${qtyText(qty)} × ${sku}`).join(", "),
    },
    {
      key: "receiptId",
      header: "Receipt",
      width: 180,
      cell: ({ receiptId }) => (receiptId === null ? "expected" : <Id text={receiptId} length={16} />),
    },
  ];
  return (
    <StaticList
      id="purchase-order-cartons"
      label="Cartons"
      columns={columns}
      rows={order.cartons}
      rowId={({ sscc }) => sscc}
      empty={{ why: "No carton was announced." }}
    />
  );
}

function Entries({ order, entries }: { readonly order: Detail; readonly entries: readonly Entry[] }) {
  const items = useItems(order.clientId, entries);
  const columns: readonly Column<Entry>[] = [
    { key: "sku", to: ({ sku }) => productPath(order.clientId, sku, order.distributionCentre) },
    { key: "name", kind: "product", of: ({ sku }) => items.get(sku)?.name },
    { key: "qty", kind: "quantity", header: "Quantity" },
    { key: "condition" },
    { key: "batchRef" },
    { key: "expiryDate" },
    { key: "reason", kind: "word", header: "Reason", wraps: true },
    { key: "lineNumber", header: "Line", width: 130, none: "not announced" },
    { key: "receiptId", header: "Receipt", width: 180, cell: ({ receiptId }) => <Id text={receiptId} length={16} /> },
    {
      key: "bookedAt",
      kind: "exact",
      header: "Booked",
      cell: ({ bookedAt }) => <Time at={bookedAt} facility={order.distributionCentre} isExact />,
    },
  ];
  return (
    <StaticList
      id="purchase-order-receipts"
      label="Receipts"
      columns={columns}
      rows={entries}
      rowId={(entry) =>
        [entry.receiptId, entry.lineNumber, entry.sku, entry.condition, entry.batchRef, entry.reason].join(" ")
      }
      empty={{ why: "No receipts yet. The warehouse reports them." }}
    />
  );
}
