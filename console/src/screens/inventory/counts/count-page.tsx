import type { components } from "#operator";
import { api } from "../../../api.ts";
import { productPath } from "../../../links.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import type { Field } from "../../../parts/fields.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { DetailPage } from "../../../parts/page/detail-page.tsx";
import { pageOf } from "../../../parts/page/page-of.tsx";
import { clientFact, facilityFact } from "../../../parts/page/place-facts.tsx";
import { Timeline, type TimelineEvent } from "../../../parts/page/timeline.tsx";
import { StateBadge } from "../../../parts/state-badge.tsx";
import { Time } from "../../../parts/time.tsx";
import { wordOf } from "../../../parts/tones.ts";
import { scopeText } from "./count-words.ts";

type Count = components["schemas"]["Count"];
type Line = Count["lines"][number];

/** A requested count: each lot expected against counted, and the approval of its differences. */
export const CountPage = pageOf("/count/get/{countId}", { what: "The count", live: 10_000 }, (count) => (
  <Whole count={count} />
));

function Whole({ count }: { readonly count: Count }) {
  const { clientId, countId, distributionCentre: facility, status } = count;
  const isAdjustment = count.cause === "ADJUSTMENT";
  const waiting = count.lines.filter(({ state }) => state === "WAITING").length;
  return (
    <DetailPage
      what={isAdjustment ? "Adjustment of" : "Count of"}
      id={countId}
      name={scopeText(count)}
      clientId={clientId}
      back={{ to: "/inventory?tab=counts", label: "Counts" }}
      state={<StateBadge kind="count" state={status} />}
      age={<Time at={count.requestedAt} facility={facility} />}
      actions={<Actions count={count} />}
      notice={
        waiting === 0 ? undefined : (
          <Notice
            tone="waiting"
            title={
              waiting === 1
                ? "1 difference is above the tolerance and not booked"
                : `${waiting} differences are above the tolerance and not booked`
            }
          >
            {isAdjustment
              ? `The adjustment of ${count.requestedBy.replace(/^user:/, "")} is above the tolerance of ${clientId}. Another user approves or rejects it.`
              : `The tolerance is a setting of ${clientId}. Approve them, or reject them and ask for a recount.`}
          </Notice>
        )
      }
      facts={[
        clientFact(clientId),
        facilityFact(facility),
        { name: "Cause", value: wordOf(count.cause) },
        ...(isAdjustment
          ? []
          : [
              {
                name: "Kind",
                value: count.isBlind ? "blind: the task shows no quantities" : "with expected quantities",
              },
            ]),
        { name: "Note", value: count.note },
        { name: "Reason", value: count.endReason },
      ]}
      timeline={<Timeline events={eventsOf(count)} facility={facility} />}
      tabs={[{ key: "lines", label: "Lots", count: count.lines.length, content: <Lines count={count} /> }]}
    />
  );
}

const reasonField: Field = { name: "reason", label: "Reason", description: "Stored in the audit log." };

function Actions({ count }: { readonly count: Count }) {
  const { clientId, countId, status } = count;
  const params = { path: { countId }, query: { clientId } };
  const reasonOf = (reason = "") => (reason.trim() === "" ? {} : { reason: reason.trim() });
  const nothingWaits = status === "WAITING" ? undefined : "No difference of this count waits for approval.";
  const isReported = status === "REQUESTED" ? undefined : `The count is ${wordOf(status).toLowerCase()} already.`;
  return (
    <>
      <ActionButton
        verb="Approve"
        isPrimary
        title="Approve the differences"
        text="They are booked now, as of the count. The client gets an adjustment."
        fields={[
          reasonField,
          {
            name: "frees",
            label: "Take missing units from orders that have them allocated",
            kind: "switch",
            description: "Those of the lowest priority first. Without it, such a loss is refused.",
          },
        ]}
        run={({ reason, frees }) => {
          const body = { ...reasonOf(reason), freesAllocations: frees === "true" };
          return api.POST("/count/approve/{countId}", { params, body });
        }}
        done="The differences are booked."
        whyNot={nothingWaits}
      />
      <ActionButton
        verb="Reject"
        title="Reject the differences"
        text="Nothing is booked."
        fields={[
          reasonField,
          { name: "again", label: "Ask the warehouse to count these lots again", kind: "switch", initial: "true" },
        ]}
        run={({ reason, again }) => {
          const body = { ...reasonOf(reason), isRecounted: again === "true" };
          return api.POST("/count/reject/{countId}", { params, body });
        }}
        done={({ recountId }) =>
          recountId === null
            ? "The differences are rejected."
            : "The differences are rejected; the lots are counted again."
        }
        whyNot={nothingWaits}
      />
      {count.cause === "ADJUSTMENT" ? null : (
        <ActionButton
          verb="Cancel count"
          isDestructive
          title="Cancel the count"
          text="The warehouse need not count; its task is withdrawn."
          fields={[reasonField]}
          run={({ reason }) => api.POST("/count/cancel/{countId}", { params, body: reasonOf(reason) })}
          done="The count is cancelled."
          whyNot={isReported}
        />
      )}
    </>
  );
}

function eventsOf(count: Count): TimelineEvent[] {
  const { cause, requestedAt, requestedBy, reportedAt, endedAt, endedBy, status } = count;
  const isAdjustment = cause === "ADJUSTMENT";
  const events: TimelineEvent[] = [
    { at: requestedAt, text: isAdjustment ? "Adjusted" : "Requested", actor: requestedBy },
  ];
  if (reportedAt !== null && !isAdjustment) {
    events.push({
      at: reportedAt,
      text: "Counted",
      actor: "warehouse",
      tone: status === "WAITING" ? "waiting" : "done",
    });
  }
  if (endedAt !== null && status !== "COUNTED") {
    const end = { at: endedAt, text: wordOf(status), tone: status === "APPROVED" ? "done" : "ended" } as const;
    events.push(endedBy === null ? end : { ...end, actor: endedBy });
  }
  return events;
}

function Lines({ count }: { readonly count: Count }) {
  const columns: readonly Column<Line>[] = [
    { key: "sku", to: ({ sku }) => productPath(count.clientId, sku, count.distributionCentre) },
    { key: "condition" },
    { key: "stockPool" },
    { key: "batchRef" },
    { key: "expiryDate" },
    { key: "expectedQty", kind: "quantity", header: "Expected" },
    { key: "countedQty", kind: "quantity", header: "Counted" },
    { key: "difference", kind: "change", header: "Difference" },
    { key: "state", states: "count", header: "Result" },
  ];
  return (
    <StaticList
      id="count-lines"
      label="Lots"
      columns={columns}
      rows={count.lines}
      rowId={({ lineNumber }) => String(lineNumber)}
      empty={{ why: "It has no lots." }}
    />
  );
}
