import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { deliveredWord } from "../../parts/feed-words.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { type BulkAction, type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useSession } from "../../session.tsx";
import { ownerName } from "./owner.tsx";
import { NextAttempt } from "./sending-times.tsx";
import { DeliveryState } from "./webhook-state.tsx";

type Row = components["schemas"]["UndeliveredRow"];
type Query = NonNullable<operations["listUndelivered"]["parameters"]["query"]>;

/** A pushed feed delivers a document. */
const pathOf = ({ kind, clientId, deliveryId, eventId }: Row) =>
  kind === "OUTBOUND" ? linkTo("outbound", clientId, eventId) : linkTo("delivery", clientId, deliveryId);

const nameOf = ({ kind, topicName, objectId }: Row) => `${deliveredWord(kind, topicName)} for ${objectId}`;

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    header: "Delivery",
    width: 264,
    wraps: true,
    cell: (row) => <Go to={pathOf(row)}>{nameOf(row)}</Go>,
    text: nameOf,
  },
  {
    key: "clientId",
    header: "Owner",
    width: 80,
    cell: ({ clientId }) => ownerName(clientId),
    text: ({ clientId }) => ownerName(clientId),
  },
  {
    key: "topicName",
    header: "Topic or feed",
    width: 190,
    isHiddenAtFirst: true,
    cell: ({ kind, topicName }) => deliveredWord(kind, topicName),
    text: ({ topicName }) => topicName,
  },
  { key: "objectId", header: "About", width: 130, isHiddenAtFirst: true, cell: ({ objectId }) => objectId },
  { key: "status", header: "State", width: 112, cell: ({ status }) => <StateBadge kind="delivery" state={status} /> },
  { key: "tries", header: "Attempts", width: 94, align: "right", cell: ({ tries: attempts }) => attempts },
  { key: "lastError", header: "Why", width: 186, wraps: true, cell: ({ lastError }) => lastError ?? "–" },
  { key: "nextTryAt", header: "Next attempt", width: 118, cell: ({ nextTryAt }) => <NextAttempt at={nextTryAt} /> },
  { key: "createdAt", header: "Created", width: 112, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: "deliveryId",
    header: "Id",
    width: 116,
    cell: ({ deliveryId }) => <Id text={deliveryId} length={9} isSmall />,
  },
  {
    key: "url",
    header: "Address",
    width: 260,
    wraps: true,
    isHiddenAtFirst: true,
    cell: ({ url }) => url ?? "deleted",
  },
];

const filters: readonly Filter[] = [
  {
    key: "status",
    label: "State",
    kind: "select" as const,
    options: enumerations.UndeliveredFilter.map((value) => ({ value, label: wordOf(value) })),
  },
  { key: "endedSince", label: "Ended since", isSetByLink: true },
  {
    key: "kind",
    label: "Kind",
    kind: "select" as const,
    options: [
      { value: "WEBHOOK", label: "Webhooks" },
      { value: "OUTBOUND", label: "Pushed outbound feeds" },
    ],
  },
  { key: "objectId", label: "About", kind: "text", placeholder: "Order, parcel …" },
];

const replay = ({ kind, clientId, deliveryId, eventId }: Row) =>
  kind === "OUTBOUND"
    ? unwrap(
        api.POST("/outbound/resend/{documentId}", { params: { path: { documentId: eventId }, query: { clientId } } }),
      )
    : unwrap(
        api.POST("/client/webhook/redeliver/{deliveryId}", { params: { path: { deliveryId }, query: { clientId } } }),
      );

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
        fetchPage={(query: Query, signal) => unwrap(api.GET("/webhookDelivery/list", { params: { query }, signal }))}
        rowId={({ deliveryId }) => deliveryId}
        rowTo={pathOf}
        empty={{ why: "All deliveries of the last 90 days succeeded." }}
        live={10_000}
      />
    </Screen>
  );
}
