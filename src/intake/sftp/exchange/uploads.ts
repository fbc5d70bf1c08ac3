import * as repository from "#/intake/sftp/exchange/upload-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { retryOnConflict } from "#/store/db/retry-on-conflict.ts";

/** A file in transfer, which may have stored chunks besides the held bytes. */
export interface Upload extends repository.Place {
  readonly uploadId: string;
}

/** The chunk after the stored ones; the first one creates the upload. */
export interface NextChunk {
  readonly ordinal: number;
  readonly bytes: Buffer;
  /** The size of the file up to the end of this chunk. */
  readonly sizeBytes: number;
}

/** Unprocessed files in the database: any node can process a file that another node has written. */
export interface Uploads {
  /** Returns false where the upload was purged meanwhile. */
  append(upload: Upload, chunk: NextChunk): Promise<boolean>;
  /**
   * Keeps a complete file under its temporary name, and replaces a previous file of that name; full: too many bytes
   * wait already.
   */
  keepWaiting(upload: Upload, last: NextChunk): Promise<"kept" | "purged" | "full">;
  /** Whether the waiting files have reached the limit. */
  isFull(clientId: string): Promise<boolean>;
  /** After the connection was lost: keeps only the size, and not even that where a complete file has the name. */
  keepPartial(upload: Upload, sizeBytes: number): Promise<void>;
  drop(upload: Pick<Upload, "clientId" | "uploadId">): Promise<void>;
  /**
   * Returns a complete file in new memory; undefined where a part of it is gone.
   * @param held its last bytes, where they are not stored
   */
  load(
    upload: Pick<Upload, "clientId" | "uploadId">,
    sizeBytes: number,
    held?: Uint8Array,
  ): Promise<Uint8Array | undefined>;
  /**
   * Claims a waiting file for processing; undefined where it does not exist, or another session has claimed it.
   * @param until ISO 8601 UTC
   */
  claim(place: repository.Place, until: string): Promise<repository.StoredUpload | undefined>;
  /** Returns false where the file does not exist. */
  remove(place: repository.Place): Promise<boolean>;
  /** Renames a waiting file to another temporary name, where that is free. */
  rename(place: repository.Place, name: string): Promise<"renamed" | "absent" | "taken">;
}

const attemptsMax = 5;

export interface UploadsContext {
  readonly database: Database;
  readonly clock: Clock;
  /** For tests: the maximum bytes of a client's waiting files. */
  readonly waitingBytesMax?: number;
}

/** Of one client, in all folders; concurrent sessions may exceed it slightly. */
const waitingBytesMaxDefault = 1024 * 1024 * 1024;
/** The capacity of the folders together. */
const waitingFilesMax = 40_000;

export function createUploads(context: UploadsContext): Uploads {
  const { database, clock, waitingBytesMax = waitingBytesMaxDefault } = context;
  const now = () => new Date(clock.now()).toISOString();

  /** Two transactions that use one name concurrently: the later one runs again, and sees the result of the other. */
  const run = <Value>(work: (tx: Transaction) => Promise<Value>): Promise<Value> =>
    retryOnConflict(() => database.transaction(work), { attemptsMax });

  async function put(
    tx: Transaction,
    upload: Upload,
    chunk: NextChunk,
    state: "WRITING" | "WAITING",
  ): Promise<boolean> {
    const row = { ...upload, state, sizeBytes: chunk.sizeBytes, at: now() };
    if (chunk.ordinal === 0) repository.insertUpload(tx, row);
    else if (!(await repository.touchUpload(tx, row))) return false;
    if (chunk.bytes.length > 0) repository.insertChunk(tx.of(upload.clientId), upload.uploadId, chunk);
    return true;
  }

  return {
    append: (upload, chunk) => run((tx) => put(tx, upload, chunk, "WRITING")),
    keepWaiting: (upload, last) =>
      run(async (tx) => {
        const view = tx.of(upload.clientId);
        const other = await repository.lockUpload(tx, upload);
        const waiting = await repository.sumWaiting(view, waitingFilesMax);
        const replaced = other?.state === "WAITING" ? other.sizeBytes : 0;
        if (waiting - replaced + last.sizeBytes > waitingBytesMax) return "full";
        if (other) repository.deleteUploads(view, [other.uploadId]);
        return (await put(tx, upload, last, "WAITING")) ? "kept" : "purged";
      }),
    isFull: async (clientId) =>
      (await repository.sumWaiting(database.reads.of(clientId), waitingFilesMax)) >= waitingBytesMax,
    keepPartial: (upload, sizeBytes) =>
      run(async (tx) => {
        const { clientId, uploadId } = upload;
        const other = await repository.lockUpload(tx, upload);
        repository.deleteUploads(tx.of(clientId), other?.state === "PARTIAL" ? [uploadId, other.uploadId] : [uploadId]);
        if (other?.state === "WAITING") return;
        repository.insertUpload(tx, { ...upload, state: "PARTIAL", sizeBytes, at: now() });
      }),
    drop: ({ clientId, uploadId }) => run(async (tx) => repository.deleteUploads(tx.of(clientId), [uploadId])),
    async load({ clientId, uploadId }, sizeBytes, held = Buffer.alloc(0)) {
      const whole = new Uint8Array(sizeBytes);
      const storedBytes = sizeBytes - held.byteLength;
      let at = 0;
      for (let ordinal = 0; at < storedBytes; ordinal++) {
        const bytes = await repository.findChunk(database.of(clientId), uploadId, ordinal);
        if (!bytes || at + bytes.length > storedBytes) return undefined;
        whole.set(bytes, at);
        at += bytes.length;
      }
      whole.set(held, at);
      return whole;
    },
    claim: (place, until) => run((tx) => repository.claimUpload(tx, place, now(), until)),
    remove: (place) =>
      run(async (tx) => {
        const row = await repository.lockUpload(tx, place);
        if (row) repository.deleteUploads(tx.of(place.clientId), [row.uploadId]);
        return row !== undefined;
      }),
    rename: (place, name) =>
      run(async (tx) => {
        const view = tx.of(place.clientId);
        const row = await repository.lockUpload(tx, place);
        if (row?.state !== "WAITING") return "absent";
        const other = await repository.lockUpload(tx, { ...place, name });
        if (other?.state === "WAITING") return "taken";
        if (other) repository.deleteUploads(view, [other.uploadId]);
        repository.renameUpload(view, row.uploadId, name);
        return "renamed";
      }),
  };
}

const week = 7 * dayMs;

/**
 * Removes uploads that were interrupted more than a day ago, and files that have waited to be renamed for a week
 * (sftp.md). Returns the number of files.
 */
export async function purgeUploads(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  clientId: string,
): Promise<number> {
  const beforeMs = clock.now() - dayMs;
  return database.transaction(async (tx) => {
    const view = tx.of(clientId);
    const before = new Date(beforeMs).toISOString();
    const waitingBefore = new Date(clock.now() - week).toISOString();
    const rows = await repository.listAbandoned(view, {
      before,
      boundary: idBoundary(beforeMs),
      waitingBefore,
    });
    if (rows.length > 0) {
      repository.deleteUploads(
        view,
        rows.map(({ upload_id }) => upload_id),
      );
    }
    return rows.length;
  });
}
