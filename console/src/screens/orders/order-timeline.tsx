import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useLayoutEffect, useRef } from "react";
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
const pageRows = 200;

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

const endPixels = 8;

interface EndOfListProps {
  readonly pages: number;
  readonly children: ReactNode;
}

/**
 * The newest entries matter most, so the list shows its end first. It follows new entries, and entries that become
 * longer, unless the user scrolls up.
 */
function EndOfList({ pages, children }: EndOfListProps) {
  const list = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const pagesBefore = useRef(pages);
  useLayoutEffect(() => {
    // After loading another page, the list shows its beginning.
    if (pages !== pagesBefore.current) isAtEnd.current = false;
    pagesBefore.current = pages;
    toEnd(list.current, isAtEnd.current);
  });
  useLayoutEffect(() => {
    if (content.current === null) return;
    const observer = new ResizeObserver(() => toEnd(list.current, isAtEnd.current));
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={list}
      className={styles.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
      tabIndex={0}
      aria-label="Timeline of the order"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - endPixels;
      }}
    >
      <div ref={content}>{children}</div>
    </section>
  );
}

function toEnd(list: HTMLElement | null, isAtEnd: boolean): void {
  if (list !== null && isAtEnd) list.scrollTop = list.scrollHeight;
}

/** The history of the order, oldest first: the main steps, or all published events too. */
export function OrderTimeline({ order }: { readonly order: Order }) {
  const { clientId, orderId } = order;
  const [params] = useSearchParams();
  const setParams = useSetParams();
  const isAll = params.get("history") === "all";
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
  const events = (isAll ? entries : factsOnce(entries)).map(eventOf);
  return (
    <div>
      {choose}
      <EndOfList key={String(isAll)} pages={query.data.pages.length}>
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
      </EndOfList>
    </div>
  );
}
