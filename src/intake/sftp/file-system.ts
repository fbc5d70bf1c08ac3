import { type Result, refused } from "#/kernel/result.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

/**
 * Why a request is refused: one of the statuses of SFTP (draft-ietf-secsh-filexfer-02, §7), and a sentence for people.
 */
export interface Refusal {
  readonly status: "NO_SUCH_FILE" | "PERMISSION_DENIED" | "FAILURE" | "OP_UNSUPPORTED";
  readonly message: string;
}

/** The logged-in client. */
export interface Visitor {
  readonly clientId: string;
  readonly credentialId: string;
  /** For the audit log: `sftp:<user name>`. */
  readonly actor: string;
  /** The remote address of the session. */
  readonly origin: string;
}

export interface FileEntry {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly modifiedAtMs: number;
}

export interface ReadableFile {
  readonly size: number;
  readonly modifiedAtMs: number;
  /** Returns fewer bytes than requested only at the end of the file; none after it. */
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface WritableFile {
  /** The number of bytes received so far. */
  readonly size: number;
  /** The file owns the bytes when the call returns. Refused where they do not continue the previous bytes. */
  write(offset: number, bytes: Buffer): Promise<Result<void, Refusal>>;
  /** The file is complete. When this resolves, all processing of the file is done. */
  close(): Promise<Result<void, Refusal>>;
  /**
   * The connection broke before the file was closed, or a part of it was refused or could not be written: the file does
   * not exist. Called instead of `close`; no call follows either of them.
   */
  abandon(): Promise<void>;
}

/** How a client writes a file. */
export interface WriteMode {
  /** Refused where the file exists. */
  readonly isExclusive: boolean;
  /** An existing file is replaced; false only where the client requests to append to it. */
  readonly isTruncating: boolean;
}

export interface RenameTarget {
  /** The folder's path, as mounted. */
  readonly folder: string;
  readonly name: string;
}

/**
 * A folder of the virtual file system, as one visitor sees it during a session. An operation without a method is
 * refused as PERMISSION_DENIED.
 */
export interface Folder {
  /** The oldest first; the folder decides the maximum number. */
  list(): Promise<readonly FileEntry[]>;
  /** Finds one file by its name; a session may know files that are no longer listed. */
  find(name: string): Promise<FileEntry | undefined>;
  openRead?(name: string): Promise<Result<ReadableFile, Refusal>>;
  openWrite?(name: string, mode: WriteMode): Promise<Result<WritableFile, Refusal>>;
  rename?(name: string, to: RenameTarget): Promise<Result<void, Refusal>>;
  remove?(name: string): Promise<Result<void, Refusal>>;
}

/**
 * The folders of a visitor by their paths, such as `/inbound/NO`; their parent directories are derived from the paths.
 */
export type OpenFolders = (visitor: Visitor) => ReadonlyMap<string, Folder>;

export const noSuchFile = (name: string): Refusal => ({
  status: "NO_SUCH_FILE",
  message: `There is no file '${name}'`,
});

export const failure = (message: string): Refusal => ({ status: "FAILURE", message });

export const denied = (message: string): Refusal => ({ status: "PERMISSION_DENIED", message });

/** The refusal while the database is unavailable. */
export const unavailable: Refusal = failure(
  "The database cannot be reached, or the outcome is unknown; it is safe to send the file again",
);

/** Runs work that needs the database; while it is unavailable, refuses with that reason. */
export async function whileStoreAnswers<Value>(
  work: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailableError) return refused(unavailable);
    throw error;
  }
}
