import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useTimezone } from "../../directory.ts";
import { dayMs } from "../../durations.ts";
import { linkTo, type ObjectKind } from "../../links.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { Go } from "../../parts/go.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { Notice } from "../../parts/notice.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { Timeline, type TimelineEvent } from "../../parts/page/timeline.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import styles from "../clients/clients.module.css";
import { CodeBlock } from "../clients/code-block.tsx";
import { ExchangeBox } from "./exchange-box.tsx";
import { ownerFact, ownerName } from "./owner.tsx";
import { NextAttempt } from "./sending-times.tsx";
import { useWebhook } from "./webhook-data.ts";

type Delivery = AnswerOf<"/client/webhook/delivery/{deliveryId}">;

/** A delivery with every attempt and the receiver's responses. */
export const DeliveryPage = pageOf(
  "/client/webhook/delivery/{deliveryId}",
  { what: "The delivery", live: 5_000 },
  (delivery, { clientId = "" }) => <Whole clientId={clientId} delivery={delivery} />,
);

const waitText = "The delivery waits for a successful probe of its webhook and is then sent automatically.";

const kinds: Readonly<Record<string, ObjectKind>> = {
  order: "order",
  purchaseOrder: "purchaseOrder",
  return: "return",
  workOrder: "workOrder",
  transfer: "transfer",
  unidentifiedReceipt: "unidentifiedReceipt",
  feed: "feed",
};

function Whole({ clientId, delivery }: { readonly clientId: string; readonly delivery: Delivery }) {
  const { deliveryId, webhookId, topicName, objectType, objectId, status, lastError, createdAt } = delivery;
  const timezone = useTimezone();
  const hasEnded = ["DELIVERED", "FAILED", "SKIPPED"].includes(status);
  const webhook = useWebhook(clientId, status === "PENDING" ? webhookId : undefined, 10_000);
  const waitsForProbe = status === "PENDING" && webhook.data?.status === "FAILING";
  const kind = kinds[objectType];
  const replay = () =>
    api.POST("/client/webhook/redeliver/{deliveryId}", { params: { path: { deliveryId }, query: { clientId } } });
  return (
    <DetailPage
      what="Delivery"
      id={deliveryId}
      name={`${topicName} for ${objectId}`}
      clientId={ownerName(clientId)}
      back={{ to: linkTo("webhook", clientId, webhookId), label: "Webhook" }}
      state={<StateBadge kind="delivery" state={status} />}
      age={<Age since={createdAt} />}
      actions={
        <ActionButton
          isForDevelopers
          verb="Replay delivery"
          isPrimary
          run={replay}
          done="The delivery is sent again, with the same webhook-id."
          whyNot={
            hasEnded
              ? undefined
              : waitsForProbe
                ? waitText
                : "The delivery is still in progress and is retried automatically. It needs no replay."
          }
        />
      }
      notice={
        waitsForProbe ? (
          <Notice tone="waiting" title="Waiting for the receiver">
            {waitText} <Go to={linkTo("webhook", clientId, webhookId)}>See the failing deliveries</Go>
          </Notice>
        ) : undefined
      }
      facts={[
        ownerFact(clientId),
        { name: "Topic", value: <code>{topicName}</code> },
        {
          name: wordOf(objectType),
          value: kind === undefined ? objectId : <Go to={linkTo(kind, clientId, objectId)}>{objectId}</Go>,
        },
        { name: "webhook-id", value: <code>{delivery.eventId}</code> },
        { name: "Sequence", value: delivery.sequence },
        { name: "Counted attempts", value: delivery.tries },
        { name: "Last error", value: lastError },
        {
          name: "Next attempt",
          value: waitsForProbe
            ? "after a successful probe"
            : delivery.nextTryAt && <NextAttempt at={delivery.nextTryAt} timezone={timezone} />,
        },
        { name: "Ended", value: delivery.endedAt && <Time at={delivery.endedAt} timezone={timezone} /> },
      ]}
      timeline={<Timeline events={eventsOf(delivery)} />}
      tabs={[
        {
          key: "tries",
          label: "Attempts",
          count: delivery.exchanges.length,
          content: <Attempts delivery={delivery} timezone={timezone} />,
        },
        { key: "payload", label: "Payload", content: <Payload delivery={delivery} /> },
      ]}
    />
  );
}

/** The body of every attempt, readable; a copy has the bytes that are sent. */
function Payload({ delivery: { payload, status, exchanges } }: { readonly delivery: Delivery }) {
  if (payload === null) return <Empty why="The event is no longer stored: events are deleted after 90 days." />;
  const isSent = exchanges.length > 0 || status === "DELIVERED";
  return (
    <Section
      title={isSent ? "The body that was sent" : "The body that will be sent"}
      actions={<CopyText verb="Copy" text={JSON.stringify(payload)} />}
    >
      <CodeBlock label="Payload" text={JSON.stringify(payload, null, 2)} />
    </Section>
  );
}

function eventsOf({ createdAt, exchanges, endedAt, status }: Delivery): TimelineEvent[] {
  const attempts = exchanges.map(
    ({ startedAt, status: answer, errorClass, isProbe, state }): TimelineEvent => ({
      at: startedAt,
      text: `${isProbe ? "Probe" : "Attempt"}: ${answer === null ? (errorClass ?? wordOf(state).toLowerCase()) : `answered ${answer}`}`,
      tone: errorClass === null && answer !== null ? "done" : state === "STARTED" ? "moving" : "failed",
    }),
  );
  const events: TimelineEvent[] = [{ at: createdAt, text: "Created from an event" }, ...attempts];
  if (endedAt !== null && status !== "DELIVERED") {
    events.push({ at: endedAt, text: wordOf(status), tone: status === "FAILED" ? "failed" : "ended" });
  }
  return events;
}

/** Attempts are deleted after 30 days. */
const attemptsKeptMs = 30 * dayMs;

function Attempts({ delivery, timezone }: { readonly delivery: Delivery; readonly timezone: string }) {
  const { exchanges, status } = delivery;
  if (exchanges.length === 0) {
    return (
      <Empty
        why={
          status === "SKIPPED"
            ? "It was skipped: the webhook was paused or disabled."
            : Date.now() - Date.parse(delivery.createdAt) < attemptsKeptMs
              ? "No attempt yet."
              : "No attempt in the last 30 days."
        }
      />
    );
  }
  const numbered = exchanges.map((exchange, i) => ({
    exchange,
    title: `${exchange.isProbe ? "Probe" : "Attempt"} ${i + 1}`,
  }));
  return (
    <div className={styles.form}>
      {numbered.reverse().map(({ exchange, title }) => (
        <ExchangeBox
          key={exchange.tryId}
          exchange={exchange}
          title={title}
          timezone={timezone}
          note={
            exchange.state === "STARTED"
              ? "Under way."
              : exchange.state === "UNKNOWN"
                ? "The sender stopped before it recorded the result. The delivery is retried."
                : undefined
          }
        />
      ))}
    </div>
  );
}
