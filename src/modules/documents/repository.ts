import type { ReceiptSort } from "#/http/requests/paging.ts";
import {
  type DocumentContentType,
  type DocumentType,
  documentContentTypes,
  type KeptDocument,
  type Paper,
} from "#/modules/documents/domain.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { setOf } from "#/store/db/row-set.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

type Nullable = Pick<KeptDocument, "olpnId" | "language" | "size" | "sha256">;
type StoredDocument = Omit<KeptDocument, keyof Nullable> & {
  readonly [Field in keyof Nullable]: NonNullable<Nullable[Field]> | null;
};

const columns = sql`d.document_id as "documentId", d.order_id as "orderId", nullif(d.olpn_id, '') as "olpnId", d.type,
  d.content_type as "contentType", nullif(d.language, '') as language, d.created_at as "createdAt", d.size, d.sha256`;

const keptOf = (row: StoredDocument): KeptDocument => ({
  ...row,
  olpnId: row.olpnId ?? undefined,
  language: row.language ?? undefined,
  size: row.size ?? undefined,
  sha256: row.sha256 ?? undefined,
});

export interface DocumentWrite extends Paper {
  /** The id of a new paper; an existing paper keeps its own id. */
  readonly documentId: string;
  /** See `encodePaper`. */
  readonly content: Buffer;
}

/**
 * Inserts or replaces papers, each once. A replaced paper has no digest until it is read. The contents of all papers are
 * one binary parameter, which the server splits: an array would be sent as hexadecimal text.
 *
 * @param documents distinct papers
 * @returns the stored papers, in no order
 */
export async function upsertDocuments(
  tx: ClientTx,
  at: string,
  documents: readonly DocumentWrite[],
): Promise<KeptDocument[]> {
  const kept = await tx.query<StoredDocument>(
    setOf(
      documents.map((document) => ({ ...document, at })),
      upsertOf,
      {
        writes: "order_document",
        keys: { given: paperKeyOf, answered: (row: StoredDocument) => paperKeyOf(keptOf(row)) },
      },
    ),
  );
  return kept.map(keptOf);
}

type TimedDocument = DocumentWrite & { readonly at: string };

const paperKeyOf = ({ orderId, olpnId, type, contentType, language }: Paper) =>
  JSON.stringify([orderId, olpnId ?? "", type, contentType, language ?? ""]);

function upsertOf(documents: readonly TimedDocument[]): Statement {
  const contents = joined(documents.map(({ content }) => content));
  const rows = documents.map((document, i) => ({
    document_id: document.documentId,
    order_id: document.orderId,
    olpn_id: document.olpnId ?? "",
    type: document.type,
    content_type: document.contentType,
    language: document.language ?? "",
    created_at: document.at,
    ...contents.places[i],
  }));
  return sql`insert into order_document as d (client_id, document_id, order_id, olpn_id, type, content_type, language,
      created_at, content)
    select t.client_id, given.document_id, given.order_id, given.olpn_id, given.type, given.content_type, given.language,
      given.created_at, substr(${contents.bytes}::bytea, given.start, given.length)
    from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as given(document_id uuid, order_id text,
      olpn_id text, type text, content_type text, language text, created_at timestamptz, start integer, length integer)
    where t.client_id = ${tenant}
    on conflict (client_id, order_id, olpn_id, type, content_type, language) where order_id > ''
    do update set created_at = case when d.content = excluded.content then d.created_at else excluded.created_at end,
      size = case when d.content = excluded.content then d.size end,
      sha256 = case when d.content = excluded.content then d.sha256 end,
      content = excluded.content
    returning ${columns}`;
}

/** Several byte strings as one, and the place of each for `substr`. */
function joined(parts: readonly Uint8Array[]) {
  let start = 1;
  const places = parts.map(({ byteLength: length }) => {
    const place = { start, length };
    start += length;
    return place;
  });
  return { bytes: Buffer.concat(parts), places };
}

export interface DocumentContent {
  readonly document: KeptDocument;
  readonly content: Buffer;
}

/** The contents of papers. @param documentIds UUIDs */
export async function findContents(tx: ClientTx, documentIds: readonly string[]): Promise<DocumentContent[]> {
  const rows = await tx.query<
    StoredDocument & { readonly content: Buffer }
  >(sql`select ${columns}, d.content from order_document d
      where d.client_id = ${tenant} and document_id = any(${documentIds}::uuid[]) limit ${documentIds.length}`);
  return rows.map(({ content, ...row }) => ({ document: keptOf(row), content }));
}

export interface ParcelPapers {
  readonly orderIds: readonly string[];
  readonly olpnIds: readonly string[];
  readonly types: readonly DocumentType[];
  readonly contentTypes: readonly DocumentContentType[];
}

/** Papers of a parcel that a batch may have; a parcel has one of each type and language. */
const papersOfParcelMax = 10;

/** The contents of the papers of these parcels, in the order of their first print. */
export async function listParcelContents(
  tx: ClientTx,
  { orderIds, olpnIds, types, contentTypes }: ParcelPapers,
): Promise<DocumentContent[]> {
  const rows = await tx.query<
    StoredDocument & { readonly content: Buffer }
  >(sql`select ${columns}, d.content from order_document d
      where d.client_id = ${tenant} and order_id > '' and order_id = any(${orderIds}::text[])
        and olpn_id = any(${olpnIds}::text[]) and type = any(${types}::text[])
        and content_type = any(${contentTypes}::text[])
      order by document_id limit ${olpnIds.length * papersOfParcelMax}`);
  return rows.map(({ content, ...row }) => ({ document: keptOf(row), content }));
}

/** The facts of a printed paper. */
export interface PaperDigest {
  readonly documentId: string;
  /** SHA-256 of the content that was printed. */
  readonly contentSha256: Buffer;
  /** Of the bytes. */
  readonly size: number;
  readonly sha256: Buffer;
}

/** Stores the digests of papers whose content is still the same. */
export async function storeDigests(tx: ClientTx, digests: readonly PaperDigest[]): Promise<void> {
  const rows = digests.map(({ documentId, contentSha256, size, sha256 }) => ({
    document_id: documentId,
    content: contentSha256.toString("hex"),
    size,
    sha256: sha256.toString("hex"),
  }));
  await tx.query(sql`update order_document as d set size = given.size, sha256 = decode(given.sha256, 'hex')
      from json_to_recordset(${JSON.stringify(rows)}::json) as given(document_id uuid, content text, size integer,
        sha256 text)
      where d.client_id = ${tenant} and d.document_id = given.document_id
        and sha256(d.content) = decode(given.content, 'hex')`);
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
  tx: ClientTx,
  { orderId, olpnId, sort, after, limit }: DocumentPageRequest,
): Promise<KeptDocument[]> {
  const ofParcel = olpnId === undefined ? sql`true` : sql`olpn_id = ${olpnId}`;
  const rows = await tx.query<StoredDocument>(
    sort === "receivedAt"
      ? sql`select ${columns} from order_document d
          where d.client_id = ${tenant} and order_id > '' and order_id = ${orderId} and ${ofParcel}
            and ${after === undefined ? sql`true` : sql`document_id > ${after}::uuid`}
          order by document_id limit ${limit}`
      : sql`select ${columns} from order_document d
          where d.client_id = ${tenant} and order_id > '' and order_id = ${orderId} and ${ofParcel}
            and ${after === undefined ? sql`true` : sql`document_id < ${after}::uuid`}
          order by document_id desc limit ${limit}`,
  );
  return rows.map(keptOf);
}

/** The paper with its content. @param documentId a UUID */
export async function findDocument(tx: ClientTx, documentId: string): Promise<DocumentContent | undefined> {
  const [found] = await findContents(tx, [documentId]);
  return found;
}

/** The paper in each stored form, by media type. */
export async function listForms(
  tx: ClientTx,
  { orderId, olpnId, type, language }: Omit<Paper, "contentType">,
): Promise<KeptDocument[]> {
  const rows = await tx.query<StoredDocument>(sql`select ${columns} from order_document d
      where d.client_id = ${tenant} and order_id > '' and order_id = ${orderId} and olpn_id = ${olpnId ?? ""}
        and type = ${type} and language = ${language ?? ""}
      order by content_type limit ${documentContentTypes.length}`);
  return rows.map(keptOf);
}

/** Deletes the papers of parcels that no longer exist. */
export function deleteDocuments(tx: ClientTransaction, orderId: string, olpnIds: readonly string[]): void {
  tx.send(sql`delete from order_document
      where client_id = ${tenant} and order_id > '' and order_id = ${orderId} and olpn_id = any(${olpnIds}::text[])
        and olpn_id > ''`);
}
