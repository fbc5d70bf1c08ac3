import { table } from "#/cli/columns.ts";
import { done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listHolds, type RestoreHold } from "#/db/store/restore-hold.ts";

export const restoreStatus = (): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const holds = await listHolds(database);
    const waiting = [...new Set(holds.filter(({ released_at }) => released_at === null).map(({ part }) => part))];
    const summary =
      waiting.length === 0
        ? "Nothing waits for a release."
        : `${waiting.join(", ")} wait for 'crossdock restore release'.`;
    const json = { waiting, holds: holds.map(jsonOf) };
    return done(json, [summary, ...(holds.length === 0 ? [] : linesOf(holds))]);
  });

function jsonOf({ restored_to, part, held_at, released_at, released_by }: RestoreHold) {
  return { restoredTo: restored_to, part, heldAt: held_at, releasedAt: released_at, releasedBy: released_by };
}

function linesOf(holds: readonly RestoreHold[]): string[] {
  const rows = holds.map(({ restored_to, part, held_at, released_at, released_by }) => [
    restored_to,
    part,
    held_at,
    released_at ?? "waits",
    released_by ?? "",
  ]);
  return table(["RESTORED TO", "PART", "HELD", "RELEASED", "BY"], rows, "");
}
