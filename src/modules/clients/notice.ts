import * as repository from "#/modules/clients/repository.ts";
import type { Tx } from "#/store/db/database.ts";

/** Notices on this channel report changes of clients, facilities or credentials: caches drop their entries. */
export const changeChannel = "crossdock_config";

/**
 * Call it after the commit, or in the transaction, whose commit sends the notice. It is a hint: without it running
 * servers see the change when their cache entries expire.
 */
export async function notifyChange(tx: Tx): Promise<void> {
  await repository.notify(tx, changeChannel);
}
