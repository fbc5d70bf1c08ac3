import type { Database } from "#/db/database.ts";
import { listSubscriptions, updateSubscription } from "#/delivery/webhooks/index.ts";
import { brands } from "#/demo/brands.ts";
import type { HttpServer } from "#/http/server/server.ts";

/** Where the server itself takes what the demo's subscriptions are sent, so that they have somebody who answers. */
export const receiverPath = "/demo/webhook-receiver";

/** A receiver that thanks for whatever comes, and keeps nothing of it. */
export function registerDemoReceiver(app: HttpServer): void {
  app.post(receiverPath, (_request, reply) => reply.send({ received: true }));
}

/** The listener may have another port than at the last start: what is sent to this machine's own receiver follows it. */
export async function aimDemoReceivers(database: Database, listenerUrl: string): Promise<void> {
  for (const { clientId } of brands) {
    const wanted = `${listenerUrl}${receiverPath}`;
    const astray = (await listSubscriptions(database, clientId)).filter(
      ({ url }) => url.endsWith(receiverPath) && url !== wanted,
    );
    if (astray.length === 0) continue;
    await database.transaction(async (tx) => {
      for (const subscription of astray) {
        const version = subscription.version + 1;
        updateSubscription(tx, { ...subscription, url: wanted, version });
      }
    });
  }
}
