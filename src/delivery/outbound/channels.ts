import type { DocumentVersions } from "#/delivery/outbound/documents/envelope.ts";
import {
  findDocument,
  insertDocuments,
  listPayloads,
  type NewOutboundDocument,
  putBack,
  takePositions,
} from "#/delivery/outbound/repository.ts";
import { addDeliveries, listPushes, type MessageSource, type WantedDelivery } from "#/delivery/webhooks/index.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { type Ids, isUuidV7 } from "#/kernel/values/ids.ts";
import { resolveSettings, type StoredSettings } from "#/modules/clients/index.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

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
      isHttp: channel?.isHttp ?? true,
      isSftp: channel?.isSftp ?? false,
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

const typesMax = 100;

/**
 * Locks the client's list of outbound documents until the transaction ends, as a transaction that stores a document
 * does. No document is therefore stored by outdated channels. Returns whether the client exists.
 */
export async function lockList(tx: ClientTransaction): Promise<boolean> {
  const rows = await tx.query(
    sql`select outbound_position from outbox_lane where client_id = ${tenant} limit 1 for no key update`,
  );
  return rows.length === 1;
}

/** The setting of a type; a push is a subscription. */
interface ChannelSetting extends Pick<Channels, "isHttp" | "isSftp"> {
  readonly type: OutboundType;
}

/** The channels of those types that have a setting, in no order. */
export function listChannels(tx: ClientTx): Promise<ChannelSetting[]> {
  return tx.query(
    sql`select type, is_http as "isHttp", is_sftp as "isSftp" from outbound_channel
      where client_id = ${tenant} limit ${typesMax}`,
  );
}

/** The versions that the client's settings choose. */
export async function findDocumentVersions(tx: ClientTx): Promise<DocumentVersions> {
  const [row] = await tx.plain.query<{ settings: StoredSettings }>(
    sql`select c.settings from client c where c.client_id = ${tx.clientId} limit 1`,
  );
  const { goodsReceiptVersion, orderStatusVersion, returnStatusVersion } = resolveSettings(row?.settings ?? {});
  return { GR: goodsReceiptVersion, OS: orderStatusVersion, RS: returnStatusVersion };
}

export async function putChannel(tx: ClientTransaction, at: string, channel: ChannelSetting): Promise<void> {
  await tx.query(sql`insert into outbound_channel as w (client_id, type, is_http, is_sftp, updated_at)
      values (${tenant}, ${channel.type}, ${channel.isHttp}, ${channel.isSftp}, ${at}::timestamptz)
      on conflict (client_id, type) do update set is_http = excluded.is_http, is_sftp = excluded.is_sftp,
        updated_at = excluded.updated_at
      returning type`);
}

/** Outbound documents as they are pushed: the same bytes as over HTTP, under their messageId. */
export const readDocuments: MessageSource = async (tx, messageIds) => {
  if (messageIds.length === 0) return new Map();
  const rows = await listPayloads(tx, messageIds);
  return new Map(rows.map(({ message_id: id, payload: body }) => [id, { id, body }]));
};

/**
 * Resends a document in each channel that its type has now (outbound.md, Delivery): it waits again to be fetched and to
 * be taken, and is pushed again. Returns false where the client has no such document.
 */
export async function resendDocument(tx: ClientTransaction, ids: Ids, at: string, messageId: string): Promise<boolean> {
  if (!isUuidV7(messageId)) return false;
  const [position, channels, found] = await Promise.all([
    takePositions(tx, 1),
    readChannels(tx),
    findDocument(tx, messageId),
  ]);
  if (!found) return false;
  const { type, object_id: objectId } = found;
  const listPosition = position + 1;
  putBack(tx, messageId, listPosition, channels(type));
  await pushDocuments(tx, ids, at, channels, [{ messageId, type, objectId, listPosition }]);
  return true;
}
