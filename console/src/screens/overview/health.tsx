import { linkTo } from "../../links.ts";
import { counted } from "../../parts/counted.ts";
import { Go } from "../../parts/go.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { duration } from "../../parts/time.tsx";
import { LastDelivered } from "../webhooks/sending-times.tsx";
import { topicsText, useWebhook } from "../webhooks/webhook-data.ts";
import { Counts } from "./counts.tsx";
import styles from "./overview.module.css";
import { type WebhookHealth as Health, useExceptionCounts, useStockHealth, useWebhookHealth } from "./overview-data.ts";
import { linksOf } from "./overview-links.ts";

/** Whether the clients' receivers accept deliveries. */
export function WebhookHealth() {
  const health = useWebhookHealth();
  return (
    <Section title="Webhooks" note={health.data === undefined ? "\u00a0" : successOf(health.data)}>
      <Loaded query={health} what="The health of webhooks" height={255}>
        {(data) => (
          <>
            <Counts
              label="Webhooks by status, and waiting deliveries"
              counts={[
                { label: "Active subscriptions", value: data.active, to: linksOf.webhooks("ACTIVE") },
                { label: "Failing", value: data.failing, to: linksOf.webhooks("FAILING"), tone: "failed" },
                { label: "Paused", value: data.paused, to: linksOf.webhooks("PAUSED") },
                { label: "Disabled", value: data.disabled, to: linksOf.webhooks("DISABLED"), tone: "failed" },
                {
                  label: "Waiting deliveries",
                  value: data.waiting,
                  to: linksOf.waitingDeliveries,
                  note:
                    data.oldestWaitingSeconds === null
                      ? undefined
                      : `oldest ${duration(data.oldestWaitingSeconds * 1000)}`,
                },
                {
                  label: "Clients with a delay",
                  value: data.clientsDelayed,
                  tone: "failed",
                  to: linksOf.webhooksOf(data.mostDelayed?.clientId),
                  note: data.mostDelayed === null ? undefined : <MostDelayed behind={data.mostDelayed} />,
                },
                {
                  label: "Given up in 24 h",
                  value: data.givenUpLastDay,
                  tone: "failed",
                  to: linksOf.givenUp(data.asOf),
                },
              ]}
            />
            <Troubled health={data} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The client whose events have waited longest for their deliveries. */
function MostDelayed({ behind }: { readonly behind: NonNullable<Health["mostDelayed"]> }) {
  const { clientId, seconds } = behind;
  return (
    <>
      <Go to={linkTo("client", clientId, clientId)}>{clientId}</Go> by {duration(seconds * 1000)}
    </>
  );
}

function successOf({ triesLastHour, takenLastHour }: Health): string {
  if (triesLastHour === 0) return "No attempts in the last hour.";
  const share = Math.floor((1000 * takenLastHour) / triesLastHour) / 10;
  return `${share} % of ${triesLastHour.toLocaleString("en-GB")} attempts in the last hour succeeded.`;
}

function Troubled({ health: { troubled } }: { readonly health: Health }) {
  if (troubled.length === 0) return null;
  return (
    <ul className={styles.troubled} aria-label="Subscriptions in trouble">
      {troubled.map(({ clientId, webhookId, host, status, ...topics }) => (
        <li key={webhookId}>
          <StateBadge kind="webhook" state={status} />
          <Go to={linkTo("webhook", clientId, webhookId)}>
            {clientId} {topicsText(topics, 2)}
          </Go>
          <span className={styles.dim}>{host}</span>
          <span className={styles.dim}>
            <LastSuccess clientId={clientId} webhookId={webhookId} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Shares the request with the webhook's page. */
function LastSuccess({ clientId, webhookId }: { readonly clientId: string; readonly webhookId: string }) {
  const { data } = useWebhook(clientId, webhookId, 30_000);
  return data === undefined ? null : <LastDelivered at={data.health.lastSuccessAt} />;
}

/** Stock that needs attention. */
export function StockHealth() {
  const stock = useStockHealth();
  const exceptions = useExceptionCounts();
  const raised = (type: string) => exceptions.data?.types.find((entry) => entry.type === type)?.count ?? 0;
  return (
    <Section title="Stock" note="Products by facility, and lots of good stock.">
      <Loaded query={stock} what="The state of the stock" height={228}>
        {(data) => (
          <Counts
            label="Stock to check"
            counts={[
              {
                label: "Back-ordered products",
                value: data.backorderedSkus,
                tone: "waiting",
                to: linksOf.backordered,
                note:
                  data.backorderedLines > 0 ? counted(data.backorderedLines, "line waits", "lines wait") : undefined,
              },
              { label: "Products on hold", value: data.onHold, to: linksOf.onHold, tone: "waiting" },
              {
                label: "Lots that expire in 30 days",
                value: data.expiring,
                to: linksOf.expiry("EXPIRING"),
                tone: "waiting",
              },
              {
                label: "Expired lots",
                value: data.expired,
                to: linksOf.expiry("EXPIRED"),
                tone: "failed",
                note:
                  data.expiredAllocated > 0 ? (
                    <Go to={linksOf.expiry("EXPIRED_ALLOCATED")}>{data.expiredAllocated} still promised</Go>
                  ) : undefined,
              },
              {
                label: "Short picks to count",
                value: raised("SHORT_PICK"),
                tone: "waiting",
                to: linksOf.exceptionsOf("SHORT_PICK"),
              },
              {
                label: "Failed stock checks",
                value: data.failedChecks,
                tone: "failed",
                to: linksOf.exceptionsOf("STOCK_CHECK"),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
