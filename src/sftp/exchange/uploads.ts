import type { Database, Transaction } from "#/db/database.ts";
import { isWorthRepeating } from "#/db/errors.ts";
import type { Clock } from "#/kernel/clock.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import * as repository from "#/sftp/exchange/upload-repository.ts";

/** A file on its way, of which more may have been stored than is held. */
export interface Upload extends repository.Place {
  readonly uploadId: string;
}

/** The chunk that follows what is stored; the first one makes the upload. */
export interface NextChunk {
  readonly ordinal: number;
  readonly bytes: Buffer;
  /** Of the whole file up to its end. */
  readonly sizeBytes: number;
}

/** Files that are not judged, in the store: whoever has written one, any node can judge it. */
export interface Uploads {
  /** Answers false where the upload was purged meanwhile. */
  append(upload: Upload, chunk: NextChunk): Promise<boolean>;
  /** The file is whole, and waits under its temporary name in the place of whatever had that; full: too much waits already. */
  keepWaiting(upload: Upload, last: NextChunk): Promise<"kept" | "purged" | "full">;
  /** Whether as much waits as may. */
  isFull(clientId: string): Promise<boolean>;
  /** Its connection was lost. Only its size is kept, and not even that where a whole file has its name. */
  keepPartial(upload: Upload, sizeBytes: number): Promise<void>;
  drop(upload: Pick<Upload, "clientId" | "uploadId">): Promise<void>;
  /**
   * A whole file in a piece of memory of its own; undefined where some of it is gone.
   * @param held its last bytes, where they are not stored
   */
  load(
    upload: Pick<Upload, "clientId" | "uploadId">,
    sizeBytes: number,
    held?: Uint8Array,
  ): Promise<Uint8Array | undefined>;
  /**
   * A file that waits, for whoever judges it until then; undefined where there is none, or another session has it.
   * @param until ISO 8601 UTC
   */
  claim(place: repository.Place, until: string): Promise<repository.UploadRow | undefined>;
  /** False where there is no such file. */
  remove(place: repository.Place): Promise<boolean>;
  /** Gives a file that waits another temporary name, where that is free. */
  rename(place: repository.Place, name: string): Promise<"renamed" | "absent" | "taken">;
}

const repeatsMax = 5;

export interface UploadsContext {
  readonly database: Database;
  readonly clock: Clock;
  /** For tests: how many bytes of a client may wait. */
  readonly waitingBytesMax?: number;
}

/** Of one client, in all folders; with what its sessions write at the same time it may be a little more. */
const waitingBytesMaxDefault = 1024 * 1024 * 1024;
/** As many as the folders hold. */
const waitingFilesMax = 40_000;

export function createUploads(context: UploadsContext): Uploads {
  const { database, clock, waitingBytesMax = waitingBytesMaxDefault } = context;
  const now = () => new Date(clock.now()).toISOString();

  /** Two that want one name at the same time: the later one is run again, and finds what the other has done. */
  async function run<Value>(work: (tx: Transaction) => Promise<Value>): Promise<Value> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await database.transaction(work);
      } catch (error) {
        if (!isWorthRepeating(error) || attempt === repeatsMax) throw error;
      }
    }
  }

  async function put(
    tx: Transaction,
    upload: Upload,
    chunk: NextChunk,
    state: "WRITING" | "WAITING",
  ): Promise<boolean> {
    const row = { ...upload, state, sizeBytes: chunk.sizeBytes, at: now() };
    if (chunk.ordinal === 0) repository.insertUpload(tx, row);
    else if (!(await repository.touchUpload(tx, row))) return false;
    if (chunk.bytes.length > 0) repository.insertChunk(tx, upload.clientId, upload.uploadId, chunk);
    return true;
  }

  return {
    append: (upload, chunk) => run((tx) => put(tx, upload, chunk, "WRITING")),
    keepWaiting: (upload, last) =>
      run(async (tx) => {
        const other = await repository.lockUpload(tx, upload);
        const waiting = await repository.sumWaiting(tx, upload.clientId, waitingFilesMax);
        const replaced = other?.state === "WAITING" ? other.size_bytes : 0;
        if (waiting - replaced + last.sizeBytes > waitingBytesMax) return "full";
        if (other) repository.deleteUploads(tx, upload.clientId, [other.upload_id]);
        return (await put(tx, upload, last, "WAITING")) ? "kept" : "purged";
      }),
    isFull: async (clientId) =>
      (await repository.sumWaiting(database.reads, clientId, waitingFilesMax)) >= waitingBytesMax,
    keepPartial: (upload, sizeBytes) =>
      run(async (tx) => {
        const { clientId, uploadId } = upload;
        const other = await repository.lockUpload(tx, upload);
        repository.deleteUploads(tx, clientId, other?.state === "PARTIAL" ? [uploadId, other.upload_id] : [uploadId]);
        if (other?.state === "WAITING") return;
        repository.insertUpload(tx, { ...upload, state: "PARTIAL", sizeBytes, at: now() });
      }),
    drop: ({ clientId, uploadId }) => run(async (tx) => repository.deleteUploads(tx, clientId, [uploadId])),
    async load({ clientId, uploadId }, sizeBytes, held = Buffer.alloc(0)) {
      const whole = new Uint8Array(sizeBytes);
      const storedBytes = sizeBytes - held.byteLength;
      let at = 0;
      for (let ordinal = 0; at < storedBytes; ordinal++) {
        const bytes = await repository.findChunk(database, clientId, uploadId, ordinal);
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
        if (row) repository.deleteUploads(tx, place.clientId, [row.upload_id]);
        return row !== undefined;
      }),
    rename: (place, name) =>
      run(async (tx) => {
        const row = await repository.lockUpload(tx, place);
        if (row?.state !== "WAITING") return "absent";
        const other = await repository.lockUpload(tx, { ...place, name });
        if (other?.state === "WAITING") return "taken";
        if (other) repository.deleteUploads(tx, place.clientId, [other.upload_id]);
        repository.renameUpload(tx, place.clientId, row.upload_id, name);
        return "renamed";
      }),
  };
}

const day = 86_400_000;
const week = 7 * day;

/** Removes what was cut off more than a day ago, and what has waited to be renamed for a week (sftp.md). Answers how many files went. */
export async function purgeUploads(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  clientId: string,
): Promise<number> {
  const beforeMs = clock.now() - day;
  return database.transaction(async (tx) => {
    const before = new Date(beforeMs).toISOString();
    const waitingBefore = new Date(clock.now() - week).toISOString();
    const rows = await repository.listLeftBehind(tx, clientId, {
      before,
      boundary: idBoundary(beforeMs),
      waitingBefore,
    });
    if (rows.length > 0) {
      repository.deleteUploads(
        tx,
        clientId,
        rows.map(({ upload_id }) => upload_id),
      );
    }
    return rows.length;
  });
}
