import type { AnswerOf } from "../../answer-of.ts";
import { linkTo, type ObjectKind } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { outboundWords } from "../../parts/feed-words.ts";
import { Go } from "../../parts/go.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { Facts } from "../../parts/page/facts.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { clientFact, facilityFact } from "../../parts/page/place-facts.tsx";
import { Timeline, type TimelineEvent } from "../../parts/page/timeline.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { toneOf, wordOf } from "../../parts/tones.ts";
import styles from "../clients/clients.module.css";
import { CodeBlock } from "../clients/code-block.tsx";
import { channelTexts, resend, subjectOf } from "./documents.tsx";

type Document = AnswerOf<"/outbound/document/{documentId}">;

/** An outbound document: its channels, every attempt of its pushes, and the XML as sent to the client. */
export const DocumentPage = pageOf(
  "/outbound/document/{documentId}",
  { what: "The document", live: 10_000 },
  (document) => <Whole document={document} />,
);

/** The kind of the object that a feed is about, where it has a page. */
const kinds: Partial<Record<Document["type"], ObjectKind>> = { OS: "order", RS: "return", GR: "purchaseOrder" };

function Whole({ document }: { readonly document: Document }) {
  const { clientId, documentId, type, objectId, state, isOverdue, createdAt, channels, xml } = document;
  const facility = document.distributionCentre ?? undefined;
  const kind = kinds[type];
  return (
    <DetailPage
      what={outboundWords[type]}
      id={documentId}
      name={subjectOf(document)}
      clientId={clientId}
      back={{ to: "/outbound", label: "Outbound feeds" }}
      state={
        <>
          <StateBadge kind="outbound" state={state} />
          {isOverdue ? <ToneBadge tone="waiting" text="Over 24 hours" /> : null}
        </>
      }
      age={<Age since={createdAt} />}
      actions={
        <ActionButton
          verb="Send again"
          title={`Send ${type} ${subjectOf(document)} again`}
          text={`The document is offered again by the delivery methods that ${type} of ${clientId} has now. Its messageId stays the same, so the client can recognise it.`}
          run={() => resend({ clientId, documentId })}
          done="The document is sent again."
        />
      }
      facts={[
        clientFact(clientId, "outbound"),
        facilityFact(facility),
        {
          name: "About",
          value: kind === undefined ? objectId : <Go to={linkTo(kind, clientId, objectId)}>{objectId}</Go>,
        },
        {
          name: "Inbound document",
          value: document.feedToken && <Go to={linkTo("feed", "", document.feedToken)}>{document.feedToken}</Go>,
        },
        { name: "Part", value: document.parts > 1 && `${document.part} of ${document.parts}` },
        { name: "Size", value: `${document.size.toLocaleString("en-GB")} bytes` },
        ...channels.map(({ channel, state: channelState, at, readAt, lastError }) => ({
          name: channelTexts[channel],
          value: (
            <>
              {wordOf(channelState)} {at ? <Time at={at} facility={facility} /> : null}
              {!at && readAt ? (
                <>
                  , read <Time at={readAt} facility={facility} />
                </>
              ) : null}
              {lastError === null ? null : ` (${lastError})`}
            </>
          ),
        })),
      ]}
      timeline={<Timeline events={eventsOf(document)} facility={facility} />}
      tabs={[
        {
          key: "xml",
          label: "Document",
          content: <CodeBlock label="The document" text={xml} />,
        },
        {
          key: "tries",
          label: "Push attempts",
          count: document.exchanges.length,
          content: <Attempts document={document} />,
        },
      ]}
    />
  );
}

function eventsOf({ createdAt, channels, exchanges }: Document): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: createdAt, text: "Written" }];
  for (const { startedAt, status, errorClass } of exchanges) {
    events.push({
      at: startedAt,
      text: status === null ? `Push failed: ${errorClass ?? "no answer"}` : `Push answered ${status}`,
      tone: errorClass === null ? "done" : "failed",
    });
  }
  for (const { channel, state, at, readAt } of channels) {
    if (readAt !== null) events.push({ at: readAt, text: "File was read", actor: "client", tone: "moving" });
    if (at !== null && channel !== "PUSH") {
      const text = channel === "PULL" ? "Fetched and acknowledged" : "File was collected";
      events.push({ at, text, actor: "client", tone: toneOf("outbound", state) });
    }
  }
  return events.sort((left, right) => Date.parse(left.at) - Date.parse(right.at));
}

function Attempts({ document: { exchanges } }: { readonly document: Document }) {
  if (exchanges.length === 0) return <Empty why="It was not pushed in the last 30 days." />;
  return (
    <div className={styles.form}>
      {exchanges.map(({ deliveryId, startedAt, durationMs, address, status, errorClass, body }) => (
        <Facts
          key={`${deliveryId} ${startedAt}`}
          facts={[
            { name: "Began", value: <Time at={startedAt} isExact /> },
            { name: "Answer", value: status === null ? (errorClass ?? "under way") : String(status) },
            { name: "Duration", value: durationMs !== null && `${Math.round(durationMs)} ms` },
            { name: "Address", value: address },
            { name: "Answer of the receiver", value: body === "" ? "nothing" : <code>{body}</code> },
          ]}
        />
      ))}
    </div>
  );
}
