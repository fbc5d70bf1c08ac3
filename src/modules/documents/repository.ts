import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import type { ReceiptSort } from "#/http/requests/paging.ts";
import {
  type DocumentContentType,
  type DocumentType,
  documentContentTypes,
  type KeptDocument,
  type NewDocument,
  type Paper,
} from "#/modules/documents/domain.ts";

interface DocumentRow {
  readonly document_id: string;
  readonly order_id: string;
  readonly olpn_id: string;
  readonly type: DocumentType;
  readonly content_type: DocumentContentType;
  readonly language: string;
  readonly created_at: string;
  readonly size: number;
  readonly sha256: Buffer;
}

const columns = sql`document_id, order_id, olpn_id, type, content_type, language, created_at, size, sha256`;

const keptOf = (row: DocumentRow): KeptDocument => ({
  documentId: row.document_id,
  orderId: row.order_id,
  olpnId: row.olpn_id || undefined,
  type: row.type,
  contentType: row.content_type,
  language: row.language || undefined,
  createdAt: row.created_at,
  size: row.size,
  sha256: row.sha256,
});

export interface DocumentWrite extends NewDocument {
  /** The id of a new paper; an existing paper keeps its own id. */
  readonly documentId: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Inserts or replaces papers, each once. The bytes of all papers are one binary parameter, which the server splits: an
 * array would be sent as hexadecimal text.
 *
 * @param documents distinct papers
 * @returns the stored papers, in no order
 */
export async function upsertDocuments(
  tx: Tx,
  clientId: string,
  at: string,
  documents: readonly DocumentWrite[],
): Promise<KeptDocument[]> {
  let offset = 1;
  const rows = documents.map((document) => {
    const { byteLength } = document.bytes;
    const row = {
      document_id: document.documentId,
      order_id: document.orderId,
      olpn_id: document.olpnId ?? "",
      type: document.type,
      content_type: document.contentType,
      language: document.language ?? "",
      sha256: document.sha256,
      start: offset,
      size: byteLength,
    };
    offset += byteLength;
    return row;
  });
  const bytes = Buffer.concat(documents.map((document) => document.bytes));
  const kept = await tenantQuery<DocumentRow>(
    tx,
    clientId,
    sql`insert into order_document as d (client_id, document_id, order_id, olpn_id, type, content_type, language,
        created_at, size, sha256, bytes)
      select t.client_id, given.document_id, given.order_id, given.olpn_id, given.type, given.content_type, given.language,
        ${at}::timestamptz, given.size, decode(given.sha256, 'hex'), substr(${bytes}::bytea, given.start, given.size)
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as given(document_id uuid, order_id text,
        olpn_id text, type text, content_type text, language text, sha256 text, start integer, size integer)
      where t.client_id = ${tenant}
      on conflict (client_id, order_id, olpn_id, type, content_type, language) where order_id > ''
      do update set created_at = case when d.sha256 = excluded.sha256 then d.created_at else excluded.created_at end,
        size = excluded.size, sha256 = excluded.sha256, bytes = excluded.bytes
      returning d.document_id, d.order_id, d.olpn_id, d.type, d.content_type, d.language, d.created_at, d.size, d.sha256`,
  );
  return kept.map(keptOf);
}

export interface DocumentPageRequest {
  readonly orderId: string;
  /** Papers of this parcel only; undefined: of the order and all its parcels. */
  readonly olpnId?: string | undefined;
  readonly sort: ReceiptSort;
  /** The last document of the previous page: a UUID. */
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * A page of an order's papers in the order of their first print, which their ids contain: a reprinted paper keeps its
 * place.
 */
export async function listDocuments(
  tx: Tx,
  clientId: string,
  { orderId, olpnId, sort, after, limit }: DocumentPageRequest,
): Promise<KeptDocument[]> {
  const ofParcel = olpnId === undefined ? sql`true` : sql`olpn_id = ${olpnId}`;
  const rows = await tenantQuery<DocumentRow>(
    tx,
    clientId,
    sort === "receivedAt"
      ? sql`select ${columns} from order_document
          where client_id = ${tenant} and order_id > '' and order_id = ${orderId} and ${ofParcel}
            and ${after === undefined ? sql`true` : sql`document_id > ${after}::uuid`}
          order by document_id limit ${limit}`
      : sql`select ${columns} from order_document
          where client_id = ${tenant} and order_id > '' and order_id = ${orderId} and ${ofParcel}
            and ${after === undefined ? sql`true` : sql`document_id < ${after}::uuid`}
          order by document_id desc limit ${limit}`,
  );
  return rows.map(keptOf);
}

/** The paper with its bytes. @param documentId a UUID */
export async function findDocument(
  tx: Tx,
  clientId: string,
  documentId: string,
): Promise<{ readonly document: KeptDocument; readonly bytes: Buffer } | undefined> {
  const rows = await tenantQuery<DocumentRow & { readonly bytes: Buffer }>(
    tx,
    clientId,
    sql`select ${columns}, bytes from order_document where client_id = ${tenant} and document_id = ${documentId}::uuid
      limit 1`,
  );
  const [row] = rows;
  return row && { document: keptOf(row), bytes: row.bytes };
}

/** The paper in each stored form, by media type. */
export async function listForms(
  tx: Tx,
  clientId: string,
  { orderId, olpnId, type, language }: Omit<Paper, "contentType">,
): Promise<KeptDocument[]> {
  const rows = await tenantQuery<DocumentRow>(
    tx,
    clientId,
    sql`select ${columns} from order_document
      where client_id = ${tenant} and order_id > '' and order_id = ${orderId} and olpn_id = ${olpnId ?? ""}
        and type = ${type} and language = ${language ?? ""}
      order by content_type limit ${documentContentTypes.length}`,
  );
  return rows.map(keptOf);
}

/** Deletes the papers of parcels that no longer exist. */
export function deleteDocuments(tx: Transaction, clientId: string, orderId: string, olpnIds: readonly string[]): void {
  tenantSend(
    tx,
    clientId,
    sql`delete from order_document
      where client_id = ${tenant} and order_id > '' and order_id = ${orderId} and olpn_id = any(${olpnIds}::text[])
        and olpn_id > ''`,
  );
}
