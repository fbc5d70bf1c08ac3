import type { Result } from "#/kernel/result.ts";

/** Why a request is refused: one of the statuses of SFTP (draft-ietf-secsh-filexfer-02, §7), and a sentence for people. */
export interface Refusal {
  readonly status: "NO_SUCH_FILE" | "PERMISSION_DENIED" | "FAILURE" | "OP_UNSUPPORTED";
  readonly message: string;
}

/** Who is logged in. */
export interface Visitor {
  readonly clientId: string;
  readonly credentialId: string;
  /** For the audit log: `sftp:<user name>`. */
  readonly actor: string;
  /** The address that the session comes from. */
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
  /** Fewer bytes than asked for only at the end of the file; none behind it. */
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface WritableFile {
  /** Bytes so far. */
  readonly size: number;
  /** The bytes are the file's own when the call returns. Refused where they do not continue what was written before. */
  write(offset: number, bytes: Buffer): Promise<Result<void, Refusal>>;
  /** The file is whole. When this answers, whatever is to follow of it has been done. */
  close(): Promise<Result<void, Refusal>>;
  /**
   * The connection broke before the file was closed, or a part of it was refused or could not be written: it is none.
   * Called in the place of `close`; behind either of them nothing is called.
   */
  abandon(): Promise<void>;
}

/** How a client wants to write a file. */
export interface WriteMode {
  /** Refused where the file is there. */
  readonly isExclusive: boolean;
  /** What was there before is replaced; false only where the client asks to append to it. */
  readonly isTruncating: boolean;
}

/** Where a file is renamed to. */
export interface RenameTarget {
  /** Of the folder, as it is mounted. */
  readonly folder: string;
  readonly name: string;
}

/**
 * A folder of the virtual file system as one visitor sees it for the length of a session. What is missing may not be done
 * there, and is refused as PERMISSION_DENIED.
 */
export interface Folder {
  /** The oldest first; how many at most is the folder's own matter. */
  list(): Promise<readonly FileEntry[]>;
  /** One file by its name; a session may know of files that are not listed any more. */
  find(name: string): Promise<FileEntry | undefined>;
  openRead?(name: string): Promise<Result<ReadableFile, Refusal>>;
  openWrite?(name: string, mode: WriteMode): Promise<Result<WritableFile, Refusal>>;
  rename?(name: string, to: RenameTarget): Promise<Result<void, Refusal>>;
  remove?(name: string): Promise<Result<void, Refusal>>;
}

/** The folders of a visitor by their paths, such as `/inbound/NO`; those above them are made of these. */
export type OpenFolders = (visitor: Visitor) => ReadonlyMap<string, Folder>;
