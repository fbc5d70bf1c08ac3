import { passLeftOut } from "#/delivery/webhooks/index.ts";
import { leaveOutPositions } from "#/modules/inventory/index.ts";
import { leaveOutOfFeeds } from "#/modules/warehouse/index.ts";
import type { Database } from "#/store/db/database.ts";
import { leaveOut } from "#/store/outbox/repository.ts";

/** Skips numbers for a client, as after a restore (CROSSDOCK_RESTORED). */
export async function runRestored(database: Database, clientId: string): Promise<void> {
  await leaveOutOfFeeds(database, 10);
  await database.transaction(async (tx) => {
    await leaveOut(tx.of(clientId), { positions: 10, sequences: 10 });
    passLeftOut(tx.of(clientId), 10);
    await leaveOutPositions(tx.of(clientId), 10);
  });
}
