import { listPayloads } from "#/delivery/outbound/repository.ts";
import type { MessageSource } from "#/delivery/webhooks/index.ts";

/** Outbound documents as they are pushed: the same bytes as over HTTP, under their messageId. */
export const readDocuments: MessageSource = async (tx, messageIds) => {
  if (messageIds.length === 0) return new Map();
  const rows = await listPayloads(tx, messageIds);
  return new Map(rows.map(({ message_id: id, payload: body }) => [id, { id, body }]));
};
