import { Fragment, useMemo, useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { operations } from "#operator";
import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { useTimezone } from "../../directory.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { Facts } from "../../parts/page/facts.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import styles from "../clients/clients.module.css";
import { AttemptRates } from "./attempt-rates.tsx";
import { ExchangeBox } from "./exchange-box.tsx";
import { ownerFact, ownerName } from "./owner.tsx";
import { LastDelivered, NextAttempt } from "./sending-times.tsx";
import type { TestOutcome } from "./test-call.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { topicsOf, useWebhook, type Webhook, webhookName } from "./webhook-data.ts";

type DeliveryQuery = NonNullable<operations["clientListDeliveries"]["parameters"]["query"]>;
type Delivery = AnswerOf<"/client/webhook/deliveries/{webhookId}">["items"][number];

/** A webhook: its target, its delivery status, and all its deliveries. */
export function WebhookPage() {
  const { clientId = "", webhookId = "" } = useParams();
  const webhook = useWebhook(clientId, webhookId, 10_000);
  return (
    <Loaded query={webhook} what="The webhook" height={480}>
      {(loaded) => <Whole webhook={loaded} />}
    </Loaded>
  );
}

function Whole({ webhook }: { readonly webhook: Webhook }) {
  const { clientId, webhookId, facilityCode, url, status, health, customHeaders } = webhook;
  const topics = topicsOf(webhook);
  const [test, setTest] = useState<TestOutcome>();
  const [secret, setSecret] = useState<string>();
  const timezone = useTimezone(facilityCode);
  const navigate = useNavigate();
  return (
    <DetailPage
      what="Webhook"
      id={webhookId}
      name={webhookName(webhook)}
      clientId={ownerName(clientId)}
      back={{ to: "/webhooks", label: "Webhooks" }}
      state={<StateBadge kind="webhook" state={status} />}
      age={
        status === "ACTIVE" ? (
          <Age since={webhook.createdAt} />
        ) : (
          <LastDelivered at={health.lastSuccessAt} timezone={timezone} />
        )
      }
      actions={
        <WebhookActions
          webhook={webhook}
          onTest={setTest}
          onSecret={setSecret}
          onDeleted={() => navigate("/webhooks")}
        />
      }
      notice={
        test === undefined && secret === undefined ? undefined : (
          <>
            {secret === undefined ? null : (
              <Section title="New signing secret">
                <p className={styles.once}>
                  Shown only now. The previous secret also signs for 24 hours. The client must switch within that time.
                </p>
                <pre className={styles.block}>{secret}</pre>
                <div className={styles.buttons}>
                  <CopyText text={secret} verb="Copy" />
                </div>
              </Section>
            )}
            {test === undefined ? null : (
              <ExchangeBox
                exchange={test.exchange}
                title={test.isDelivered ? "Test call delivered" : "Test call not delivered"}
                timezone={timezone}
              />
            )}
          </>
        )
      }
      facts={[
        { name: "Description", value: webhook.description },
        ownerFact(clientId),
        { name: topics.length === 1 ? "Topic" : "Topics", value: <TopicNames names={topics} /> },
        { name: "Facility", value: facilityCode === "*" ? "all" : facilityCode },
        { name: "Address", value: url },
        { name: "Alerts go to", value: webhook.emailList.join(", ") || "no address" },
        { name: "Signatures", value: webhook.httpSignature === true ? "secret and published key" : "secret" },
        { name: "Headers", value: Object.keys(customHeaders).join(", ") },
        { name: "Changed", value: <Time at={webhook.updatedAt} timezone={timezone} /> },
      ]}
      timeline={
        <Facts
          title="Health"
          facts={[
            { name: "Waiting", value: String(health.pending) },
            { name: "Failed attempts since the last success", value: String(health.consecutiveFailures) },
            { name: "Last delivered", value: <Time at={health.lastSuccessAt} timezone={timezone} /> },
            { name: "Last failed", value: <Time at={health.lastFailureAt} timezone={timezone} /> },
            { name: "Status", value: meaningOf[status] },
          ]}
        />
      }
      tabs={[
        {
          key: "deliveries",
          label: "Deliveries",
          content: <Deliveries webhook={webhook} timezone={timezone} />,
        },
        { key: "rates", label: "Success and latency", content: <AttemptRates webhook={webhook} /> },
      ]}
    />
  );
}

function TopicNames({ names }: { readonly names: readonly string[] }) {
  if (names.includes("*")) return "everything";
  return names.map((name, i) => (
    <Fragment key={name}>
      {i === 0 ? null : ", "}
      <code>{name}</code>
    </Fragment>
  ));
}

const meaningOf: Readonly<Record<Webhook["status"], string>> = {
  ACTIVE: "Events are sent at once.",
  FAILING:
    "Three attempts in a row failed. Only probes are sent until one succeeds; then waiting deliveries are sent in order.",
  PAUSED:
    "Nothing is sent. Held deliveries are sent when it is resumed. Events of the pause are skipped; Recover sends them.",
  DISABLED: "Eight days of failures, or the receiver answered 410. Resume it when the receiver works again.",
};

const filters: readonly Filter[] = [
  stateFilter(enumerations.DeliveryStatus),
  { key: "objectId", label: "About", kind: "text", placeholder: "Order, parcel …" },
];

const nameOf = ({ topicName, objectId }: Delivery) => `${topicName} for ${objectId}`;

const noScope: readonly never[] = [];

interface DeliveriesProps {
  readonly webhook: Webhook;
  readonly timezone: string;
}

function Deliveries({ webhook: { clientId, webhookId, status: webhookStatus }, timezone }: DeliveriesProps) {
  const isFailing = webhookStatus === "FAILING";
  const fixed = useMemo(() => ({ clientId, of: webhookId }), [clientId, webhookId]);
  const pathOf = ({ deliveryId }: Delivery) => linkTo("delivery", clientId, deliveryId);
  const columns: readonly Column<Delivery>[] = [
    { key: "name", header: "Delivery", width: 280, wraps: true, of: nameOf, to: pathOf },
    { key: "topicName", header: "Topic", width: 200, isHiddenAtFirst: true },
    { key: "objectId", header: "About", isHiddenAtFirst: true },
    { key: "status", states: "delivery" },
    { key: "tries" },
    { key: "lastError", header: "Last error", width: 230, wraps: true },
    {
      key: "nextTryAt",
      header: "Next attempt",
      cell: ({ nextTryAt, status }) =>
        isFailing && status === "PENDING" ? "after a probe" : <NextAttempt at={nextTryAt} timezone={timezone} />,
    },
    {
      key: "createdAt",
      header: "Created",
      sort: "receivedAt",
      cell: ({ createdAt }) => <Time at={createdAt} timezone={timezone} />,
    },
    { key: "deliveryId", kind: "token" },
  ];
  return (
    <DataList
      id="webhook-deliveries"
      label="Deliveries"
      columns={columns}
      filters={filters}
      scope={noScope}
      fixed={fixed}
      sort="-receivedAt"
      fetchPage={({ of: _, ...query }: DeliveryQuery & { readonly of: string }, signal) =>
        api.GET("/client/webhook/deliveries/{webhookId}", {
          params: { path: { webhookId }, query },
          signal,
        })
      }
      height={480}
      empty={{ why: "No event of its topics has occurred since it was created." }}
      live={10_000}
    />
  );
}
