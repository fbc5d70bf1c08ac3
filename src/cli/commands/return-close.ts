import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { showClient } from "#/modules/clients/service.ts";
import { closeReturn } from "#/modules/returns/reports/end-returns.ts";
import { createOutboxWriter } from "#/outbox/append.ts";

export const returnClose = (call: Call): Promise<Outcome> =>
  withPlatform(async ({ database, ids, change }) => {
    const clientId = call.given("client");
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const rmaNumber = call.argument("RMA_NUMBER");
    const ended = await change(async (tx, by) => {
      const view = tx.of(clientId, by);
      const result = await closeReturn(view, { rmaNumber, reason: call.option("reason") });
      if (!result.ok) return result;
      createOutboxWriter(ids).append(view, by.at, result.value);
      return result;
    });
    if (!ended.ok) return ended;
    return done({ clientId, rmaNumber, status: "CLOSED" }, [
      `Return ${rmaNumber} of ${clientId} is CLOSED; nothing more is expected.`,
    ]);
  });
