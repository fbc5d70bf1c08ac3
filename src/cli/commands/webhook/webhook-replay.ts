import { type Command, done, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { redeliverOne } from "#/delivery/webhooks/index.ts";
import { refused } from "#/kernel/result.ts";
import { showClient } from "#/modules/clients/index.ts";

export const webhookReplay: Command = {
  name: "webhook replay",
  summary: "Sends an ended delivery again, with the same webhook-id; running servers send it at once.",
  arguments: [
    {
      name: "DELIVERY_ID",
      meaning: "as `GET /v1/webhookService/webhook/deliveries/{webhookId}` lists it, or `outbound show`",
    },
  ],
  options: [{ name: "client", value: "ID", meaning: "the client", isRequired: true }],
  run: (call) =>
    withPlatform(async (platform) => {
      const clientId = call.given("client");
      const client = await showClient(platform.database, clientId);
      if (!client.ok) return refuse(client.fault);
      const sent = await platform.change(async (tx, change) => {
        const outcome = await redeliverOne(tx, change, clientId, call.argument("DELIVERY_ID"), () => true);
        return outcome.ok ? outcome : refused(outcome.fault.detail);
      });
      if (!sent.ok) return sent;
      const { delivery_id: deliveryId, webhook_id: webhookId, topic_name: topicName, status } = sent.value;
      return done({ deliveryId, webhookId, topicName, status }, [
        `Delivery ${deliveryId} (${topicName}) of webhook ${webhookId} is ${status} again.`,
      ]);
    }),
};
