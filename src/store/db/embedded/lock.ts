// Locks between processes that the operating system releases when their owner dies, however it dies. They are SQLite's
// file locks on empty files. No other kind of lock in Node detects a stale lock without pids or ages, and holds between
// containers which share a folder.
import { DatabaseSync } from "node:sqlite";
import { pollUntil } from "#/kernel/concurrency/polling.ts";

const sqliteBusy = 5;

export interface HeldLock {
  release(): void;
}

/** Takes the lock exclusively. Returns undefined when any other process holds it, exclusively or shared. */
export function tryExclusive(file: string): HeldLock | undefined {
  return tryLock(file, ["begin exclusive"]);
}

/** Takes a share of the lock. Returns undefined when another process holds it exclusively. */
export function tryShared(file: string): HeldLock | undefined {
  // A transaction takes its share with the first read.
  return tryLock(file, ["begin", "select count(*) from sqlite_schema"]);
}

/**
 * Runs `work` while no other process runs under the same lock.
 * @throws when the lock is not available within `waitMsMax`
 */
export async function withLock<Value>(file: string, waitMsMax: number, work: () => Promise<Value>): Promise<Value> {
  const lock = await pollUntil(() => tryExclusive(file), { everyMs: 20, msMax: waitMsMax });
  if (!lock) throw new Error(`another process has held ${file} for ${waitMsMax / 1000} s`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function tryLock(file: string, statements: readonly string[]): HeldLock | undefined {
  const connection = new DatabaseSync(file);
  try {
    // A journal on disk needs space, which a full disk does not have.
    for (const statement of ["pragma journal_mode = memory", ...statements]) connection.exec(statement);
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw new Error(`${file} cannot be locked`, { cause: error });
  }
}
