import { type Call, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { shownWaysReport } from "#/cli/outbound-report.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { showChannels } from "#/delivery/outbound/channel-service.ts";
import { listUndelivered } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { ok } from "#/kernel/result.ts";
import { showClient } from "#/modules/clients/service.ts";

/** For each push. */
const undeliveredMax = 1_000;

export const outboundShow = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const clientId = call.argument("ID");
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const shown = await readSnapshot(database, async (tx) => {
      const view = tx.of(clientId);
      const feeds = await showChannels(view);
      const all = [];
      for (const feed of feeds) {
        const { push } = feed;
        const undelivered = push ? await listUndelivered(view, push.webhookId, undeliveredMax) : [];
        all.push({ ...feed, undelivered });
      }
      return all;
    });
    return ok(shownWaysReport(clientId, shown));
  });
