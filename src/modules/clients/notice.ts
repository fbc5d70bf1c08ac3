import type { Tx } from "#/db/database.ts";
import * as repository from "#/modules/clients/repository.ts";

/** Notices on this channel say that clients, facilities or credentials have changed: whoever caches them forgets. */
export const changeChannel = "crossdock_config";

/**
 * To be called after the commit, or in the transaction, whose commit sends it. A hint: without it running servers see the
 * change when their caches have expired.
 */
export async function notifyChange(tx: Tx): Promise<void> {
  await repository.notify(tx, changeChannel);
}
