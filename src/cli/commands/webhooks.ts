import { table } from "#/cli/columns.ts";
import { type Call, done, type Outcome, type Refusal, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { redeliverOne } from "#/delivery/webhooks/deliveries/delivery-service.ts";
import { readHealth } from "#/delivery/webhooks/subscriptions/subscription-record.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { showClient } from "#/modules/clients/service.ts";
import type { Database } from "#/store/db/database.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

export const webhookList = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const clientId = call.given("client");
    const owner = await checkOwner(database, clientId);
    if (!owner.ok) return owner;
    const webhooks = await readSnapshot(database, async (tx) => {
      const view = tx.of(clientId);
      const listed = await listSubscriptions(view);
      const healthOf = await readHealth(
        view,
        listed.map(({ webhookId }) => webhookId),
      );
      return listed.map(({ webhookId, kind, topicName, additionalTopicNames, facilityCode, url, status }) => ({
        webhookId,
        kind,
        topicName,
        additionalTopicNames,
        facilityCode,
        url,
        status,
        health: healthOf(webhookId),
      }));
    });
    const rows = webhooks.map(({ health, ...webhook }) => [
      webhook.webhookId,
      webhook.kind === "OUTBOUND"
        ? `outbound ${webhook.topicName}`
        : [webhook.topicName, ...webhook.additionalTopicNames].join(", "),
      webhook.facilityCode,
      webhook.status,
      String(health.pending),
      String(health.consecutiveFailures),
      health.lastSuccessAt?.slice(0, 19) ?? "-",
      health.lastFailureAt?.slice(0, 19) ?? "-",
      webhook.url,
    ]);
    const heading = ["WEBHOOK", "TOPIC", "FACILITY", "STATUS", "PENDING", "FAILURES"];
    heading.push("LAST SUCCESS (UTC)", "LAST FAILURE (UTC)", "URL");
    return done(
      { webhooks },
      table(heading, rows, owner.value === "facility" ? "The facility has no webhook." : "The client has no webhook."),
    );
  });

export const webhookReplay = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const clientId = call.given("client");
    const owner = await checkOwner(platform.database, clientId);
    if (!owner.ok) return owner;
    const sent = await platform.change((tx, change) =>
      redeliverOne(tx.of(clientId, change), call.argument("DELIVERY_ID"), () => true),
    );
    if (!sent.ok) return sent;
    const { deliveryId, webhookId, topicName, status } = sent.value;
    return done({ deliveryId, webhookId, topicName, status }, [
      `Delivery ${deliveryId} (${topicName}) of webhook ${webhookId} is ${status} again.`,
    ]);
  });

/** Whose webhooks they are: a client's, which must exist, or a facility's. */
async function checkOwner(database: Database, tenantId: string): Promise<Result<"client" | "facility", Refusal>> {
  if (facilityOfTenant(tenantId) !== undefined) return ok("facility");
  const client = await showClient(database.of(tenantId));
  return client.ok ? ok("client") : refuse(client.fault);
}
