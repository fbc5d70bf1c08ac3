import { Button } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import type { components, operations } from "#operator";
import { api } from "../../api.ts";
import { useData } from "../../data.ts";
import { dayMs } from "../../durations.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { notifyDone } from "../../parts/actions/notify.ts";
import { counted } from "../../parts/counted.ts";
import { codeWithWord, documentName, inboundWords } from "../../parts/feed-words.ts";
import {
  type BulkAction,
  type Column,
  DataList,
  type Filter,
  type ListPage,
  type ListRequest,
} from "../../parts/list/data-list.tsx";
import { withLists } from "../../parts/list/filter-values.ts";
import { CountFigure } from "../../parts/page/figure.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useScope, withScope } from "../../scope.ts";
import { rangeParam, screenRanges } from "../../screen-ranges.ts";
import { sizeText } from "./size-text.ts";

type Feed = components["schemas"]["FeedSummary"];
type Query = NonNullable<operations["listFeeds"]["parameters"]["query"]>;

const feedLink = ({ token }: Feed) => linkTo("feed", "", token);

const columns: readonly Column<Feed>[] = [
  { key: "name", header: "Document", width: 240, of: documentName, to: feedLink },
  { key: "receivedAt", header: "Received", sort: "receivedAt" },
  { key: "clientId" },
  {
    key: "type",
    header: "Type",
    width: 150,
    isHiddenAtFirst: true,
    cell: ({ type }) => codeWithWord(inboundWords, type),
  },
  { key: "objectId", header: "About", isHiddenAtFirst: true },
  {
    key: "state",
    states: "feed",
    cell: ({ state, overdueSince }) =>
      overdueSince === null ? <StateBadge kind="feed" state={state} /> : <ToneBadge tone="failed" text="Overdue" />,
  },
  {
    key: "firstError",
    header: "First error",
    width: 380,
    wraps: true,
    cell: ({ firstError, errors }) =>
      firstError === null ? (
        "–"
      ) : (
        <span title={`${firstError.code} ${firstError.text}`}>
          <strong>{firstError.code}</strong> {firstError.text}
          {errors > 1 ? ` (and ${errors - 1} more)` : ""}
        </span>
      ),
    text: ({ firstError }) => (firstError === null ? "" : `[${firstError.code}] ${firstError.text}`),
  },
  { key: "token", kind: "token", header: "Token" },
  {
    key: "channel",
    header: "Channel",
    width: 96,
    isHiddenAtFirst: true,
    cell: ({ channel }) => wordOfChannel(channel),
  },
  { key: "size", kind: "number", header: "Size", isHiddenAtFirst: true, cell: ({ size }) => sizeText(size) },
  { key: "errors", kind: "count", header: "Errors", isHiddenAtFirst: true },
  { key: "warnings", kind: "count", header: "Warnings", isHiddenAtFirst: true },
  { key: "fileName", header: "File", width: 180, wraps: true, isHiddenAtFirst: true },
  { key: "settledAt", header: "Settled", isHiddenAtFirst: true },
];

export const wordOfChannel = (channel: string) => (channel === "CONSOLE" ? "Console" : channel);

const optionsOf = (values: readonly string[], word = (value: string) => value) =>
  values.map((value) => ({ value, label: word(value) }));

const filters: readonly Filter[] = [
  { key: "token", label: "Token", placeholder: "full token or its beginning" },
  { key: "objectId", label: "About", placeholder: "order, PO, RMA or SKU" },
  {
    key: "type",
    label: "Type",
    kind: "several",
    options: optionsOf(enumerations.FeedType, (type) => codeWithWord(inboundWords, type)),
  },
  { key: "state", label: "State", kind: "several", options: optionsOf(enumerations.FeedState, wordOf) },
  { key: "outcome", label: "Outcome", kind: "select", options: optionsOf(["ACCEPTED", "REJECTED"], wordOf) },
  { key: "errorCode", label: "Error code", kind: "select", options: optionsOf(enumerations.FeedErrorCode) },
  { key: "isOverdue", label: "Overdue", kind: "select", options: [{ value: "1", label: "Overdue only" }] },
  { key: "channel", label: "Channel", kind: "several", options: optionsOf(enumerations.FeedChannel, wordOfChannel) },
  {
    key: rangeParam,
    label: "Received",
    range: { ...screenRanges["/feeds"], from: "receivedFrom", to: "receivedTo", unit: "moment", isInTopBar: true },
  },
];

const bulkActions: readonly BulkAction<Feed>[] = [
  {
    verb: "Reprocess",
    confirm: (rows) => ({
      title: rows.length === 1 ? "Reprocess 1 document" : `Reprocess ${rows.length} documents`,
      text: "Current rules and data apply to each document, in order of receipt. Accepted documents take effect at once. The others stay rejected with their new errors.",
    }),
    run: reprocessMany,
  },
];

/** All documents from clients, with their outcomes. */
export function FeedList() {
  const [params] = useSearchParams();
  return (
    <Screen
      title="Feeds"
      lead={<FeedState />}
      actions={
        <Button component={Link} to={withScope("/feeds/validate", params)} variant="default" size="xs">
          Validate a document
        </Button>
      }
      figures={<Figures />}
    >
      <DataList
        id="feeds"
        label="Documents"
        noun="document"
        columns={columns}
        filters={filters}
        sort="-receivedAt"
        fetchPage={fetchPage}
        rowId={({ token }) => token}
        bulkActions={bulkActions}
        empty={{
          why: "No client has sent a document yet. Documents appear here as soon as they are validated.",
        }}
        live={10_000}
      />
    </Screen>
  );
}

function useFeedCounts() {
  const { query } = useScope();
  return useData(
    ["feedCounts", query],
    (signal) => {
      const receivedFrom = new Date(Date.now() - dayMs).toISOString();
      return api.GET("/feed/counts", { params: { query: { ...query, receivedFrom } }, signal });
    },
    { live: 10_000 },
  ).data;
}

/** Number of documents that wait for their cause to be fixed. */
function FeedState() {
  const counts = useFeedCounts();
  // Keeps the height of the line while the numbers load.
  if (counts === undefined) return "\u00a0";
  const waiting = counts.parked + counts.overdue + counts.failed;
  return waiting === 0
    ? "No document is parked, overdue or failed."
    : `${counted(waiting, "document is", "documents are")} parked, overdue or failed.`;
}

function Figures() {
  const counts = useFeedCounts();
  const figure = (label: string, value: number | undefined, to: string, tone: "failed" | "waiting", hint: string) => (
    <CountFigure
      label={label}
      to={to}
      hint={hint}
      count={value}
      isMore={value !== undefined && value >= 10_000}
      tone={tone}
    />
  );
  return (
    <>
      {figure("Rejected", counts?.rejected, "/feeds?state=REJECTED&range=24h", "failed", "last 24 hours")}
      {figure("Parked", counts?.parked, "/feeds?state=PARKED", "waiting", "until a catalogue contains the SKUs")}
      {figure("Overdue", counts?.overdue, "/feeds?isOverdue=1", "failed", "accepted, no outcome yet")}
      {figure("Failed", counts?.failed, "/feeds?state=FAILED", "failed", "processing can be retried")}
    </>
  );
}

/**
 * A filter without an index may return an empty page before the end; then a limited number of further pages is read.
 */
const pagesMax = 5;

async function fetchPage(request: ListRequest, signal: AbortSignal): Promise<ListPage<Feed>> {
  let query = withLists(request, "type", "state", "channel") as Query;
  for (let i = 1; ; i++) {
    const page = await api.GET("/feed/list", { params: { query }, signal });
    if (page.items.length > 0 || page.nextCursor === null || i === pagesMax) return page;
    query = { ...query, cursor: page.nextCursor };
  }
}

const manyMax = 100;

async function reprocessMany(rows: readonly Feed[]): Promise<void> {
  const counts = { ACCEPTED: 0, REJECTED: 0, PARKED: 0, REFUSED: 0 };
  for (const [clientId, rowsOfClient] of Map.groupBy(rows, (row) => row.clientId)) {
    const tokens = rowsOfClient.map(({ token }) => token).sort();
    for (let at = 0; at < tokens.length; at += manyMax) {
      const params = { query: { clientId } };
      const body = { tokens: tokens.slice(at, at + manyMax) };
      const { items } = await api.POST("/feed/reprocess", { params, body });
      for (const { outcome } of items) counts[outcome]++;
    }
  }
  const parts = [
    `${counts.ACCEPTED} accepted`,
    `${counts.REJECTED} still rejected`,
    ...(counts.PARKED === 0 ? [] : [`${counts.PARKED} still parked`]),
    ...(counts.REFUSED === 0 ? [] : [`${counts.REFUSED} cannot be reprocessed`]),
  ];
  notifyDone(`Reprocessed: ${parts.join(", ")}.`);
}
