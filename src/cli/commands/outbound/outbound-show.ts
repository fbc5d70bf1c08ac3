import { type Command, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { shownWaysReport } from "#/cli/outbound-report.ts";
import { readOneState } from "#/db/store/one-state.ts";
import { showWays } from "#/delivery/outbound/index.ts";
import { listUndelivered } from "#/delivery/webhooks/index.ts";
import { ok } from "#/kernel/result.ts";
import { showClient } from "#/modules/clients/index.ts";

/** For each push. */
const undeliveredMax = 1_000;

export const outboundShow: Command = {
  name: "outbound show",
  summary:
    "Shows the delivery methods of a client's outbound feeds, the state of its pushes, and the undelivered documents.",
  arguments: [{ name: "ID", meaning: "the client" }],
  options: [],
  notes: [
    "Undelivered are the newest documents of each push that failed, are being retried, or were created while the push was disabled: 20 of them, with `--json` 1 000. `webhook replay` sends one again.",
  ],
  run: (call) =>
    withPlatform(async ({ database }) => {
      const clientId = call.argument("ID");
      const client = await showClient(database, clientId);
      if (!client.ok) return refuse(client.fault);
      const shown = await database.transaction(async (tx) => {
        const [, feeds] = await Promise.all([readOneState(tx), showWays(tx, clientId)]);
        const all = [];
        for (const feed of feeds) {
          const { push } = feed;
          const undelivered = push ? await listUndelivered(tx, clientId, push.webhookId, undeliveredMax) : [];
          all.push({ ...feed, undelivered });
        }
        return all;
      });
      return ok(shownWaysReport(clientId, shown));
    }),
};
