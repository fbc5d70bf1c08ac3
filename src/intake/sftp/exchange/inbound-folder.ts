import { canBeName, isTemporary, refusalOfName } from "#/intake/sftp/exchange/file-names.ts";
import type { FileProcessor } from "#/intake/sftp/exchange/file-processor.ts";
import { openFileWriter, purged, type SharedMemory, type WrittenFile } from "#/intake/sftp/exchange/file-writer.ts";
import * as repository from "#/intake/sftp/exchange/upload-repository.ts";
import type { Uploads } from "#/intake/sftp/exchange/uploads.ts";
import {
  denied,
  type FileEntry,
  type Folder,
  failure,
  noSuchFile,
  type Refusal,
  type WritableFile,
  type WriteMode,
  whileStoreAnswers,
} from "#/intake/sftp/file-system.ts";
import type { Clock } from "#/kernel/clock.ts";
import { pollUntil } from "#/kernel/concurrency/polling.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

export interface InboundContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly uploads: Uploads;
  readonly processor: FileProcessor;
  readonly memory: SharedMemory;
  /** Charges a file's work beyond its requests to the visitor's rate. */
  chargeRate(units: number): void;
  /** For tests that kill nodes. */
  readonly claimMs?: number;
}

/** The maximum of unprocessed files in a folder (sftp.md). */
const unprocessedMax = 10_000;
/** After a count of at most half the maximum, a folder has room for this time: no client adds the other half sooner. */
const roomMs = 1_000;
/** The number of processed files that a session remembers: clients set the times of a file directly after the put. */
const rememberedMax = 1_000;
/** The claim of a dead node on a file expires after this; a live node renews it three times within it. */
const claimMsDefault = 10_000;
const full = failure("The files under temporary names use 1 GiB, the maximum: rename or delete some");
const askMs = 100;

/** `/inbound/{type}` during a session: unprocessed files, and the names of those that the session has processed. */
export function openInboundFolder(context: InboundContext, clientId: string, feedType: FeedType): Folder {
  const { database, clock, ids, uploads, processor, memory, chargeRate, claimMs = claimMsDefault } = context;
  const folderPath = `/inbound/${feedType}`;
  const processed = new Map<string, FileEntry>();
  const writing = new Set<{ readonly name: string; readonly file: WritableFile }>();
  /** On the monotonic clock: until then the folder has room, and the store has answered this session. */
  let hasRoomUntilMs = 0;
  const nowIso = (laterMs: number) => new Date(clock.now() + laterMs).toISOString();
  const placeOf = (name: string) => ({ clientId, feedType, name });

  function remember(name: string, size: number): void {
    processed.delete(name);
    processed.set(name, { name, size, modifiedAtMs: clock.now() });
    if (processed.size > rememberedMax) processed.delete(processed.keys().next().value as string);
  }

  function isWriting(name: string): boolean {
    return [...writing].some((open) => open.name === name);
  }

  /** Why a file that no longer exists cannot be renamed or removed. */
  function refusalOfAbsent(name: string): Refusal {
    if (isWriting(name)) return failure(`The file '${name}' is still being written; close it first`);
    if (processed.has(name)) return denied(`The file '${name}' was processed when it was closed; its ACK is in /acks`);
    return noSuchFile(name);
  }

  /** The checks of an open that need the store. Removes what the file replaces. */
  async function checkOpen(name: string, mode: WriteMode, hasRoom: boolean): Promise<Result<void, Refusal>> {
    const [existing, count] = await Promise.all([
      repository.findUpload(database.reads, placeOf(name)),
      hasRoom ? 0 : repository.countUploads(database.reads.of(clientId), feedType, unprocessedMax),
    ]);
    if (existing && mode.isExclusive) return refused(failure(`There is a file '${name}' already`));
    if (existing && !mode.isTruncating) {
      const text = `The upload of '${name}' cannot be continued: delete the file and send it again from its beginning`;
      return refused(failure(text));
    }
    if (!existing && count >= unprocessedMax) {
      const text = `There are ${unprocessedMax} unprocessed files in ${folderPath}: rename or delete some`;
      return refused(failure(text));
    }
    if (isTemporary(name) && existing?.state !== "WAITING" && (await uploads.isFull(clientId))) return refused(full);
    if (existing) await uploads.drop({ clientId, uploadId: existing.uploadId });
    if (!hasRoom && count <= unprocessedMax / 2) hasRoomUntilMs = performance.now() + roomMs;
    return ok(undefined);
  }

  async function finish(file: WrittenFile): Promise<Result<void, Refusal>> {
    const result = await finishNow(file);
    // The next refusal comes with the open again.
    if (!result.ok) hasRoomUntilMs = 0;
    return result;
  }

  async function finishNow({ upload, sizeBytes, stored, held }: WrittenFile): Promise<Result<void, Refusal>> {
    if (isTemporary(upload.name)) {
      const last = { ordinal: stored, bytes: held, sizeBytes };
      return whileStoreAnswers(async () => {
        const outcome = await uploads.keepWaiting(upload, last);
        if (outcome === "kept") return ok(undefined);
        if (outcome === "full" && stored > 0) await uploads.drop(upload).catch(() => {});
        return refused(outcome === "full" ? full : purged);
      });
    }
    const result = await processor.process({
      ...placeOf(upload.name),
      sizeBytes,
      chargeRate,
      bytes: async () => (stored === 0 ? held : uploads.load(upload, sizeBytes, held)),
    });
    // Processed or not, the chunks have no further use; if the removal fails, the purge of interrupted uploads removes
    // them.
    if (stored > 0) await uploads.drop(upload).catch(() => {});
    if (result.ok) remember(upload.name, sizeBytes);
    return result;
  }

  /** Processes a whole file under its final name. Waits for the claim of another node, dead or alive. */
  async function processWaiting(name: string, finalName: string): Promise<Result<void, Refusal>> {
    const claim = async () => {
      const row = await uploads.claim(placeOf(name), nowIso(claimMs));
      if (row) return ok(row);
      const other = await repository.findUpload(database, placeOf(name));
      return other?.state === "WAITING" ? undefined : refused(refusalOfAbsent(name));
    };
    const claimed = await pollUntil(claim, { everyMs: askMs, msMax: 3 * claimMs });
    if (!claimed) return refused(failure(`The file '${name}' is being processed by another session`));
    if (!claimed.ok) return claimed;
    const { uploadId, sizeBytes } = claimed.value;
    const renewing = setInterval(() => {
      repository.keepClaim(database.of(clientId), uploadId, nowIso(claimMs)).catch(() => {});
    }, claimMs / 3);
    let result: Result<void, Refusal>;
    try {
      const bytes = () => uploads.load({ clientId, uploadId }, sizeBytes);
      result = await processor.process({ ...placeOf(finalName), sizeBytes, chargeRate, bytes });
    } finally {
      clearInterval(renewing);
    }
    if (result.ok) {
      // A file whose removal fails still exists; if it is renamed again, it is processed as the same file again.
      await uploads.drop({ clientId, uploadId }).catch(() => {});
      await dropPartial(finalName).catch(() => {});
      remember(finalName, sizeBytes);
    } else {
      await repository.keepClaim(database.of(clientId), uploadId, undefined).catch(() => {});
    }
    return result;
  }

  /** Removes an interrupted upload whose name a complete file now has. */
  async function dropPartial(name: string): Promise<void> {
    const row = await repository.findUpload(database.reads, placeOf(name));
    if (row?.state === "PARTIAL") await uploads.drop({ clientId, uploadId: row.uploadId });
  }

  async function renameWaiting(name: string, to: string): Promise<Result<void, Refusal>> {
    const done = await uploads.rename(placeOf(name), to);
    if (done === "renamed") return ok(undefined);
    return refused(done === "absent" ? refusalOfAbsent(name) : failure(`There is a file '${to}' already`));
  }

  return {
    async list() {
      const rows = await repository.listUploads(database.of(clientId), feedType, unprocessedMax);
      return rows.map(entryOf);
    },

    async find(name) {
      const [open] = [...writing].filter((open) => open.name === name);
      if (open) return { name, size: open.file.size, modifiedAtMs: clock.now() };
      if (!canBeName(name)) return undefined;
      const known = processed.get(name);
      if (known) return known;
      const row = await repository.findUpload(database.reads, placeOf(name));
      return row && entryOf(row);
    },

    openWrite: (name, mode) =>
      whileStoreAnswers<WritableFile>(async () => {
        const bad = refusalOfName(name) ?? (await processor.refusalOfClient(clientId));
        if (bad) return refused(bad);
        const hasRoom = performance.now() < hasRoomUntilMs;
        const checked = whileStoreAnswers(() => checkOpen(name, mode, hasRoom)).then((result) => {
          if (!result.ok) hasRoomUntilMs = 0;
          return result;
        });
        // A session that sends file after file does not wait for the check: the client sends the bytes meanwhile, and
        // the close has the refusal. Only what the client asks of the open itself is decided by the open.
        const isEarly = hasRoom && mode.isTruncating && !mode.isExclusive && !isTemporary(name);
        const known = isEarly ? ok(undefined) : await checked;
        if (!known.ok) return known;
        processed.delete(name);
        const upload = { ...placeOf(name), uploadId: ids.next(clock.now()) };
        const onEnd = () => void writing.delete(open);
        const file = openFileWriter({ uploads, memory, finish, onEnd, checked }, upload);
        const open = { name, file };
        writing.add(open);
        return ok(file);
      }),

    rename: (name, to) =>
      whileStoreAnswers<void>(async () => {
        const bad = canBeName(name) ? refusalOfName(to.name) : noSuchFile(name);
        if (bad) return refused(bad);
        if (to.folder !== folderPath) {
          return refused(
            denied(`A file is processed in the folder into which it was uploaded, which is ${folderPath}`),
          );
        }
        if (isWriting(name)) return refused(refusalOfAbsent(name));
        const row = await repository.findUpload(database, placeOf(name));
        if (!row) return refused(refusalOfAbsent(name));
        if (row.state === "PARTIAL") {
          const text = `The file '${name}' is incomplete, because its connection was lost: send it again`;
          return refused(failure(text));
        }
        if (to.name === name) return ok(undefined);
        return isTemporary(to.name) ? renameWaiting(name, to.name) : processWaiting(name, to.name);
      }),

    remove: (name) =>
      whileStoreAnswers<void>(async () => {
        if (!canBeName(name) || isWriting(name)) return refused(refusalOfAbsent(name));
        return (await uploads.remove(placeOf(name))) ? ok(undefined) : refused(refusalOfAbsent(name));
      }),
  };
}

function entryOf({ name, sizeBytes, lastWrittenAt }: repository.StoredUpload): FileEntry {
  return { name, size: sizeBytes, modifiedAtMs: Date.parse(lastWrittenAt) };
}
