// Folders in memory, for tests of the server above them.

import type { FileEntry, Folder, OpenFolders, Refusal, RenameTarget, WritableFile } from "#/intake/sftp/file-system.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

export interface MemoryFile {
  bytes: Buffer;
  modifiedAtMs: number;
}

export interface MemoryFolders {
  readonly open: OpenFolders;
  /** Path → name → file, of every client: `clientId/inbound/NO`. */
  readonly files: Map<string, Map<string, MemoryFile>>;
  /** Operations such as `close /inbound/NO/a.xml 12`. */
  readonly log: string[];
  put(clientId: string, folder: string, name: string, bytes: Buffer | string, modifiedAtMs?: number): void;
  get(clientId: string, folder: string, name: string): Buffer | undefined;
  /** Number of started operations. */
  readonly begun: { writes: number; closes: number };
  /** Behaviour of the next writes and closes. */
  behaviour: { writeDelayMs: number; closeDelayMs: number; isAway: boolean; isBroken: boolean };
}

export const fileBytesMax = 20 * 1024 * 1024;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function memoryFolders(): MemoryFolders {
  const files: MemoryFolders["files"] = new Map();
  const log: string[] = [];
  const begun = { writes: 0, closes: 0 };
  const behaviour = { writeDelayMs: 0, closeDelayMs: 0, isAway: false, isBroken: false };
  const folderOf = (clientId: string, folder: string) => {
    const key = clientId + folder;
    const known = files.get(key) ?? new Map<string, MemoryFile>();
    files.set(key, known);
    return known;
  };

  function check(): void {
    if (behaviour.isAway) throw new StoreUnavailableError("the store is away");
    if (behaviour.isBroken) throw new TypeError("the folder is broken");
  }

  function writable(path: string, settle: (bytes: Buffer) => void): WritableFile {
    const parts: Buffer[] = [];
    let size = 0;
    return {
      get size() {
        return size;
      },
      async write(offset, bytes): Promise<Result<void, Refusal>> {
        begun.writes++;
        if (behaviour.writeDelayMs > 0) await sleep(behaviour.writeDelayMs);
        check();
        if (offset !== size)
          return refused({ status: "FAILURE", message: "A file is written from its beginning to its end." });
        if (size + bytes.length > fileBytesMax)
          return refused({ status: "FAILURE", message: "A file has at most 20 MiB." });
        parts.push(bytes);
        size += bytes.length;
        return ok(undefined);
      },
      async close() {
        begun.closes++;
        if (behaviour.closeDelayMs > 0) await sleep(behaviour.closeDelayMs);
        check();
        log.push(`close ${path} ${size}`);
        settle(Buffer.concat(parts));
        return ok(undefined);
      },
      async abandon() {
        log.push(`abandon ${path} ${size}`);
      },
    };
  }

  function folder(clientId: string, path: string, may: { read?: boolean; write?: boolean; change?: boolean }): Folder {
    const files = folderOf(clientId, path);
    const entryOf = (name: string, { bytes, modifiedAtMs }: MemoryFile): FileEntry => ({
      name,
      size: bytes.length,
      modifiedAtMs,
    });
    const missing = refused<Refusal>({ status: "NO_SUCH_FILE", message: "There is no such file." });
    return {
      async list() {
        check();
        return [...files].map(([name, file]) => entryOf(name, file));
      },
      async find(name) {
        check();
        const file = files.get(name);
        return file && entryOf(name, file);
      },
      ...(may.read
        ? {
            openRead: async (name: string) => {
              check();
              const file = files.get(name);
              if (!file) return missing;
              return ok({
                size: file.bytes.length,
                modifiedAtMs: file.modifiedAtMs,
                async read(offset: number, length: number) {
                  check();
                  return file.bytes.subarray(offset, offset + length);
                },
                close: async () => void log.push(`closeRead ${path}/${name}`),
              });
            },
          }
        : {}),
      ...(may.write
        ? {
            openWrite: async (name: string, { isExclusive, isTruncating }) => {
              check();
              const file = files.get(name);
              if (file && isExclusive)
                return refused<Refusal>({ status: "FAILURE", message: "There is such a file already." });
              if (file && !isTruncating && file.bytes.length > 0)
                return refused<Refusal>({
                  status: "OP_UNSUPPORTED",
                  message: "An upload cannot be resumed: send the file again.",
                });
              return ok(
                writable(`${path}/${name}`, (bytes) => void files.set(name, { bytes, modifiedAtMs: Date.now() })),
              );
            },
          }
        : {}),
      ...(may.change
        ? {
            async rename(name: string, to: RenameTarget) {
              check();
              const file = files.get(name);
              if (!file) return missing;
              const target = folderOf(clientId, to.folder);
              files.delete(name);
              target.set(to.name, file);
              log.push(`rename ${path}/${name} ${to.folder}/${to.name}`);
              return ok(undefined);
            },
            async remove(name: string) {
              check();
              return files.delete(name) ? ok(undefined) : missing;
            },
          }
        : {}),
    };
  }

  return {
    files,
    log,
    begun,
    behaviour,
    put: (clientId, path, name, bytes, modifiedAtMs = Date.now()) =>
      void folderOf(clientId, path).set(name, { bytes: Buffer.from(bytes), modifiedAtMs }),
    get: (clientId, path, name) => folderOf(clientId, path).get(name)?.bytes,
    open: ({ clientId }) =>
      new Map([
        ["/inbound/CAT", folder(clientId, "/inbound/CAT", { write: true, change: true })],
        ["/inbound/NO", folder(clientId, "/inbound/NO", { write: true, change: true })],
        ["/acks", folder(clientId, "/acks", { read: true, change: true })],
        ["/outbound/OS", folder(clientId, "/outbound/OS", { read: true, change: true })],
        ["/outbound/archive", folder(clientId, "/outbound/archive", { read: true })],
        ["/archive", folder(clientId, "/archive", { read: true })],
      ]),
  };
}
