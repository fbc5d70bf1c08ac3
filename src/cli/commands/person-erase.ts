import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { deleteViewsWith } from "#/console-api/views/repository.ts";
import { systemClock } from "#/kernel/clock.ts";
import { showClient } from "#/modules/clients/service.ts";
import { eraseAtFacilities } from "#/retention/erasure/erase-at-facilities.ts";
import { eraseOrder } from "#/retention/erasure/erase-orders.ts";
import { listPersonTexts } from "#/retention/erasure/subject-repository.ts";

/** Processes at most everything that was sent to a client about an order in three months. */
const statementTimeoutMs = 60_000;

export const personErase = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const clientId = call.given("client");
    const client = await showClient(platform.database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    // Read first: afterwards the order does not have them any more.
    const texts = await listPersonTexts(platform.database.of(clientId), [call.given("order")]);
    const erased = await platform.change((tx, change) => eraseOrder(tx.of(clientId, change), call.given("order")), {
      statementTimeoutMs,
    });
    if (!erased.ok) return erased;
    const { orderId, isRepeat, returns, parcels, feeds, outbound, events } = erased.value;
    await deleteViewsWith(platform.database, texts);
    await eraseAtFacilities(platform.database, clientId, [orderId], systemClock.now());
    return done({ clientId, ...erased.value }, [
      `The personal data of order ${orderId} are erased${isRepeat ? " (again, with the data that arrived since)" : ""}.`,
      `Found: ${feeds} feed document(s), ${returns} return(s), ${parcels} parcel(s), ${outbound} outbound document(s), ${events} event(s) with free text.`,
    ]);
  });
