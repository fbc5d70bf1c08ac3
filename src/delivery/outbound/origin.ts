import type { ClientTx } from "#/db/database.ts";
import { listOfToken } from "#/delivery/outbound/repository.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";

const documentsMax = 100;

/**
 * The outbound documents that report the outcome of an inbound one, by its token (feeds.md §1, Follow-up), oldest
 * first.
 */
export async function findOutbound(
  tx: ClientTx,
  token: string,
): Promise<readonly { readonly messageId: string; readonly type: OutboundType }[]> {
  const rows = await listOfToken(tx, token, documentsMax);
  const documents = rows.map(({ message_id, type }) => ({ messageId: message_id, type }));
  return documents.sort((left, right) => (left.messageId < right.messageId ? -1 : 1));
}
