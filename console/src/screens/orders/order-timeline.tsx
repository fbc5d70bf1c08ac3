import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { linkTo, pathWith } from "../../links.ts";
import { actorWord } from "../../parts/actor-word.ts";
import { Choice } from "../../parts/choice.tsx";
import { Problem } from "../../parts/loading/problem.tsx";
import { BoxSkeleton } from "../../parts/loading/skeletons.tsx";
import { Timeline, type TimelineEvent } from "../../parts/page/timeline.tsx";
import { type Tone, wordOf } from "../../parts/tones.ts";
import { WithTimes } from "../../parts/with-times.tsx";
import { useSetParams } from "../../scope.ts";
import { inWords, type Order } from "./order-words.ts";
import styles from "./orders.module.css";
import { factsOnce } from "./timeline-facts.ts";

type Entry = components["schemas"]["TimelineEntry"];

/** The main kinds of entries. The rest are published events and their recipients. */
const main: Entry["kind"][] = ["FEED", "ROUTING", "CHANGE", "NOTE", "MILESTONE", "ALLOCATION", "DECISION", "EXCEPTION"];
const pageRows = 500;
/** The entries of a usual order from its receipt to its delivery, and a few more. */
const shownAtFirst = 30;

const tones: Readonly<Record<Entry["tone"], Tone>> = {
  DONE: "done",
  MOVING: "moving",
  WAITING: "waiting",
  FAILED: "failed",
  NEUTRAL: "ended",
};

function linkOf({ clientId, orderId }: Order, link: Entry["link"]): string | undefined {
  switch (link?.kind) {
    case "FEED":
      return linkTo("feed", "", link.id);
    case "DELIVERY":
      return linkTo("delivery", clientId, link.id);
    case "OUTBOUND":
      return linkTo("outbound", clientId, link.id);
    case "PARCEL":
      return linkTo("parcel", clientId, link.id);
    case "DECISION":
      return pathWith(linkTo("order", clientId, orderId), { tab: "carrier" });
    case "EXCEPTION":
      return pathWith("/exceptions", { text: orderId });
    default:
      return undefined;
  }
}

const longText = 240;

/** A text of many lines, such as the reasons of all carrier services, would push the other entries out of sight. */
function LongText({ text }: { readonly text: string }) {
  if (text.length <= longText) return text;
  return (
    <span className={styles.longText} title={text}>
      {text}
    </span>
  );
}

/** The history of the order, oldest first: the main steps, or all published events too. The page shows it whole; of a long one it begins with the newest. */
export function OrderTimeline({ order }: { readonly order: Order }) {
  const { clientId, orderId } = order;
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const isAll = params.get("history") === "all";
  const [isWhole, setIsWhole] = useState(false);
  const query = useInfiniteQuery({
    queryKey: ["order-timeline", clientId, orderId, isAll],
    queryFn: ({ pageParam, signal }) =>
      api.GET("/order/timeline/{orderId}", {
        params: {
          path: { orderId },
          query: {
            clientId,
            limit: pageRows,
            ...(isAll ? {} : { kind: main }),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: 10_000,
  });
  const eventOf = ({ kind, at, code, text, detail, actor, tone, link }: Entry): TimelineEvent => ({
    at,
    code,
    actor: actor && actorWord(actor),
    tone: tones[tone],
    to: linkOf(order, link),
    text: (
      <>
        <LongText text={kind === "EXCEPTION" ? inWords(text) : text} />
        {detail === null ? null : (
          <span className={styles.detail}>
            {kind === "EXCEPTION" ? (
              wordOf(detail)
            ) : (
              <WithTimes text={inWords(detail)} facility={order.distributionCentre} />
            )}
          </span>
        )}
      </>
    ),
  });
  const choose = (
    <div className={styles.tools}>
      <Choice
        label="What the timeline shows"
        options={{ main: "Steps and changes", all: "All events and messages" }}
        value={isAll ? "all" : "main"}
        choose={(history) => setParams({ history: history === "all" ? history : null })}
      />
    </div>
  );
  if (query.error && !query.data)
    return <Problem error={query.error} what="The timeline" retry={() => void query.refetch()} />;
  if (!query.data) return <BoxSkeleton height={360} />;
  const entries = query.data.pages.flatMap(({ items }) => items);
  const listed = isAll ? entries : factsOnce(entries);
  const hidden = isWhole ? 0 : Math.max(0, listed.length - shownAtFirst);
  const events = listed.slice(hidden).map(eventOf);
  return (
    <div>
      {choose}
      <section aria-label="Timeline of the order">
        {hidden === 0 ? null : (
          <Button variant="default" size="xs" onClick={() => setIsWhole(true)}>
            Show {hidden} older
          </Button>
        )}
        <Timeline events={events} facility={order.distributionCentre} />
        {query.hasNextPage ? (
          <Button
            variant="default"
            size="xs"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show what came later
          </Button>
        ) : null}
      </section>
    </div>
  );
}
