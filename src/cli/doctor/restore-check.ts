import { type Check, doubtful, good } from "#/cli/doctor/check.ts";
import { timeOf } from "#/cli/doctor/words.ts";
import type { RestoreHold } from "#/db/store/restore-hold.ts";

/** The parts on hold after a restore, and whether CROSSDOCK_RESTORED still names a finished one. */
export function restoreCheck(holds: readonly RestoreHold[], restored: string | undefined, nowMs: number): Check {
  const name = "restore";
  const waiting = holds.filter(({ released_at }) => released_at === null);
  const [first] = waiting;
  if (first) {
    const parts = [...new Set(waiting.map(({ part }) => part.toLowerCase()))].sort().join(", ");
    const since = timeOf((nowMs - Date.parse(first.held_at)) / 1000);
    const text = `${parts} wait for a release, since ${since}: restored to ${first.restored_to}`;
    return doubtful(name, text, "check stock and receivers, then run 'crossdock restore release'");
  }
  const isOver = restored !== undefined && holds.some(({ restored_to }) => restored_to === restored);
  if (isOver) return doubtful(name, `the restore to ${restored} was released`, "remove CROSSDOCK_RESTORED");
  return good(name, holds.length === 0 ? "no restore" : "nothing waits");
}
