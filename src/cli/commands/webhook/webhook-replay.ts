import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { facilityOfTenant } from "#/db/facility-tenant.ts";
import { redeliverOne } from "#/delivery/webhooks/deliveries/delivery-service.ts";
import { showClient } from "#/modules/clients/service.ts";

export const webhookReplay = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const clientId = call.given("client");
    const isOfFacility = facilityOfTenant(clientId) !== undefined;
    const client = isOfFacility ? undefined : await showClient(platform.database.of(clientId));
    if (client?.ok === false) return refuse(client.fault);
    const sent = await platform.change((tx, change) =>
      redeliverOne(tx.of(clientId, change), call.argument("DELIVERY_ID"), () => true),
    );
    if (!sent.ok) return sent;
    const { deliveryId, webhookId, topicName, status } = sent.value;
    return done({ deliveryId, webhookId, topicName, status }, [
      `Delivery ${deliveryId} (${topicName}) of webhook ${webhookId} is ${status} again.`,
    ]);
  });
