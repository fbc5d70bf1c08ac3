import type { Database } from "#/db/database.ts";
import { listSubscriptions, updateSubscription } from "#/delivery/webhooks/index.ts";
import { brands } from "#/demo/brands.ts";
import type { HttpServer } from "#/http/server/server.ts";

/** Path of the built-in receiver, which answers the deliveries of the demo's subscriptions. */
export const receiverPath = "/demo/webhook-receiver";

/** A receiver that accepts every request and stores nothing. */
export function registerDemoReceiver(app: HttpServer): void {
  app.post(receiverPath, (_request, reply) => reply.send({ received: true }));
}

/** The listener's port may differ from the last start, so subscriptions to the built-in receiver are updated. */
export async function aimDemoReceivers(database: Database, listenerUrl: string): Promise<void> {
  for (const { clientId } of brands) {
    const wanted = `${listenerUrl}${receiverPath}`;
    const astray = (await listSubscriptions(database.of(clientId))).filter(
      ({ url }) => url.endsWith(receiverPath) && url !== wanted,
    );
    if (astray.length === 0) continue;
    await database.transaction(async (tx) => {
      for (const subscription of astray) {
        const version = subscription.version + 1;
        updateSubscription(tx.of(clientId), { ...subscription, url: wanted, version });
      }
    });
  }
}
