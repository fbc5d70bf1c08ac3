import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/**
 * What the simulated warehouse has in hand, kept in a file so that a restart goes on in the middle: the port tells what is
 * to be done, not what a warehouse has picked and not packed yet, or how far a parcel has come. One line for each change,
 * written before the report that it is about; a line that a kill cut off is passed over.
 */
export interface Journal {
  /** What was there when it was opened. */
  readonly entries: ReadonlyMap<string, unknown>;
  put(key: string, value: unknown): void;
  remove(key: string): void;
  close(): void;
}

/** Rewritten without what has ended when the file has this many lines, and more than four for each that lives. */
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
      // Cut off by a kill: what it would have said was not reported either.
    }
  }
  return entries;
}
