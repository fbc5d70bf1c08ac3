import type { components } from "#operator";
import { api } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { deliveredWord } from "../../parts/feed-words.ts";
import { Go } from "../../parts/go.tsx";
import { type BulkAction, type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { useSession } from "../../session.tsx";
import { ownerName } from "./owner.tsx";
import { NextAttempt } from "./sending-times.tsx";
import { DeliveryState } from "./webhook-state.tsx";

type Row = components["schemas"]["UndeliveredRow"];

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

/** Undelivered messages of all clients. */
export function Undelivered() {
  const isLimited = useSession().facilityCodes !== null;
  return (
    <Screen title="Not delivered" lead={<DeliveryState />} actions={<Go to="/webhooks">All webhooks</Go>}>
      <DataList
        id="undelivered"
        label="Deliveries that failed, are being retried or were skipped"
        columns={columns}
        filters={filters}
        bulkActions={isLimited ? [] : bulkActions}
        fetchPage={pagesOf("/webhookDelivery/list")}
        rowId={({ deliveryId }) => deliveryId}
        empty={{ why: "All deliveries of the last 90 days succeeded." }}
        live={10_000}
      />
    </Screen>
  );
}
