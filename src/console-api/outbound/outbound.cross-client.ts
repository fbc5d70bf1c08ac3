import type { IdRange } from "#/console-api/id-order.ts";
import {
  type Mail,
  mail,
  type StoredDocument,
  sourcesOfDocument,
  sourcesOfMail,
  storedDocument,
} from "#/console-api/outbound/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

export interface DocumentPageRequest extends IdRange {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
  readonly type: string | undefined;
  readonly objectId: string | undefined;
  /** Only documents that wait to be fetched or acknowledged. */
  readonly isWaiting: boolean;
  readonly limit: number;
}

type DocumentSource = Pick<DocumentPageRequest, "clientIds" | "objectId" | "isWaiting">;

/** Documents that an index finds: those about one object, those that wait, those of one client, or all. */
function documentsOf({ clientIds, objectId, isWaiting }: DocumentSource): Statement {
  if (objectId !== undefined) return sql`d.object_id > '' and d.object_id = ${objectId}`;
  if (isWaiting) return sql`((d.is_http and d.acknowledged_at is null) or (d.is_sftp and d.collected_at is null))`;
  return clientIds?.length === 1 ? sql`d.client_id = ${clientIds[0]}` : sql`d.created_at > '-infinity'`;
}

const documentOrder = (isNewestFirst: boolean) => (isNewestFirst ? sql`d.message_id desc` : sql`d.message_id`);
const mailOrder = (isNewestFirst: boolean) => (isNewestFirst ? sql`m.mail_id desc` : sql`m.mail_id`);

const documentColumns = columnsOf(storedDocument, "d", sourcesOfDocument);

/** Outbound documents by time. */
export function listDocumentsOfAll(tx: Tx, page: DocumentPageRequest): Promise<StoredDocument[]> {
  const { clientIds, facilityCodes, type, objectId, isWaiting, before, from, isNewestFirst, limit } = page;
  const conditions = allOf([
    clientIds === null || (clientIds.length === 1 && objectId === undefined && !isWaiting)
      ? undefined
      : sql`d.client_id = any(${clientIds}::text[])`,
    facilityCodes === null ? undefined : sql`d.facility_code = any(${facilityCodes}::text[])`,
    type === undefined ? undefined : sql`d.type = ${type}`,
    isWaiting && objectId !== undefined ? documentsOf({ clientIds, objectId: undefined, isWaiting }) : undefined,
  ]);
  return tx.query(
    sql`select ${documentColumns}
      from outbound_document d where ${documentsOf(page)} and d.message_id >= ${from}::uuid and d.message_id < ${before}::uuid
        and ${conditions}
      order by ${documentOrder(isNewestFirst)} limit ${limit}`,
  );
}

/** The last of the first `looked` documents of the range that an index finds; undefined where there are fewer. */
export async function findReachOfDocuments(
  tx: Tx,
  page: DocumentSource & IdRange,
  looked: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ message_id: string }>(
    sql`select d.message_id from outbound_document d
      where ${documentsOf(page)} and d.message_id >= ${page.from}::uuid and d.message_id < ${page.before}::uuid
      order by ${documentOrder(page.isNewestFirst)} limit 1 offset ${looked - 1}`,
  );
  return rows[0]?.message_id;
}

const clientsMax = 10_000;

interface WaitingClient {
  readonly clientId: string;
  readonly http: number;
  readonly sftp: number;
  readonly oldestId: string;
}

/**
 * The documents that each client has not fetched or collected, of the first `looked` of each delivery method, and the
 * id of the oldest of them: a client that never fetches has a hundred thousand.
 */
export function listWaitingOfAll(
  tx: Tx,
  { clientIds, facilityCodes }: Pick<DocumentPageRequest, "clientIds" | "facilityCodes">,
  looked: number,
): Promise<WaitingClient[]> {
  const isOfFacilities = sql`(${facilityCodes}::text[] is null or d.facility_code = any(${facilityCodes}::text[]))`;
  return tx.query(
    sql`select c.client_id as "clientId", h.waiting as http, s.waiting as sftp, least(h.oldest, s.oldest) as "oldestId"
      from tenant c cross join lateral (
        select count(*)::integer as waiting, min(d.message_id::text) as oldest from (
          select o.message_id, o.facility_code from outbound_document o
          where o.client_id = c.client_id and o.acknowledged_at is null and o.is_http
          order by o.list_position limit ${looked}
        ) d where ${isOfFacilities}
      ) h cross join lateral (
        select count(*)::integer as waiting, min(d.message_id::text) as oldest from (
          select o.message_id, o.facility_code from outbound_document o
          where o.client_id = c.client_id and o.is_sftp and o.collected_at is null
          order by o.type, o.list_position limit ${looked}
        ) d where ${isOfFacilities}
      ) s
      where (${clientIds}::text[] is null or c.client_id = any(${clientIds}::text[])) and h.waiting + s.waiting > 0
      limit ${clientsMax}`,
  );
}

export interface MailPageRequest extends IdRange {
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  readonly status: string | undefined;
  readonly limit: number;
}

/** Mails that an index finds in the order of the list: those of one client, or all. */
const mailsOf = (clientIds: readonly string[] | null): Statement =>
  clientIds?.length === 1 ? sql`m.client_id = ${clientIds[0]}` : sql`m.created_at > '-infinity'`;

const mailColumns = columnsOf(mail, "m", sourcesOfMail);

/** Mails by time. */
export function listMailsOfAll(
  tx: Tx,
  { clientIds, status, before, from, isNewestFirst, limit }: MailPageRequest,
): Promise<Mail[]> {
  const conditions = allOf([
    clientIds === null || clientIds.length === 1 ? undefined : sql`m.client_id = any(${clientIds}::text[])`,
    status === undefined ? undefined : sql`m.status = ${status}`,
  ]);
  return tx.query(
    sql`select ${mailColumns}
      from alert_mail m where ${mailsOf(clientIds)} and m.mail_id >= ${from}::uuid and m.mail_id < ${before}::uuid and ${conditions}
      order by ${mailOrder(isNewestFirst)} limit ${limit}`,
  );
}

/** The last of the first `looked` mails of the range that an index finds; undefined where there are fewer. */
export async function findReachOfMails(
  tx: Tx,
  { clientIds, before, from, isNewestFirst }: Pick<MailPageRequest, "clientIds"> & IdRange,
  looked: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ mail_id: string }>(
    sql`select m.mail_id from alert_mail m
      where ${mailsOf(clientIds)} and m.mail_id >= ${from}::uuid and m.mail_id < ${before}::uuid
      order by ${mailOrder(isNewestFirst)} limit 1 offset ${looked - 1}`,
  );
  return rows[0]?.mail_id;
}
