import type { FileEntry, Folder, Refusal } from "#/intake/sftp/file-system.ts";
import { dayMs } from "#/kernel/values/durations.ts";

/** ATTRS of draft-ietf-secsh-filexfer-02 §5; absent members are not sent. */
export interface Attributes {
  readonly size?: number;
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Includes the bits of the file's type. */
  readonly mode?: number;
  /** Seconds since 1970. */
  readonly times?: { readonly accessed: number; readonly modified: number };
}

const directoryKind = 0o040000;
const fileKind = 0o100000;

/** A placeholder: the protocol requires numbers, and a client has no users. */
const owner = { uid: 1000, gid: 1000 };

export function attributesOfFile(folder: Folder, { size, modifiedAtMs }: Omit<FileEntry, "name">): Attributes {
  const seconds = Math.floor(modifiedAtMs / 1000);
  const mode = fileKind | (folder.openRead ? 0o444 : 0) | (folder.openWrite ? 0o200 : 0);
  return { size, owner, mode, times: { accessed: seconds, modified: seconds } };
}

/** @param modifiedAtMs of a folder: the start of the session, because a folder has no other time. */
export function attributesOfDirectory(folder: Folder | undefined, modifiedAtMs: number): Attributes {
  const seconds = Math.floor(modifiedAtMs / 1000);
  const mode = directoryKind | 0o555 | (folder?.openWrite ? 0o200 : 0);
  return { size: 0, owner, mode, times: { accessed: seconds, modified: seconds } };
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const halfAYearMs = 182 * dayMs;

/**
 * A line in the format of `ls -l` (recommended by §7 of the draft), times in UTC: old clients read it instead of ATTRS.
 */
export function longNameOf(name: string, attributes: Attributes, nowMs: number): string {
  const { mode = 0, size = 0, times } = attributes;
  const letters = [..."rwxrwxrwx"].map((letter, i) => ((mode >> (8 - i)) & 1 ? letter : "-")).join("");
  const kind = (mode & 0o170000) === directoryKind ? "d" : "-";
  const at = new Date((times?.modified ?? 0) * 1000);
  const isRecent = Math.abs(nowMs - at.getTime()) < halfAYearMs;
  const two = (number: number) => String(number).padStart(2, "0");
  const last = isRecent ? `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}` : String(at.getUTCFullYear());
  const date = `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)} ${last.padStart(5)}`;
  return `${kind}${letters}    1 client   client   ${String(size).padStart(8)} ${date} ${name}`;
}

/**
 * Why a client may not change a file's attributes. Times and permissions are accepted without effect: clients set them
 * after every upload, and a failure there looks like a failure of the upload.
 */
export function refusalOfChange(wanted: Attributes, { size }: Attributes): Refusal | undefined {
  if (wanted.size !== undefined && wanted.size !== size) {
    return {
      status: "FAILURE",
      message: "A file has the length of the data that were written: it cannot be truncated or extended.",
    };
  }
  if (wanted.owner !== undefined && (wanted.owner.uid !== owner.uid || wanted.owner.gid !== owner.gid)) {
    return { status: "PERMISSION_DENIED", message: "A file's owner cannot be changed." };
  }
  return undefined;
}
