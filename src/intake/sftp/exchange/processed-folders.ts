import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import type { PayloadEncoding } from "#/intake/feeds/payload.ts";
import type { feedFile } from "#/intake/feeds/tables.ts";
import { canBeName, ownAckName, plainAckName, readAckName } from "#/intake/sftp/exchange/file-names.ts";
import {
  type FileEntry,
  type Folder,
  noSuchFile,
  type ReadableFile,
  type Refusal,
  whileStoreAnswers,
} from "#/intake/sftp/file-system.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { timeOfId } from "#/kernel/values/ids.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { Answered } from "#/store/db/table.ts";
import { unpackBytes } from "#/store/packed/packed.ts";

const listedMax = 10_000;

interface Found {
  readonly row: AckFile;
  readonly isOwn: boolean;
}

/**
 * `/acks`: each processed file has its ACK under the file's name and its token. The newest file of a name, in any folder,
 * also has its ACK under the name alone. A deleted ACK returns only when its file is put again.
 */
export function openAcksFolder({ database }: { readonly database: Database }, clientId: string): Folder {
  /** A name that matches both forms is the one with the token. */
  async function findAck(fileName: string): Promise<Found | undefined> {
    const read = canBeName(fileName) ? readAckName(fileName) : undefined;
    if (!read) return undefined;
    const row = read.own && (await findOwnAck(database.reads.of(clientId), read.own.name, read.own.token));
    if (row) return { row: row, isOwn: true };
    const plain = await findPlainAck(database.reads.of(clientId), read.plain);
    return plain && { row: plain, isOwn: false };
  }

  return {
    async list() {
      const rows = await listAcks(database.of(clientId), listedMax);
      const entries = new Map<string, FileEntry>();
      const add = (name: string, row: AckFile) => {
        if (entries.size < listedMax && !entries.has(name)) entries.set(name, ackEntryOf(name, row));
      };
      for (const row of rows) {
        if (row.has_token_ack) add(ownAckName(row.name, row.token), row);
        if (row.has_named_ack) add(plainAckName(row.name), row);
      }
      return [...entries.values()];
    },

    async find(name) {
      const found = await findAck(name);
      return found && ackEntryOf(name, found.row);
    },

    openRead: (name) =>
      whileStoreAnswers<ReadableFile>(async () => {
        const found = await findAck(name);
        if (!found) return refused(noSuchFile(name));
        const ack = await readAck(database.reads.of(clientId), found.row.token);
        if (!ack) return refused(noSuchFile(name));
        return openStoredFile({ ...ackEntryOf(name, found.row), size: ack.length }, async () => ack);
      }),

    remove: (name) =>
      whileStoreAnswers<void>(async () => {
        const view = database.of(clientId);
        const found = await findAck(name);
        if (!found) return refused(noSuchFile(name));
        const { row, isOwn } = found;
        const isGone = isOwn ? await hideOwnAck(view, row.name, row.token) : await hidePlainAck(view, row.name);
        return isGone ? ok(undefined) : refused(noSuchFile(name));
      }),
  };
}

function ackEntryOf(name: string, { token, ack_bytes }: AckFile): FileEntry {
  return { name, size: ack_bytes, modifiedAtMs: timeOfId(token) };
}

const decompress = promisify(zstdDecompress);

/**
 * `/archive` or `/rejected`: the processed files of one outcome, unchanged. Clients cannot remove files from them, so the
 * oldest files must not hide the rest: if there are too many to list, the newest are listed. A file with a card number
 * is missing, because its bytes are not kept.
 */
export function openOutcomeFolder(
  { database }: { readonly database: Database },
  clientId: string,
  outcome: "accepted" | "rejected",
): Folder {
  const isAccepted = outcome === "accepted";

  async function load(token: string): Promise<Buffer | undefined> {
    const row = await findPayload(database.of(clientId), token);
    if (row?.encoding !== "zstd") return row?.payload;
    const unpacked = unpackBytes(row.payload);
    return unpacked === row.payload ? decompress(row.payload) : unpacked;
  }

  async function findFiled(name: string): Promise<Filed | undefined> {
    return canBeName(name) ? findFiledAs(database.reads.of(clientId), isAccepted, name) : undefined;
  }

  return {
    async list() {
      const rows = await listFiled(database.of(clientId), isAccepted, listedMax);
      return rows.map(filedEntryOf).reverse();
    },

    async find(name) {
      const row = await findFiled(name);
      return row && filedEntryOf(row);
    },

    openRead: (name) =>
      whileStoreAnswers<ReadableFile>(async () => {
        const row = await findFiled(name);
        return row ? openStoredFile(filedEntryOf(row), () => load(row.token)) : refused(noSuchFile(name));
      }),
  };
}

function filedEntryOf({ name, size, token }: Filed): FileEntry {
  return { name, size, modifiedAtMs: timeOfId(token) };
}

/** A file that is loaded from the database when its first byte is requested, and released when it is closed. */
function openStoredFile(entry: FileEntry, load: () => Promise<Buffer | undefined>): Result<ReadableFile, Refusal> {
  let loading: Promise<Buffer | undefined> | undefined;
  return ok({
    size: entry.size,
    modifiedAtMs: entry.modifiedAtMs,
    async read(offset, length) {
      loading ??= load();
      const bytes = await loading.catch((error) => {
        // A later read may succeed.
        loading = undefined;
        throw error;
      });
      if (!bytes) throw new Error(`the content of the file '${entry.name}' is no longer stored`);
      return bytes.subarray(offset, offset + length);
    },
    async close() {
      loading = undefined;
    },
  });
}

type AckFile = Answered<
  Pick<typeof feedFile.columns, "name" | "token" | "ack_bytes" | "has_token_ack" | "has_named_ack">
>;
const ackColumns = sql`name, token, ack_bytes, has_token_ack, has_named_ack`;

/** Files with existing ACKs, the oldest first. */
function listAcks(tx: ClientTx, limit: number): Promise<AckFile[]> {
  return tx.query(sql`select ${ackColumns} from feed_file
      where client_id = ${tenant} and (has_token_ack or has_named_ack) order by token limit ${limit}`);
}

/** The file whose ACK is named after the file and its token. */
async function findOwnAck(tx: ClientTx, name: string, token: string): Promise<AckFile | undefined> {
  const rows = await tx.query<AckFile>(sql`select ${ackColumns} from feed_file
      where client_id = ${tenant} and (has_token_ack or has_named_ack) and token = ${token}::uuid
        and name = ${name} and has_token_ack limit 1`);
  return rows[0];
}

/** The file whose ACK is named after the file alone. */
async function findPlainAck(tx: ClientTx, name: string): Promise<AckFile | undefined> {
  const rows = await tx.query<AckFile>(sql`select ${ackColumns} from feed_file
      where client_id = ${tenant} and name = ${name} and has_named_ack limit 1`);
  return rows[0];
}

/** Returns false where the ACK did not exist. */
async function hideOwnAck(tx: ClientTx, name: string, token: string): Promise<boolean> {
  const rows = await tx.query(sql`update feed_file set has_token_ack = false
      where client_id = ${tenant} and (has_token_ack or has_named_ack) and token = ${token}::uuid
        and name = ${name} and has_token_ack
      returning token`);
  return rows.length > 0;
}

/** Returns false where the ACK did not exist. */
async function hidePlainAck(tx: ClientTx, name: string): Promise<boolean> {
  const rows = await tx.query(sql`update feed_file set has_named_ack = false
      where client_id = ${tenant} and name = ${name} and has_named_ack returning token`);
  return rows.length > 0;
}

async function readAck(tx: ClientTx, token: string): Promise<Buffer | undefined> {
  const rows = await tx.query<{ ack: Buffer }>(
    sql`select ack from feed_document where client_id = ${tenant} and token = ${token}::uuid limit 1`,
  );
  return rows[0]?.ack;
}

/** A processed file in its folder. */
type Filed = Pick<FileEntry, "name" | "size"> & { readonly token: string };
const filedColumns = sql`archive_name as name, token, body_bytes as size`;

/** Processed files of one outcome whose bytes are kept, the newest first. */
function listFiled(tx: ClientTx, isAccepted: boolean, limit: number): Promise<Filed[]> {
  return tx.query(sql`select ${filedColumns} from feed_file
      where client_id = ${tenant} and is_accepted = ${isAccepted}::boolean and ordinal > 0 and archive_name is not null
      order by token desc limit ${limit}`);
}

async function findFiledAs(tx: ClientTx, isAccepted: boolean, archiveName: string): Promise<Filed | undefined> {
  const rows = await tx.query<Filed>(sql`select ${filedColumns} from feed_file
      where client_id = ${tenant} and is_accepted = ${isAccepted}::boolean and archive_name = ${archiveName} limit 1`);
  return rows[0];
}

async function findPayload(tx: ClientTx, token: string) {
  const rows = await tx.query<{
    encoding: PayloadEncoding;
    payload: Buffer;
  }>(sql`select encoding, payload from feed_payload
      where client_id = ${tenant} and token = ${token}::uuid limit 1`);
  return rows[0];
}
