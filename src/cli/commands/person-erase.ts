import { eraseAtFacilities } from "#/app/retention/erasure/erase-at-facilities.ts";
import { checkErasable, eraseOrder } from "#/app/retention/erasure/erase-orders.ts";
import { listPersonTexts } from "#/app/retention/erasure/subject-repository.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { deleteViewsWith } from "#/console-api/views/repository.ts";
import { systemClock } from "#/kernel/clock.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { showClient } from "#/modules/clients/service.ts";

/** Processes at most everything that was sent to a client about an order in three months. */
const statementTimeoutMs = minuteMs;

export const personErase = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const clientId = call.given("client");
    const { database } = platform;
    const view = database.of(clientId);
    const client = await showClient(view);
    if (!client.ok) return refuse(client.fault);
    const orderId = call.given("order");
    const checked = await database.transaction((tx) => checkErasable(tx.of(clientId), orderId));
    if (!checked.ok) return refuse(checked.fault);
    // Before the order: afterwards it does not have these texts any more, and a repeat could not find the views.
    const views = await deleteViewsWith(database, await listPersonTexts(view, [orderId]));
    const erased = await platform.change((tx, change) => eraseOrder(tx.of(clientId, change), orderId), {
      statementTimeoutMs,
    });
    if (!erased.ok) return erased;
    const { isRepeat, returns, parcels, feeds, outbound, events } = erased.value;
    await eraseAtFacilities(database, clientId, [orderId], systemClock.now());
    return done({ clientId, ...erased.value, views }, [
      `The personal data of order ${orderId} are erased${isRepeat ? " (again, with the data that arrived since)" : ""}.`,
      `Found: ${feeds} feed document(s), ${returns} return(s), ${parcels} parcel(s), ${outbound} outbound document(s), ${events} event(s) with free text, ${views} saved view(s).`,
    ]);
  });
