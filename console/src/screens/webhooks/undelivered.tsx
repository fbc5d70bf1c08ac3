import { useSearchParams } from "react-router";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo, pathWith } from "../../links.ts";
import { deliveredWord } from "../../parts/feed-words.ts";
import { Go } from "../../parts/go.tsx";
import { type BulkAction, type Column, DataList, type Filter, type ListRequest } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { RowsChoice, rowsOf } from "../../parts/rows-choice.tsx";
import type { Scope } from "../../scope.ts";

import { useSession } from "../../session.tsx";
import { ownerName } from "./owner.tsx";
import { NextAttempt } from "./sending-times.tsx";
import { hostOf } from "./webhook-data.ts";
import { DeliveryState } from "./webhook-state.tsx";

type Row = components["schemas"]["UndeliveredRow"];
type Receiver = components["schemas"]["ReceiverRow"];

/** A pushed feed delivers a document. */
const pathOf = ({ kind, clientId, deliveryId, eventId }: Row) =>
  kind === "OUTBOUND" ? linkTo("outbound", clientId, eventId) : linkTo("delivery", clientId, deliveryId);

const nameOf = ({ kind, topicName, objectId }: Row) => `${deliveredWord(kind, topicName)} for ${objectId}`;

const columns: readonly Column<Row>[] = [
  { key: "name", header: "Delivery", width: 280, wraps: true, of: nameOf, to: pathOf },
  { key: "clientId", kind: "owner", of: ({ clientId }) => ownerName(clientId) },
  {
    key: "topicName",
    header: "Topic or feed",
    width: 190,
    isHiddenAtFirst: true,
    cell: ({ kind, topicName }) => deliveredWord(kind, topicName),
  },
  { key: "objectId", header: "About", isHiddenAtFirst: true },
  { key: "status", states: "delivery" },
  { key: "tries" },
  { key: "lastError", header: "Why", width: 186, wraps: true },
  { key: "nextTryAt", header: "Next attempt", cell: ({ nextTryAt }) => <NextAttempt at={nextTryAt} /> },
  { key: "createdAt", header: "Created" },
  { key: "deliveryId", kind: "token" },
  { key: "url", header: "Address", width: 240, wraps: true, isHiddenAtFirst: true, none: "deleted" },
];

const filters: readonly Filter[] = [
  stateFilter(enumerations.UndeliveredFilter),
  { key: "endedSince", label: "Ended since", isSetByLink: true },
  { key: "webhookId", label: "Receiver", isSetByLink: true },
  {
    key: "kind",
    label: "Kind",
    kind: "select" as const,
    options: optionsOf({ WEBHOOK: "Webhooks", OUTBOUND: "Pushed outbound feeds" }),
  },
  { key: "objectId", label: "About", kind: "text", placeholder: "Order, parcel …" },
];

const replay = ({ kind, clientId, deliveryId, eventId }: Row) =>
  kind === "OUTBOUND"
    ? api.POST("/outbound/resend/{documentId}", { params: { path: { documentId: eventId }, query: { clientId } } })
    : api.POST("/client/webhook/redeliver/{deliveryId}", { params: { path: { deliveryId }, query: { clientId } } });

const bulkActions: readonly BulkAction<Row>[] = [
  {
    verb: "Replay",
    confirm: (rows) => ({
      title: `Replay ${rows.length === 1 ? "1 delivery" : `${rows.length} deliveries`}`,
      text: "Each delivery is sent again with the same webhook-id, so that the receiver can recognise it.",
    }),
    run: (rows) => Promise.all(rows.map(replay)),
    done: "The deliveries are sent again.",
  },
];

const receiverColumns: readonly Column<Receiver>[] = [
  {
    key: "url",
    header: "Receiver",
    width: 280,
    wraps: true,
    of: ({ url }) => (url === null ? "deleted" : hostOf(url)),
    to: ({ webhookId }) => pathWith("/webhooks/undelivered", { webhookId }),
  },
  { key: "clientId", kind: "owner", of: ({ clientId }) => ownerName(clientId) },
  { key: "status", header: "Webhook", states: "webhook", none: "deleted" },
  { key: "retrying", kind: "count", header: "Retrying" },
  { key: "failed", kind: "count", header: "Given up" },
  { key: "skipped", kind: "count", header: "Skipped" },
  { key: "oldestAt", kind: "age", header: "Oldest" },
  { key: "lastError", header: "Why", width: 220, wraps: true },
  { key: "webhookId", kind: "token", header: "Webhook id" },
];

function Receivers() {
  return (
    <DataList
      id="undelivered-receivers"
      label="Receivers with undelivered deliveries"
      columns={receiverColumns}
      fetchPage={async ({ cursor: _, limit: __, ...query }: ListRequest, signal) => {
        const { items } = await api.GET("/webhookDelivery/receivers", {
          params: { query: query as Scope["query"] },
          signal,
        });
        return { items };
      }}
      rowId={({ clientId, webhookId }) => `${clientId} ${webhookId}`}
      empty={nothing}
      actions={<RowsChoice grouped="By receiver" isEach={false} />}
      live={10_000}
    />
  );
}

const nothing = { why: "All deliveries of the last 90 days succeeded." };

/** Undelivered messages of all clients; without a filter, a row for each receiver. */
export function Undelivered() {
  const isFiltered = useIsFiltered();
  const [params] = useSearchParams();
  return (
    <Screen title="Not delivered" lead={<DeliveryState />} actions={<Go to="/webhooks">All webhooks</Go>}>
      {rowsOf(params, isFiltered) === "each" ? <Each /> : <Receivers />}
    </Screen>
  );
}

function useIsFiltered(): boolean {
  const [params] = useSearchParams();
  return filters.some(({ key }) => params.has(key));
}

function Each() {
  const isLimited = useSession().facilityCodes !== null;
  return (
    <DataList
      id="undelivered"
      label="Deliveries that failed, are being retried or were skipped"
      noun="delivery"
      columns={columns}
      filters={filters}
      bulkActions={isLimited ? [] : bulkActions}
      fetchPage={pagesOf("/webhookDelivery/list")}
      rowId={({ deliveryId }) => deliveryId}
      empty={nothing}
      actions={<RowsChoice grouped="By receiver" isEach={useIsFiltered()} leaves={filters.map(({ key }) => key)} />}
      live={10_000}
    />
  );
}
