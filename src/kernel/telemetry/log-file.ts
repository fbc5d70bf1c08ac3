import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** At this size a new file is started; one older file is kept in addition. */
const logBytesMax = 20 * 1024 * 1024;

export interface LogFile {
  readonly path: string;
  /** Writes whole lines. A line for which the disk has no space is lost: the work that it reports goes on. */
  write(line: string): void;
}

/**
 * A log file of bounded size that only its owner may read: `NAME`, and `NAME.1` with the earlier lines. Lines are
 * written at once, so that the last ones before a crash are present.
 *
 * @throws where the file cannot be opened.
 */
export function openLogFile(file: string, bytesMax = logBytesMax): LogFile {
  // As root the directory stays accessible to the account of the embedded PostgreSQL, whose files are in the same
  // folder.
  mkdirSync(path.dirname(file), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  let descriptor = openSync(file, "a", 0o600);
  let bytes = fstatSync(descriptor).size;
  return {
    path: file,
    write(line) {
      if (bytes > bytesMax) {
        closeSync(descriptor);
        renameSync(file, `${file}.1`);
        descriptor = openSync(file, "a", 0o600);
        bytes = 0;
      }
      try {
        bytes += writeSync(descriptor, line);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
  };
}
