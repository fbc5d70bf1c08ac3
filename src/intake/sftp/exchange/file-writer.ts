import { bodyBytesMax, type Collector, createCollector } from "#/intake/feeds/http/body.ts";
import type { Upload, Uploads } from "#/intake/sftp/exchange/uploads.ts";
import { failure, type Refusal, unavailable, type WritableFile } from "#/intake/sftp/file-system.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

/** The part of a file that memory holds in any case; a larger part only while the shared memory has room. */
const heldBytesMax = 256 * 1024;
/** Libraries that send parts of a file concurrently send them nearly in order: 64 parts of 32 KiB are usual. */
const aheadBytesMax = 2 * 1024 * 1024;
const aheadPartsMax = 256;

const tooLarge = failure(`The file is over ${bodyBytesMax} bytes, the maximum; nothing of it was stored`);
const resumed = failure("An upload cannot be continued: send the file again from its beginning");
const rewritten = failure("A file is written once, from its beginning to its end; send it again from its beginning");
export const purged = failure(
  "The upload was abandoned, because nothing was written for a day; send the file again from its beginning",
);
const ended = failure("The file is closed");

/** A complete file: memory holds all of its bytes, or those after the stored chunks. */
export interface WrittenFile {
  readonly upload: Upload;
  readonly sizeBytes: number;
  /** The number of stored chunks. */
  readonly stored: number;
  /** The bytes after them. */
  readonly held: Buffer;
}

/** Memory for files beyond a small size, shared by all sessions of a process. */
export interface SharedMemory {
  /** Returns false where less memory is left. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

export function createSharedMemory(bytesMax: number): SharedMemory {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > bytesMax) return false;
      taken += bytes;
      return true;
    },
    giveBack(bytes) {
      taken -= bytes;
    },
  };
}

export interface FileWriterContext {
  readonly uploads: Uploads;
  readonly memory: SharedMemory;
  /** Processes the whole file, or keeps it until it is renamed. It also removes the file's stored chunks. */
  finish(file: WrittenFile): Promise<Result<void, Refusal>>;
  /** Called however the file ended. */
  onEnd(): void;
  /** The rest of the checks of the open. Nothing is stored before; a refusal refuses the file. */
  readonly checked?: Promise<Result<void, Refusal>> | undefined;
}

/** Accepts the bytes of one file, in order. A refused part refuses the whole file. */
export function openFileWriter(context: FileWriterContext, upload: Upload): WritableFile {
  const { uploads, memory, finish, onEnd, checked } = context;
  let held: Collector = createCollector(bodyBytesMax);
  let heldBytes = 0;
  /** Taken from the shared memory. */
  let sharedBytes = 0;
  let sizeBytes = 0;
  let stored = 0;
  const ahead = new Map<number, Buffer>();
  let fault: Refusal | undefined;
  let storing: Promise<void> = Promise.resolve(checked).then((result) => {
    if (result?.ok === false) fault ??= result.fault;
  });
  // The next caller that awaits it receives the error.
  storing.catch(() => {});
  let hasEnded = false;

  function take(bytes: Buffer): void {
    held.add(bytes);
    heldBytes += bytes.length;
    sizeBytes += bytes.length;
  }

  function letGo(): void {
    held = createCollector(bodyBytesMax);
    heldBytes = 0;
    memory.giveBack(sharedBytes);
    sharedBytes = 0;
  }

  /** A file with stored chunks does not use shared memory again: the database receives its rest as well. */
  function canHold(): boolean {
    const wanted = heldBytes - heldBytesMax - sharedBytes;
    if (wanted <= 0) return true;
    if (stored > 0 || !memory.take(wanted)) return false;
    sharedBytes += wanted;
    return true;
  }

  function end(): void {
    letGo();
    ahead.clear();
    onEnd();
  }

  /** Starts storing the held bytes; at most one chunk is being stored while the next one fills. */
  async function store(): Promise<void> {
    const bytes = held.whole();
    letGo();
    const chunk = { ordinal: stored++, bytes, sizeBytes };
    const before = storing;
    storing = before.then(async () => {
      if (fault) return;
      try {
        if (!(await uploads.append(upload, chunk))) fault ??= purged;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        fault ??= unavailable;
      }
    });
    // The next caller that awaits it receives the error.
    storing.catch(() => {});
    await before;
  }

  async function refuse(): Promise<Result<void, Refusal>> {
    letGo();
    return refused(fault as Refusal);
  }

  /** Removes everything of the file. */
  async function drop(): Promise<void> {
    await storing.catch(() => {});
    // If this fails, the purge of interrupted uploads removes it.
    if (stored > 0) await uploads.drop(upload).catch(() => {});
  }

  return {
    get size() {
      return sizeBytes;
    },

    async write(offset, bytes) {
      if (hasEnded) return refused(ended);
      if (fault) return refuse();
      if (offset < sizeBytes || ahead.has(offset)) fault = rewritten;
      else if (offset + bytes.length > bodyBytesMax) fault = tooLarge;
      else if (offset - sizeBytes + bytes.length > aheadBytesMax || ahead.size >= aheadPartsMax) {
        fault = sizeBytes === 0 ? resumed : rewritten;
      }
      if (fault) return refuse();
      // A copy, because the network layer owns its buffer.
      const copy = Buffer.from(bytes);
      if (offset > sizeBytes) {
        ahead.set(offset, copy);
        return ok(undefined);
      }
      take(copy);
      for (let next = ahead.get(sizeBytes); next; next = ahead.get(sizeBytes)) {
        ahead.delete(sizeBytes);
        take(next);
      }
      if (!canHold()) await store();
      return fault ? refuse() : ok(undefined);
    },

    async close() {
      if (hasEnded) return refused(ended);
      hasEnded = true;
      try {
        await storing;
        if (ahead.size > 0 && sizeBytes === 0) fault ??= resumed;
        if (ahead.size > 0) {
          fault ??= failure(`The file has a gap after its first ${sizeBytes} bytes; send it again from its beginning`);
        }
        if (!fault) return await finish({ upload, sizeBytes, stored, held: held.whole() });
        await drop();
        return refused(fault);
      } finally {
        end();
      }
    },

    async abandon() {
      if (hasEnded) return;
      hasEnded = true;
      try {
        await storing.catch(() => {});
        if (fault) await drop();
        else await uploads.keepPartial(upload, sizeBytes);
      } catch (error) {
        // The purge removes the stored chunks after a day as well; the bytes held in memory are lost.
        if (!(error instanceof StoreUnavailableError)) throw error;
      } finally {
        end();
      }
    },
  };
}
