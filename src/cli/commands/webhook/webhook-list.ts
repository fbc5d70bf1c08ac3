import { table } from "#/cli/columns.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { facilityOfTenant } from "#/db/facility-tenant.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { readHealth } from "#/delivery/webhooks/subscriptions/subscription-record.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { showClient } from "#/modules/clients/service.ts";

export const webhookList = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const clientId = call.given("client");
    const isOfFacility = facilityOfTenant(clientId) !== undefined;
    const client = isOfFacility ? undefined : await showClient(database.of(clientId));
    if (client?.ok === false) return refuse(client.fault);
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
      table(heading, rows, isOfFacility ? "The facility has no webhook." : "The client has no webhook."),
    );
  });
