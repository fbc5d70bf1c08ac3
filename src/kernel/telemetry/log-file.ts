import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** Beyond this size a new file is begun; one older file is kept beside it. */
const logBytesMax = 20 * 1024 * 1024;

export interface LogFile {
  readonly path: string;
  /** Takes whole lines. */
  write(line: string): void;
}

/**
 * A log file of bounded size that only its owner may read: `NAME`, and `NAME.1` with what came before. Lines are written at
 * once, so that the last ones before a crash are there.
 *
 * @throws where the file cannot be opened.
 */
export function openLogFile(file: string, bytesMax = logBytesMax): LogFile {
  // As root it stays passable for the account of the embedded PostgreSQL, whose files lie in the same folder.
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
      bytes += writeSync(descriptor, line);
    },
  };
}
