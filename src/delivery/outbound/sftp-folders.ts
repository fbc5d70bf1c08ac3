// `/outbound/{type}` and `/outbound/archive` of the SFTP server (sftp.md): views of the client's outbound documents. A
// file exists until a session takes it, identically on every node.

import type { FileEntry, Folder, OpenFolders, ReadableFile, Refusal, RenameTarget } from "#/intake/sftp/file-system.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import { type OutboundType, outboundTypes } from "#/kernel/feed-types.ts";
import { ok, refused } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";
import type { AskHold } from "#/store/db/store/restore-hold.ts";
import { packedBefore, unpackBytes } from "#/store/packed/packed.ts";

export interface OutboundFoldersContext {
  readonly database: Database;
  readonly clock: Clock;
  /** After a restore the folders look empty until deliveries are released. */
  readonly isHeld?: AskHold;
}

export const archivePath = "/outbound/archive";

/** The length of a listing. A folder's listing advances as files are taken; the archive lists those taken last. */
const listedMax = 10_000;
const archivedMs = 90 * dayMs;
/** The part of an open file that is held in memory: a part of INV is several megabytes. */
const chunkBytes = 512 * 1_024;

/** The folders of a client's outbound feeds, which exist even while they are empty. */
export function createOutboundFolders(context: OutboundFoldersContext): OpenFolders {
  return ({ clientId }) =>
    new Map([
      ...outboundTypes.map((type) => [`/outbound/${type}`, folderOf(context, clientId, type)] as const),
      [archivePath, archiveOf(context, clientId)] as const,
    ]);
}

/** Documents of a type that wait to be taken. A resent document reappears after the others. */
function folderOf({ database, clock, isHeld }: OutboundFoldersContext, clientId: string, type: OutboundType): Folder {
  const untaken = { kind: "UNTAKEN" } as const;
  const now = () => new Date(clock.now()).toISOString();

  async function take(name: string) {
    const found = await findNamed(database, clientId, name, untaken);
    const isTaken = found?.type === type && (await markTaken(database.of(clientId), found.messageId, now()));
    return isTaken ? ok(undefined) : refused(noSuchFile(name));
  }

  return {
    async list() {
      if (isHeld?.("DELIVERIES")) return [];
      return (await listUntaken(database.of(clientId), type, listedMax)).map(entryOf);
    },
    async find(name) {
      const found = await findNamed(database, clientId, name, untaken);
      return found?.type === type ? entryOf(found) : undefined;
    },
    async openRead(name) {
      const found = await findNamed(database, clientId, name, untaken);
      if (found?.type !== type) return refused(noSuchFile(name));
      await markRead(database.of(clientId), found.messageId, now());
      return ok(openFile(database, clientId, found));
    },
    remove: take,
    async rename(name, to) {
      return isArchive(name, to) ? take(name) : refused(refusalOfTarget(name));
    },
  };
}

/** Documents that were taken, deleted or renamed, under their original names. */
function archiveOf({ database, clock }: OutboundFoldersContext, clientId: string): Folder {
  const after = () => new Date(clock.now() - archivedMs).toISOString();
  const find = (name: string) => findNamed(database, clientId, name, { kind: "TAKEN", after: after() });
  return {
    async list() {
      return (await listTaken(database.of(clientId), after(), listedMax)).map(entryOf).reverse();
    },
    async find(name) {
      const found = await find(name);
      return found && entryOf(found);
    },
    async openRead(name) {
      const found = await find(name);
      return found ? ok(openFile(database, clientId, found)) : refused(noSuchFile(name));
    },
  };
}

/** `OS_20261120T100000Z_019a4c2e-….xml`: the type, the time of writing (UTC), the messageId. */
function nameOf({ type, createdAt, messageId }: DocumentFile): string {
  return `${type}_${createdAt.slice(0, 19).replaceAll(/[-:]/g, "")}Z_${messageId}.xml`;
}

const entryOf = (file: DocumentFile): FileEntry => ({
  name: nameOf(file),
  size: file.size,
  modifiedAtMs: Date.parse(file.createdAt),
});

/** Finds the document that exactly matches a name. */
async function findNamed(
  database: Database,
  clientId: string,
  name: string,
  place: Place,
): Promise<DocumentFile | undefined> {
  const messageId = /_([^_]+)\.xml$/.exec(name)?.[1];
  if (messageId === undefined || !isUuidV7(messageId)) return undefined;
  const found = await findFile(database.of(clientId), messageId, place);
  return found && nameOf(found) === name ? found : undefined;
}

function openFile(database: Database, clientId: string, { messageId, size, createdAt }: DocumentFile): ReadableFile {
  let held: { readonly number: number; readonly bytes: Promise<Buffer> } | undefined;

  async function load(number: number): Promise<Buffer> {
    const bytes = await readBytes(database.of(clientId), messageId, number * chunkBytes, chunkBytes);
    if (bytes === undefined) throw new Error(`outbound document ${messageId} is no longer stored`);
    return bytes;
  }

  function chunk(number: number): Promise<Buffer> {
    if (held?.number === number) return held.bytes;
    const bytes = load(number);
    const entry = { number, bytes };
    held = entry;
    // A failed read is repeated on the next request.
    bytes.catch(() => {
      if (held === entry) held = undefined;
    });
    return bytes;
  }

  return {
    size,
    modifiedAtMs: Date.parse(createdAt),
    async read(offset, length) {
      const parts: Buffer[] = [];
      const end = Math.min(offset + length, size);
      for (let at = offset; at < end; ) {
        const number = Math.floor(at / chunkBytes);
        const from = at - number * chunkBytes;
        const part = (await chunk(number)).subarray(from, from + end - at);
        assert(part.byteLength > 0, `outbound document ${messageId} is shorter than its size`);
        parts.push(part);
        at += part.byteLength;
      }
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    },
    async close() {
      held = undefined;
    },
  };
}

/** Whether the target is the archive, under the file's own name; the folder name alone means the same. */
function isArchive(name: string, { folder, name: target }: RenameTarget): boolean {
  return (folder === archivePath && target === name) || `${folder}/${target}` === archivePath;
}

function refusalOfTarget(name: string): Refusal {
  const message = `an outbound file can only be renamed into the archive, with the same name: ${archivePath}/${name}`;
  return { status: "PERMISSION_DENIED", message };
}

const noSuchFile = (name: string): Refusal => ({
  status: "NO_SUCH_FILE",
  message: `there is no file ${name} here; it may have been collected: see ${archivePath}`,
});

/** A document as a file. Moments ISO 8601 UTC. */
interface DocumentFile {
  readonly messageId: string;
  readonly type: OutboundType;
  readonly createdAt: string;
  /** In bytes. */
  readonly size: number;
}

const fileColumns = sql`message_id as "messageId", type, created_at as "createdAt", size`;

/** Documents of a type that wait to be taken, in the order of the client's list. */
export function listUntaken(tx: ClientTx, type: OutboundType, limit: number): Promise<DocumentFile[]> {
  return tx.query(sql`select ${fileColumns} from outbound_document
      where client_id = ${tenant} and type = ${type} and is_sftp and collected_at is null
      order by list_position limit ${limit}`);
}

/** Documents that were taken after a moment, the last taken first. */
export function listTaken(tx: ClientTx, after: string, limit: number): Promise<DocumentFile[]> {
  return tx.query(sql`select ${fileColumns} from outbound_document
      where client_id = ${tenant} and collected_at is not null and collected_at > ${after}::timestamptz
      order by collected_at desc, message_id desc limit ${limit}`);
}

/** Where a document is. */
export type Place = { readonly kind: "UNTAKEN" } | { readonly kind: "TAKEN"; readonly after: string };

const isIn = (place: Place): Statement =>
  place.kind === "UNTAKEN" ? sql`collected_at is null` : sql`collected_at > ${place.after}::timestamptz`;

/** Finds one document in the given place of SFTP. */
export async function findFile(tx: ClientTx, messageId: string, place: Place): Promise<DocumentFile | undefined> {
  const rows = await tx.query<DocumentFile>(sql`select ${fileColumns} from outbound_document
      where client_id = ${tenant} and message_id = ${messageId}::uuid and is_sftp and ${isIn(place)} limit 1`);
  return rows[0];
}

/** Reads bytes of a document from an offset; undefined where the document is no longer kept. */
export async function readBytes(
  tx: ClientTx,
  messageId: string,
  offset: number,
  length: number,
): Promise<Buffer | undefined> {
  // A packed document is small, and is read whole.
  const [row] = await tx.query<{ bytes: Buffer; is_packed: boolean }>(sql`select x.is_packed,
        case when x.is_packed then x.payload
          else substr(x.payload, ${offset + 1}::integer, ${length}::integer) end as bytes
      from (
        select payload, substr(payload, 1, 1) < ${packedBefore}::bytea as is_packed from outbound_document
        where client_id = ${tenant} and message_id = ${messageId}::uuid limit 1
      ) x limit 1`);
  return row?.is_packed ? unpackBytes(row.bytes).subarray(offset, offset + length) : row?.bytes;
}

/** Records that a document was opened for reading; only the first time counts. @param at ISO 8601 UTC. */
export async function markRead(tx: ClientTx, messageId: string, at: string): Promise<void> {
  await tx.query(sql`update outbound_document set read_at = ${at}::timestamptz
      where client_id = ${tenant} and message_id = ${messageId}::uuid and is_sftp and read_at is null
      returning message_id`);
}

/**
 * Records the delivery of a document by SFTP. Returns false where another session has taken it before. @param at ISO
 * 8601 UTC.
 */
export async function markTaken(tx: ClientTx, messageId: string, at: string): Promise<boolean> {
  const rows = await tx.query(sql`update outbound_document set collected_at = ${at}::timestamptz
      where client_id = ${tenant} and message_id = ${messageId}::uuid and is_sftp and collected_at is null
      returning message_id`);
  return rows.length === 1;
}
