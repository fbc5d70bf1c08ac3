import type { AnswerOf } from "../../../answer-of.ts";
import { api } from "../../../api.ts";
import { useItems } from "../../../items.ts";
import { linkTo, productPath } from "../../../links.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { Go } from "../../../parts/go.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { DetailPage } from "../../../parts/page/detail-page.tsx";
import { pageOf } from "../../../parts/page/page-of.tsx";
import { clientFact, facilityFact } from "../../../parts/page/place-facts.tsx";
import { Timeline, type TimelineEvent } from "../../../parts/page/timeline.tsx";
import { StateBadge } from "../../../parts/state-badge.tsx";
import { Time } from "../../../parts/time.tsx";
import { toneOf, wordOf } from "../../../parts/tones.ts";

type Transfer = AnswerOf<"/client/transfer/get/{transferId}">;
type Line = Transfer["lines"][number];

/** A transfer: what was shipped, is in transit, was received and lost. */
export const TransferPage = pageOf(
  "/client/transfer/get/{transferId}",
  { what: "The transfer", live: 10_000 },
  (transfer) => <Whole transfer={transfer} />,
);

function Whole({ transfer }: { readonly transfer: Transfer }) {
  const { clientId, transferId, fromFacility, toFacility, status, shippedAt } = transfer;
  const items = useItems(clientId, transfer.lines);
  return (
    <DetailPage
      what="Transfer"
      id={transferId}
      clientId={clientId}
      back={{ to: "/inventory?tab=transfers", label: "Transfers" }}
      state={<StateBadge kind="transfer" state={status} />}
      age={<Time at={transfer.receivedAt} facility={fromFacility} />}
      actions={
        <ActionButton
          verb="Cancel transfer"
          title={`Cancel transfer ${transferId}`}
          text="Its goods are free at once. This cannot be undone."
          run={() =>
            api.POST("/client/transfer/cancel/{transferId}", {
              params: { path: { transferId }, query: { clientId } },
              body: { reason: "Cancelled in the console" },
            })
          }
          done={`Transfer ${transferId} was cancelled.`}
          whyNot={
            status === "RELEASED"
              ? undefined
              : `The transfer is ${wordOf(status).toLowerCase()}. Only transfers that have not shipped can be cancelled.`
          }
          isDestructive
        />
      }
      facts={[
        clientFact(clientId),
        { ...facilityFact(fromFacility), name: "From facility" },
        { ...facilityFact(toFacility), name: "To facility" },
        { name: "Carrier", value: transfer.carrierCode },
        { name: "Tracking number", value: transfer.trackingNumber },
        {
          name: "Receipts",
          value: shippedAt && (
            <Go to={linkTo("purchaseOrder", clientId, transferId, fromFacility)}>Purchase order {transferId}</Go>
          ),
        },
        { name: "Notes", value: transfer.notes },
        { name: "Created", value: <Time at={transfer.receivedAt} facility={fromFacility} isExact /> },
        { name: "Last change", value: <Time at={transfer.updatedAt} facility={fromFacility} /> },
      ]}
      timeline={<Timeline events={eventsOf(transfer)} facility={fromFacility} />}
      tabs={[
        {
          key: "lines",
          label: "Lines",
          count: transfer.lines.length,
          content: <Lines transfer={transfer} items={items} />,
        },
      ]}
    />
  );
}

/** Events from the record: receipt, shipment, and the last change. */
function eventsOf({ receivedAt, shippedAt, updatedAt, status }: Transfer): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: receivedAt, text: "Created" }];
  if (shippedAt !== null) events.push({ at: shippedAt, text: "Shipped", actor: "warehouse", tone: "moving" });
  if (status !== "RELEASED" && status !== "SHIPPED") {
    events.push({ at: updatedAt, text: wordOf(status), tone: toneOf("transfer", status) });
  }
  return events;
}

interface LinesProps {
  readonly transfer: Transfer;
  readonly items: ReturnType<typeof useItems>;
}

function Lines({ transfer: { clientId, fromFacility, lines }, items }: LinesProps) {
  const columns: readonly Column<Line>[] = [
    { key: "lineNumber", kind: "number", header: "Line" },
    { key: "sku", to: ({ sku }) => productPath(clientId, sku, fromFacility) },
    { key: "name", kind: "product", of: ({ sku }) => items.get(sku)?.name },
    { key: "qtyOrdered", kind: "quantity", header: "Ordered" },
    { key: "qtyAllocated", kind: "quantity", header: "Allocated" },
    { key: "qtyShipped", kind: "quantity", header: "Shipped" },
    { key: "qtyInTransit", kind: "quantity", header: "In transit" },
    { key: "qtyReceived", kind: "quantity", header: "Received" },
    { key: "qtyDamaged", kind: "quantity", header: "Damaged" },
    { key: "qtyLost", kind: "quantity", header: "Lost" },
    { key: "uom" },
  ];
  return (
    <StaticList
      id="transfer-lines"
      label="Lines"
      columns={columns}
      rows={lines}
      rowId={({ lineNumber }) => String(lineNumber)}
      empty={{ why: "It has no lines." }}
    />
  );
}
