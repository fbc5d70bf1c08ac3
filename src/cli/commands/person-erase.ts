import { type Command, done, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { showClient } from "#/modules/clients/index.ts";
import { eraseOrder } from "#/retention/erasure/erase-orders.ts";

/** Processes at most everything that was sent to a client about an order in three months. */
const statementTimeoutMs = 60_000;

export const personErase: Command = {
  name: "person erase",
  summary: "Erases the personal data of an order that has ended, wherever they are stored.",
  arguments: [],
  options: [
    { name: "client", value: "ID", meaning: "the client", isRequired: true },
    { name: "order", value: "ID", meaning: "the order", isRequired: true },
  ],
  notes: [
    "Names, addresses, free text, papers and feed documents of the order and its returns are erased; numbers, amounts, quantities, states and stock stay. Refused while the order, a return or a document of it is open. Cannot be undone.",
    "Crossdock does this automatically `personalDataDays` after the end of an order. A second run erases data that arrived since. docs/keys-and-data.md lists what is erased and what is not.",
  ],
  run: (call) =>
    withPlatform(async (platform) => {
      const clientId = call.given("client");
      const client = await showClient(platform.database, clientId);
      if (!client.ok) return refuse(client.fault);
      const erased = await platform.change((tx, change) => eraseOrder(tx, change, clientId, call.given("order")), {
        statementTimeoutMs,
      });
      if (!erased.ok) return erased;
      const { orderId, isRepeat, returns, parcels, feeds, outbound, events } = erased.value;
      return done({ clientId, ...erased.value }, [
        `The personal data of order ${orderId} are erased${isRepeat ? " (again, with the data that arrived since)" : ""}.`,
        `Found: ${feeds} feed document(s), ${returns} return(s), ${parcels} parcel(s), ${outbound} outbound document(s), ${events} event(s) with free text.`,
      ]);
    }),
};
