import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import type { DocumentVersions } from "#/delivery/outbound/documents/envelope.ts";
import type { OutboundType } from "#/kernel/feed-types.ts";
import { resolveSettings, type StoredSettings } from "#/modules/clients/index.ts";

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

export interface ChannelRow {
  readonly type: OutboundType;
  readonly is_http: boolean;
  readonly is_sftp: boolean;
}

/** The channels of those types that have a setting, in no order. */
export function listChannels(tx: ClientTx): Promise<ChannelRow[]> {
  return tx.query(
    sql`select type, is_http, is_sftp from outbound_channel where client_id = ${tenant} limit ${typesMax}`,
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

export async function putChannel(tx: ClientTransaction, at: string, channel: ChannelRow): Promise<void> {
  await tx.query(sql`insert into outbound_channel as w (client_id, type, is_http, is_sftp, updated_at)
      values (${tenant}, ${channel.type}, ${channel.is_http}, ${channel.is_sftp}, ${at}::timestamptz)
      on conflict (client_id, type) do update set is_http = excluded.is_http, is_sftp = excluded.is_sftp,
        updated_at = excluded.updated_at
      returning type`);
}
