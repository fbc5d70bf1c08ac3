import { useSearchParams } from "react-router";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { linkTo, pathWith } from "../../links.ts";
import { codeWithWord, outboundWords } from "../../parts/feed-words.ts";
import { type BulkAction, type Column, DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { RowsChoice, rowsOf } from "../../parts/rows-choice.tsx";
import { StateBadge, ToneBadge } from "../../parts/state-badge.tsx";
import { wordOf } from "../../parts/tones.ts";
import type { Scope } from "../../scope.ts";

import { typeWords } from "./outbound-channels.tsx";

export type Document = components["schemas"]["OutboundDocument"];

const pathOf = ({ clientId, documentId }: Document) => linkTo("outbound", clientId, documentId);

/** The object of the document, as clients name it: only the program knows the number of a statement of a facility. */
export const subjectOf = ({ type, objectId, distributionCentre }: Document): string =>
  type === "INV" || type === "IMS" ? (distributionCentre ?? objectId) : objectId;

const nameOf = (document: Document) => `${outboundWords[document.type]} ${subjectOf(document)}`;

const shortWords = { PULL: "HTTP", SFTP: "SFTP", PUSH: "push" } as const;
export const channelTexts = { PULL: "Fetched over HTTP", SFTP: "SFTP", PUSH: "Push" } as const;

const columns: readonly Column<Document>[] = [
  { key: "name", header: "Document", width: 240, wraps: true, of: nameOf, to: pathOf },
  {
    key: "type",
    header: "Feed",
    width: 260,
    isHiddenAtFirst: true,
    cell: ({ type }) => codeWithWord(outboundWords, type),
  },
  { key: "clientId" },
  { key: "objectId", header: "About", isHiddenAtFirst: true },
  { key: "distributionCentre" },
  {
    key: "state",
    states: "outbound",
    cell: ({ state, isOverdue }) =>
      isOverdue ? <ToneBadge tone="waiting" text="Waiting over 24 h" /> : <StateBadge kind="outbound" state={state} />,
  },
  {
    key: "channels",
    header: "Channels",
    width: 146,
    wraps: true,
    cell: ({ channels }) =>
      channels.map(({ channel, state }) => `${shortWords[channel]} ${wordOf(state).toLowerCase()}`).join(" · "),
    text: ({ channels }) => channels.map(({ channel, state }) => `${channel} ${state}`).join(", "),
  },
  {
    key: "tries",
    of: ({ channels }) => channels.find(({ channel }) => channel === "PUSH")?.tries,
  },
  {
    key: "at",
    kind: "moment",
    header: "Fetched at",
    of: ({ channels }) => channels.map(({ at, readAt }) => at ?? readAt).find(Boolean),
    text: ({ channels }) => channels.map(({ at }) => at).find(Boolean) ?? "",
  },
  { key: "createdAt", header: "Written", sort: "createdAt" },
  { key: "documentId", kind: "token" },
];

const filters: readonly Filter[] = [
  {
    key: "type",
    label: "Feed",
    kind: "select" as const,
    options: Object.entries(typeWords).map(([value, word]) => ({ value, label: `${value} ${word}` })),
  },
  {
    key: "waiting",
    label: "Waiting",
    kind: "select" as const,
    options: optionsOf({ any: "To be fetched or collected", overdue: "For more than 24 hours" }),
  },
  { key: "objectId", label: "About", kind: "text", placeholder: "Order, return, SKU …" },
];

export const resend = ({ clientId, documentId }: Pick<Document, "clientId" | "documentId">) =>
  api.POST("/outbound/resend/{documentId}", { params: { path: { documentId }, query: { clientId } } });

const bulkActions: readonly BulkAction<Document>[] = [
  {
    verb: "Send again",
    confirm: (rows) => ({
      title: `Send ${rows.length === 1 ? "1 document" : `${rows.length} documents`} again`,
      text: "Each document is offered again by the current delivery methods of its feed. Its messageId stays the same.",
    }),
    run: (rows) => Promise.all(rows.map(resend)),
    done: "The documents are sent again.",
  },
];

type WaitingClient = components["schemas"]["WaitingClient"];

const clientColumns: readonly Column<WaitingClient>[] = [
  {
    key: "clientId",
    to: ({ clientId }) => pathWith("/outbound", { client: clientId, waiting: "any" }),
  },
  { key: "http", kind: "count", header: "HTTP", of: ({ http }) => http },
  { key: "sftp", kind: "count", header: "SFTP", of: ({ sftp }) => sftp },
  { key: "oldestAt", kind: "age", header: "Oldest" },
  {
    key: "isOverdue",
    header: "State",
    width: 160,
    cell: ({ isOverdue }) =>
      isOverdue ? (
        <ToneBadge tone="waiting" text="Waiting over 24 h" />
      ) : (
        <StateBadge kind="outbound" state="WAITING" />
      ),
    text: ({ isOverdue }) => `${isOverdue}`,
  },
];

/** Outbound documents of all clients, with their delivery status; or the clients that have not fetched theirs. */
export function Documents() {
  const [params] = useSearchParams();
  return <Screen title="Outbound feeds">{rowsOf(params, true) === "each" ? <Each /> : <WaitingClients />}</Screen>;
}

const rowsChoice = <RowsChoice grouped="Waiting by client" isEach leaves={filters.map(({ key }) => key)} />;

function WaitingClients() {
  return (
    <DataList
      id="outbound-clients"
      label="Clients with waiting documents"
      columns={clientColumns}
      fetchPage={async ({ cursor: _, limit: __, ...query }: ListRequest, signal) =>
        api.GET("/outbound/waiting", { params: { query: query as Scope["query"] }, signal })
      }
      rowId={({ clientId }) => clientId}
      empty={{ why: "Every document has been fetched or collected." }}
      actions={rowsChoice}
      live={10_000}
    />
  );
}

function Each() {
  return (
    <DataList
      id="outbound"
      label="Outbound documents"
      noun="document"
      columns={columns}
      filters={filters}
      bulkActions={bulkActions}
      sort="-createdAt"
      fetchPage={pagesOf("/outbound/list")}
      rowId={({ documentId }) => documentId}
      empty={{ why: "No documents yet. They are created from orders, receipts, returns and stock." }}
      actions={rowsChoice}
      live={10_000}
    />
  );
}
