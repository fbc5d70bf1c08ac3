import { Button } from "@mantine/core";
import type { components } from "#operator";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { deliveredWord } from "../../parts/feed-words.ts";
import { Go } from "../../parts/go.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { useGo } from "../../scope.ts";
import { useMay, useSession } from "../../session.tsx";
import { ownerName } from "./owner.tsx";
import { topicsOf, topicsText, webhookName } from "./webhook-data.ts";
import { WebhookState } from "./webhook-state.tsx";

type Row = components["schemas"]["WebhookHealthRow"];

/** A pushed feed is configured on its client's page. */
const pathOf = ({ kind, clientId, webhookId }: Row) =>
  kind === "OUTBOUND" ? `${linkTo("client", clientId, clientId)}?tab=outbound` : linkTo("webhook", clientId, webhookId);

const topicsIn = ({ kind, topicName, additionalTopicNames }: Row) => ({
  topicName: deliveredWord(kind, topicName),
  additionalTopicNames,
});

const nameOf = (row: Row) => webhookName({ ...topicsIn(row), url: row.url });

const percent = (rate: number | null) =>
  rate === null ? "–" : `${(Math.floor(rate * 1000) / 10).toLocaleString("en-GB")} %`;

const columns: readonly Column<Row>[] = [
  {
    key: "name",
    header: "Webhook",
    width: 236,
    wraps: true,
    cell: (row) => (
      <span title={topicsText(topicsIn(row))}>
        <Go to={pathOf(row)}>{nameOf(row)}</Go>
      </span>
    ),
    text: nameOf,
  },
  { key: "description", header: "Description", width: 156, wraps: true },
  { key: "clientId", kind: "owner", of: ({ clientId }) => ownerName(clientId) },
  {
    key: "topicName",
    header: "Topics",
    width: 160,
    wraps: true,
    isHiddenAtFirst: true,
    of: (row) => topicsText(topicsIn(row)),
    text: (row) => topicsOf(row).join(", "),
  },
  { key: "url", header: "Address", width: 240, wraps: true, isHiddenAtFirst: true },
  { key: "status", states: "webhook" },
  {
    key: "successRate",
    kind: "number",
    header: "Delivered",
    cell: ({ successRate }) => <span title="Of the last 200 deliveries">{percent(successRate)}</span>,
  },
  { key: "pending", kind: "count", header: "Waiting" },
  { key: "oldestPendingAt", kind: "age", header: "Oldest waits" },
  { key: "lastFailureAt", header: "Last failure", none: "never" },
  { key: "webhookId", kind: "token" },
  { key: "lastSuccessAt", header: "Last success", isHiddenAtFirst: true },
  {
    key: "facilityCode",
    isHiddenAtFirst: true,
    cell: ({ facilityCode }) => (facilityCode === "*" ? "all" : facilityCode),
  },
  { key: "createdAt", header: "Created", isHiddenAtFirst: true },
];

const filters: readonly Filter[] = [
  stateFilter(enumerations.WebhookStatus),
  {
    key: "kind",
    label: "Kind",
    kind: "select" as const,
    options: optionsOf({ WEBHOOK: "Webhooks", OUTBOUND: "Pushed outbound feeds" }),
  },
];

/** Webhooks and pushed feeds of all clients, with their delivery status. */
export function Webhooks() {
  return (
    <Screen
      title="Webhooks"
      lead={<WebhookState />}
      actions={
        <>
          <Go to="/webhooks/undelivered">Not delivered</Go>
          <AddWebhook />
        </>
      }
    >
      <DataList
        id="webhooks"
        label="Webhooks"
        columns={columns}
        filters={filters}
        fetchPage={pagesOf("/webhook/list")}
        rowId={({ webhookId }) => webhookId}
        rowTo={pathOf}
        empty={{ why: "No client and no warehouse has a webhook yet.", action: <AddWebhook /> }}
        live={10_000}
      />
    </Screen>
  );
}

function AddWebhook() {
  const go = useGo();
  const isLimited = useSession().facilityCodes !== null;
  if (!useMay("operator", true) || isLimited) return null;
  return (
    <Button size="xs" onClick={() => go("/webhooks/new")}>
      Add webhook
    </Button>
  );
}
