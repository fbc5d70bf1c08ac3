import type { ClientTransaction } from "#/db/database.ts";
import { pushDocuments, readChannels } from "#/delivery/outbound/channels.ts";
import * as repository from "#/delivery/outbound/repository.ts";
import { type Ids, isUuidV7 } from "#/kernel/values/ids.ts";

/**
 * Resends a document in each channel that its type has now (outbound.md, Delivery): it waits again to be fetched and to
 * be taken, and is pushed again. Returns false where the client has no such document.
 */
export async function resendDocument(tx: ClientTransaction, ids: Ids, at: string, messageId: string): Promise<boolean> {
  if (!isUuidV7(messageId)) return false;
  const [position, channels, found] = await Promise.all([
    repository.takePositions(tx, 1),
    readChannels(tx),
    repository.findDocument(tx, messageId),
  ]);
  if (!found) return false;
  const { type, object_id: objectId } = found;
  const listPosition = position + 1;
  repository.putBack(tx, messageId, listPosition, channels(type));
  await pushDocuments(tx, ids, at, channels, [{ messageId, type, objectId, listPosition }]);
  return true;
}
