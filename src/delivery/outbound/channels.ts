import type { ClientTransaction } from "#/db/database.ts";
import { listChannels } from "#/delivery/outbound/channel-repository.ts";
import { insertDocuments, type NewOutboundDocument } from "#/delivery/outbound/repository.ts";
import { addDeliveries, listPushes, type WantedDelivery } from "#/delivery/webhooks/index.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import type { Ids } from "#/kernel/values/ids.ts";

/** The channels in which documents of one type reach a client (outbound.md, Delivery): at least one of these. */
export interface Channels {
  readonly isHttp: boolean;
  readonly isSftp: boolean;
  readonly push: { readonly webhookId: string } | undefined;
}

export type ChannelsOfClient = (type: OutboundType) => Channels;

/**
 * The channels of a client, unchanged until the transaction ends: call it after `takePositions` or `lockList`, because
 * a transaction that changes the channels waits for the same lock.
 */
export async function readChannels(tx: ClientTransaction): Promise<ChannelsOfClient> {
  const [channels, pushes] = await Promise.all([listChannels(tx), listPushes(tx)]);
  const channelOf = new Map(channels.map((channel) => [channel.type, channel]));
  const pushOf = new Map(pushes.map((push) => [push.topicName, push]));
  return (type) => {
    const channel = channelOf.get(type);
    const push = pushOf.get(type);
    return {
      isHttp: channel?.is_http ?? true,
      isSftp: channel?.is_sftp ?? false,
      push: push && { webhookId: push.webhookId },
    };
  };
}

/** The fields of a document that its push needs: its bytes are read again when it is sent. */
export interface PushedDocument {
  readonly messageId: string;
  readonly type: OutboundType;
  readonly objectId: string;
  readonly listPosition: number;
}

/** Stores documents, the first at the place after `position`, marked with their channels. */
export function storeDocuments(
  tx: ClientTransaction,
  at: string,
  position: number,
  channels: ChannelsOfClient,
  documents: readonly NewOutboundDocument[],
): PushedDocument[] {
  const marked = documents.map((document) => ({ ...document, channels: channels(document.type) }));
  insertDocuments(tx, at, position, marked);
  // Keeps only the types until the commit, not the documents' bytes.
  const types = documents.map(({ type }) => type);
  tx.afterCommit(() => {
    for (const type of types) metrics.outboundDocuments.inc({ type });
  });
  return documents.flatMap(({ messageId, type, objectId }, i) =>
    channels(type).push ? { messageId, type, objectId, listPosition: position + i + 1 } : [],
  );
}

/**
 * Creates a delivery of each document whose type is pushed, in the order of the list. A transaction calls it last: it
 * locks what the dispatcher locks, objects and lanes (decision 0017).
 *
 * @returns the number of deliveries.
 */
export async function pushDocuments(
  tx: ClientTransaction,
  ids: Ids,
  at: string,
  channels: ChannelsOfClient,
  documents: readonly PushedDocument[],
): Promise<number> {
  const wanted = documents.flatMap(({ messageId, type, objectId, listPosition }): WantedDelivery[] => {
    const { push } = channels(type);
    if (!push) return [];
    const subject = { topicName: type, objectType: type, objectId };
    return [{ ...push, ...subject, eventId: messageId, position: listPosition }];
  });
  await addDeliveries(tx, ids, at, wanted);
  return wanted.length;
}
