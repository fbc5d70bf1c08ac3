import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/**
 * The work in hand of the simulated warehouse, in a file, so that a restart continues in the middle. The port lists the
 * work to do. It does not say which goods are picked and not yet packed, or how far a parcel has come. Each change is
 * one line, written before its report. A line that a kill cut off is skipped.
 */
export interface Journal {
  /** Entries at the time of opening. */
  readonly entries: ReadonlyMap<string, unknown>;
  put(key: string, value: unknown): void;
  remove(key: string): void;
  close(): void;
}

/** The file is compacted at this many lines, if it also has more than four for each live entry. */
const linesMax = 20_000;

export function openJournal(file: string): Journal {
  const entries = readEntries(file);
  mkdirSync(path.dirname(file), { recursive: true });
  let lines = 0;
  let descriptor = rewrite();

  function rewrite(): number {
    const unfinished = `${file}.${process.pid}`;
    const fresh = openSync(unfinished, "w", 0o600);
    for (const [key, value] of entries) writeSync(fresh, `${JSON.stringify([key, value])}\n`);
    renameSync(unfinished, file);
    lines = entries.size;
    return fresh;
  }

  function append(line: string): void {
    if (++lines > Math.max(linesMax, entries.size * 4)) {
      closeSync(descriptor);
      descriptor = rewrite();
    } else {
      writeSync(descriptor, `${line}\n`);
    }
  }

  return {
    entries,
    put(key, value) {
      entries.set(key, value);
      append(JSON.stringify([key, value]));
    },
    remove(key) {
      if (entries.delete(key)) append(JSON.stringify([key]));
    },
    close: () => closeSync(descriptor),
  };
}

function readEntries(file: string): Map<string, unknown> {
  const entries = new Map<string, unknown>();
  if (!existsSync(file)) return entries;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    try {
      const [key, ...value] = JSON.parse(line) as [string, unknown?];
      if (value.length > 0) entries.set(key, value[0]);
      else entries.delete(key);
    } catch {
      // Cut off by a kill, so its report was not sent either.
    }
  }
  return entries;
}
