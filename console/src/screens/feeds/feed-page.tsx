import type { components } from "#operator";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo, type ObjectKind } from "../../links.ts";
import { codeWithWord, inboundWords, outboundWords } from "../../parts/feed-words.ts";
import { Id } from "../../parts/id.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import type { Fact } from "../../parts/page/facts.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { clientFact } from "../../parts/page/place-facts.tsx";
import { Timeline, type TimelineEvent } from "../../parts/page/timeline.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { FeedAck } from "./feed-ack.tsx";
import { FeedActions } from "./feed-actions.tsx";
import { FeedDocument } from "./feed-document.tsx";
import { wordOfChannel } from "./feed-list.tsx";
import { FeedWarnings } from "./feed-warnings.tsx";
import styles from "./feeds.module.css";
import { sizeText } from "./size-text.ts";

type Feed = components["schemas"]["FeedDocument"];
type Happened = components["schemas"]["FeedTimelineEvent"];

/** A document: its faults with their places, its outcome, and the available actions. */
export const FeedPage = pageOf("/feed/get/{token}", { what: "The document", height: 560, live: 5_000 }, (feed) => (
  <Whole feed={feed} />
));

function Whole({ feed }: { readonly feed: Feed }) {
  const { token, faults } = feed;
  const errors = faults.filter(({ kind }) => kind === "error").length;
  const warnings = faults.length - errors;
  return (
    <DetailPage
      what={`${inboundWords[feed.type]} document`}
      id={token}
      name={feed.objectId ?? feed.fileName}
      clientId={feed.clientId}
      back={{ to: "/feeds", label: "Feeds" }}
      state={
        <span className={styles.states}>
          <StateBadge kind="feed" state={feed.state} />
          {feed.overdueSince === null ? null : <ToneBadge tone="failed" text="Overdue" />}
        </span>
      }
      age={<Time at={feed.receivedAt} />}
      actions={<FeedActions feed={feed} />}
      facts={factsOf({ feed })}
      timeline={<Happenings feed={feed} />}
      tabs={[
        { key: "document", label: "Document", ...countOf(errors), content: <FeedDocument feed={feed} /> },
        { key: "ack", label: "ACK", content: <FeedAck token={token} state={feed.state} /> },
        { key: "warnings", label: "Warnings", ...countOf(warnings), content: <FeedWarnings feed={feed} /> },
      ]}
    />
  );
}

const countOf = (count: number) => (count === 0 ? {} : { count });

const objectKinds: Readonly<Record<Feed["type"], ObjectKind>> = {
  CAT: "sku",
  PO: "purchaseOrder",
  RMA: "return",
  NO: "order",
};

function factsOf({ feed }: { readonly feed: Feed }): Fact[] {
  const { clientId, objectId, type, state } = feed;
  // A rejected document has no object to show.
  const hasObject = state !== "REJECTED" && state !== "PARKED";
  const about =
    objectId === null ? null : (
      <Id text={objectId} {...(hasObject ? { to: linkTo(objectKinds[type], clientId, objectId) } : {})} />
    );
  return [
    clientFact(clientId),
    { name: "Type", value: codeWithWord(inboundWords, feed.type) },
    { name: "About", value: about },
    { name: "Channel", value: wordOfChannel(feed.channel) },
    { name: "File", value: feed.fileName },
    { name: "Received", value: <Time at={feed.receivedAt} isExact /> },
    {
      name: "Settled",
      value: feed.settledAt && feed.settledAt !== feed.receivedAt && <Time at={feed.settledAt} isExact />,
    },
    { name: "Reprocessed", value: feed.healedAt && <Time at={feed.healedAt} isExact /> },
    { name: "Overdue since", value: feed.overdueSince && <Time at={feed.overdueSince} isExact /> },
    { name: "Size", value: sizeText(feed.size) },
    { name: "Content type", value: feed.contentType },
    { name: "Unknown SKUs", value: feed.missingSkus.length > 0 && <MissingSkus skus={feed.missingSkus} /> },
    {
      name: "Outbound",
      value: feed.outbound.length > 0 && (
        <ul className={styles.skus}>
          {feed.outbound.map(({ messageId, type: of }) => (
            <li key={messageId}>
              {codeWithWord(outboundWords, of)}{" "}
              <Id text={messageId} to={linkTo("outbound", clientId, messageId)} length={14} />
            </li>
          ))}
        </ul>
      ),
    },
    { name: "SHA-256", value: <Id text={feed.sha256} length={20} /> },
  ];
}

const skusShownMax = 10;

function MissingSkus({ skus }: { readonly skus: readonly string[] }) {
  const left = skus.length - skusShownMax;
  return (
    <ul className={styles.skus}>
      {skus.slice(0, skusShownMax).map((sku) => (
        <li key={sku}>
          <Id text={sku} />
        </li>
      ))}
      {left > 0 ? <li>and {left} more</li> : null}
    </ul>
  );
}

function Happenings({ feed }: { readonly feed: Feed }) {
  const { token, clientId } = feed;
  const timeline = useData(
    ["feedTimeline", token, feed.state],
    (signal) => api.GET("/feed/timeline/{token}", { params: { path: { token } }, signal }),
    { live: 10_000 },
  );
  return (
    <Loaded query={timeline} what="The timeline">
      {({ events }) => <Timeline events={events.map((event) => shown(clientId, event))} />}
    </Loaded>
  );
}

const linkKinds: Partial<Record<Happened["kind"], ObjectKind>> = {
  event: "order",
  outbound: "outbound",
  delivery: "delivery",
};

function shown(clientId: string, { at, text, actor, tone, kind, objectId }: Happened): TimelineEvent {
  const linkKind = linkKinds[kind];
  return { at, text, actor, tone, ...(linkKind && objectId ? { to: linkTo(linkKind, clientId, objectId) } : {}) };
}
