import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useItems } from "../../items.ts";
import { linkTo, productPath } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { FeedName } from "../../parts/feed-name.tsx";
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
import { type Tone, wordOf } from "../../parts/tones.ts";

type Rma = AnswerOf<"/client/rma/get/{rmaNumber}">;
type Line = Rma["lines"][number];
type Graded = Line["dispositions"][number];

/** A return: what was authorised, what arrived, and how it was graded. */
export const ReturnPage = pageOf("/client/rma/get/{rmaNumber}", { what: "The return", live: 10_000 }, (rma) => (
  <Whole rma={rma} />
));

function Whole({ rma }: { readonly rma: Rma }) {
  const { clientId, rmaNumber, distributionCentre: facility } = rma;
  const cancel = () => {
    const params = { path: { rmaNumber }, query: { clientId } };
    return api.POST("/client/rma/cancel/{rmaNumber}", { params, body: { reason: "Cancelled in the console" } });
  };
  const close = () => {
    const params = { path: { rmaNumber }, query: { clientId } };
    return api.POST("/client/rma/close/{rmaNumber}", { params, body: { reason: "Closed in the console" } });
  };
  return (
    <DetailPage
      what="Return"
      id={rmaNumber}
      clientId={clientId}
      back={{ to: "/returns", label: "Returns" }}
      state={<StateBadge kind="return" state={rma.status} />}
      age={<Time at={rma.receivedAt} facility={facility} />}
      actions={
        <>
          <ActionButton
            verb="Close return"
            title={`Close return ${rmaNumber}`}
            text="No more units are expected. Missing units are reported to the client as short. Goods that still arrive are booked to quarantine and raise an exception."
            run={close}
            done={`Return ${rmaNumber} was closed.`}
            whyNot={
              rma.status === "RECEIVING" || rma.status === "RECEIVED"
                ? undefined
                : `The return is ${wordOf(rma.status).toLowerCase()}. Only returns with received units can be closed.`
            }
          />
          <ActionButton
            verb="Cancel return"
            title={`Cancel return ${rmaNumber}`}
            text="No more units are expected. Goods that still arrive are booked to quarantine and raise an exception."
            run={cancel}
            done={`Return ${rmaNumber} was cancelled.`}
            whyNot={
              rma.status === "AUTHORISED"
                ? undefined
                : `The return is ${wordOf(rma.status).toLowerCase()}. Only returns without received units can be cancelled.`
            }
            isDestructive
          />
        </>
      }
      facts={[
        clientFact(clientId),
        facilityFact(facility),
        {
          name: "Order",
          value:
            rma.orderId === null ? (
              rma.orderReference
            ) : (
              <Go to={linkTo("order", clientId, rma.orderId)}>{rma.orderId}</Go>
            ),
        },
        {
          name: "Authorised",
          value: <Time at={rma.creationTimeStamp ?? rma.receivedAt} facility={facility} isExact />,
        },
        { name: "Closed", value: rma.closedAt && <Time at={rma.closedAt} facility={facility} isExact /> },
        { name: "Feed", value: <FeedName type="RMA" token={rma.feedToken} /> },
      ]}
      timeline={<Timeline events={eventsOf(rma)} facility={facility} />}
      tabs={[{ key: "lines", label: "Lines", count: rma.lines.length, content: <Lines rma={rma} /> }]}
    />
  );
}

function eventsOf({ receivedAt, feedToken, updatedAt, closedAt, status, lines }: Rma): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: receivedAt, text: "Authorised by feed", to: linkTo("feed", "", feedToken) }];
  const received = lines.reduce((sum, { qtyReceived }) => sum + qtyReceived, 0);
  if (received > 0)
    events.push({
      at: closedAt ?? updatedAt,
      text: `${qtyText(received)} units came back`,
      actor: "warehouse",
      tone: "moving",
    });
  if (closedAt) events.push({ at: closedAt, text: "Closed", tone: "done" });
  if (status === "CANCELLED" || status === "EXPIRED")
    events.push({ at: updatedAt, text: wordOf(status), tone: "ended" });
  return events;
}

const grades: Readonly<Record<string, Tone>> = {
  RESELLABLE: "done",
  DAMAGED: "failed",
  QUARANTINE: "waiting",
  SCRAP: "ended",
};

const serialsShownMax = 3;

/** `2 damaged, batch LOT-7, REFUSED: box torn` */
function gradeText({ disposition, qty, batchRef, expiryDate, serials, returnReasonCode, note }: Graded): string {
  const parts = [
    `${qtyText(qty)} ${wordOf(disposition).toLowerCase()}`,
    ...(batchRef === null ? [] : [`batch ${batchRef}`]),
    ...(expiryDate === null ? [] : [`expiry ${expiryDate}`]),
    ...(serials.length === 0 ? [] : [`serial ${serials.slice(0, serialsShownMax).join(" ")}`]),
    ...(serials.length > serialsShownMax ? [`${serials.length - serialsShownMax} more`] : []),
    ...(returnReasonCode === null ? [] : [wordOf(returnReasonCode).toLowerCase()]),
  ];
  return `${parts.join(", ")}${note === null ? "" : `: ${note}`}`;
}

function Lines({ rma }: { readonly rma: Rma }) {
  const items = useItems(rma.clientId, rma.lines);
  const columns: readonly Column<Line>[] = [
    { key: "lineNumber", header: "Line", width: 130, none: "not authorised" },
    { key: "sku", to: ({ sku }) => productPath(rma.clientId, sku, rma.distributionCentre) },
    { key: "name", kind: "product", of: ({ sku }) => items.get(sku)?.name },
    { key: "returnReasonCode", kind: "word", header: "Reason", wraps: true },
    { key: "qtyExpected", kind: "quantity", header: "Expected" },
    { key: "qtyReceived", kind: "progress", header: "Came back", total: ({ qtyExpected }) => qtyExpected },
    {
      key: "dispositions",
      header: "Grading",
      width: 210,
      wraps: true,
      cell: ({ dispositions }) =>
        dispositions.length === 0
          ? "not graded yet"
          : dispositions.map((graded) => (
              <ToneBadge
                key={JSON.stringify(graded)}
                tone={grades[graded.disposition] ?? "ended"}
                text={gradeText(graded)}
              />
            )),
      text: ({ dispositions }) => dispositions.map(({ disposition, qty }) => `${qty} ${disposition}`).join(", "),
    },
    { key: "discrepancy" },
  ];
  return (
    <StaticList
      id="return-lines"
      label="Lines"
      columns={columns}
      rows={rma.lines}
      rowId={({ lineNumber, sku }) => `${lineNumber ?? ""} ${sku}`}
      empty={{ why: "It has no lines." }}
    />
  );
}
