import type { AnswerOf } from "../../../answer-of.ts";
import { api } from "../../../api.ts";
import { enumerations } from "../../../enumerations.ts";
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
import { skuLines, skuLinesOf } from "../../../parts/sku-lines.ts";
import { StateBadge } from "../../../parts/state-badge.tsx";
import { Time } from "../../../parts/time.tsx";
import { toneOf, wordOf } from "../../../parts/tones.ts";

type Goods = AnswerOf<"/client/unidentifiedReceipt/get/{unidentifiedId}">;
type Line = Goods["lines"][number];
type Outcome = (typeof enumerations.UnidentifiedReceiptOutcome)[number];

/** Goods that came without a purchase order: bound to one, or closed. */
export const UnidentifiedPage = pageOf(
  "/client/unidentifiedReceipt/get/{unidentifiedId}",
  { what: "The goods", live: 10_000 },
  (goods) => <Whole goods={goods} />,
);

function Whole({ goods }: { readonly goods: Goods }) {
  const { clientId, receiptId, distributionCentre, status, poNumber, vendorOrderId } = goods;
  return (
    <DetailPage
      what="Unidentified goods"
      id={receiptId}
      clientId={clientId}
      back={{ to: "/inbound?tab=unidentified", label: "Unidentified goods" }}
      state={<StateBadge kind="unidentifiedReceipt" state={status} />}
      age={<Time at={goods.receivedAt} facility={distributionCentre} />}
      actions={<Actions goods={goods} />}
      facts={[
        clientFact(clientId),
        facilityFact(distributionCentre),
        {
          name: "Purchase order",
          value: poNumber && <Go to={linkTo("purchaseOrder", clientId, poNumber, vendorOrderId ?? "")}>{poNumber}</Go>,
        },
        { name: "Packages", value: String(goods.packages) },
        { name: "Written on them", value: goods.marks },
        { name: "SSCC", value: goods.sscc },
        { name: "Carrier", value: goods.carrierCode },
        { name: "Tracking number", value: goods.trackingNumber },
        { name: "Arrived", value: <Time at={goods.occurredAt} facility={distributionCentre} isExact /> },
        { name: "Reason", value: goods.reason },
      ]}
      timeline={<Timeline events={eventsOf(goods)} facility={distributionCentre} />}
      tabs={[{ key: "lines", label: "Lines", count: goods.lines.length, content: <Lines goods={goods} /> }]}
    />
  );
}

function Actions({ goods }: { readonly goods: Goods }) {
  const { clientId, unidentifiedId, receiptId, status, lines } = goods;
  const params = { path: { unidentifiedId }, query: { clientId } };
  const whyNot = status === "WAITING" ? undefined : `The goods are ${wordOf(status).toLowerCase()} already.`;
  const isCounted = lines.length > 0;
  return (
    <>
      <ActionButton
        verb="Bind to purchase order"
        title={`Bind the goods of receipt ${receiptId} to a purchase order`}
        text="Its receipt is booked at once, as if the warehouse had reported it."
        fields={[
          { name: "poNumber", label: "Purchase order", isRequired: true },
          { name: "vendorOrderId", label: "Vendor order" },
          ...(isCounted
            ? []
            : [
                {
                  ...skuLines,
                  isRequired: false,
                  description: `${skuLines.description} Empty: as announced with the SSCC.`,
                },
              ]),
        ]}
        run={({ poNumber = "", vendorOrderId = "", lines: counted = "" }) =>
          api.POST("/client/unidentifiedReceipt/bind/{unidentifiedId}", {
            params,
            body: {
              poNumber,
              ...(vendorOrderId === "" ? {} : { vendorOrderId }),
              ...(counted.trim() === "" ? {} : { lines: skuLinesOf(counted) }),
            },
          })
        }
        done={({ poNumber }) => `The goods are bound to purchase order ${poNumber}.`}
        isPrimary
        whyNot={whyNot}
      />
      <ActionButton
        verb="Close goods"
        title={`Close the goods of receipt ${receiptId}`}
        text="Nothing is booked. This cannot be undone."
        fields={[
          {
            name: "outcome",
            label: "What became of them",
            kind: "select",
            isRequired: true,
            options: enumerations.UnidentifiedReceiptOutcome.map((value) => ({ value, label: outcomeWords[value] })),
          },
          { name: "reason", label: "Reason", isRequired: true },
        ]}
        run={({ outcome = "", reason = "" }) =>
          api.POST("/client/unidentifiedReceipt/close/{unidentifiedId}", {
            params,
            body: { outcome: outcome as Outcome, reason },
          })
        }
        done={`The goods of receipt ${receiptId} are closed.`}
        isDestructive
        whyNot={whyNot}
      />
    </>
  );
}

const outcomeWords: Readonly<Record<Outcome, string>> = {
  RETURNED: "Returned to the sender",
  DISPOSED: "Disposed of",
  REPORTED: "Reported otherwise by the warehouse",
};

function eventsOf({ receivedAt, settledAt, status }: Goods): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: receivedAt, text: "Reported", actor: "warehouse" }];
  if (settledAt !== null) {
    events.push({ at: settledAt, text: wordOf(status), tone: toneOf("unidentifiedReceipt", status) });
  }
  return events;
}

function Lines({ goods: { clientId, distributionCentre, lines } }: { readonly goods: Goods }) {
  const items = useItems(clientId, lines);
  const columns: readonly Column<Line>[] = [
    { key: "sku", to: ({ sku }) => productPath(clientId, sku, distributionCentre) },
    { key: "name", kind: "product", of: ({ sku }) => items.get(sku)?.name },
    { key: "qty", kind: "quantity", header: "Counted" },
    { key: "condition", kind: "text", header: "Condition", of: ({ condition = "GOOD" }) => wordOf(condition) },
    { key: "batchRef", kind: "text", header: "Batch", none: "none" },
  ];
  return (
    <StaticList
      id="unidentified-lines"
      label="Lines"
      columns={columns}
      rows={lines}
      rowId={(row) => String(lines.indexOf(row))}
      empty={{ why: "The warehouse has not counted them." }}
    />
  );
}
