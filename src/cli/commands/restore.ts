import { table } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { ok } from "#/kernel/result.ts";
import {
  listHeldParts,
  listHolds,
  type RestoreHold,
  type RestorePart,
  releaseHolds,
  restoreParts,
} from "#/store/db/store/restore-hold.ts";

const flagOf = (part: RestorePart) => part.toLowerCase();

export async function restoreRelease(call: Call): Promise<Outcome> {
  const isAll = call.flag("all");
  const parts = restoreParts.filter((part) => isAll || call.flag(flagOf(part)));
  if (parts.length === 0) return misuse(`name what to release: --${restoreParts.map(flagOf).join(", --")} or --all`);
  return withPlatform(async (platform) => {
    const released = await platform.change(async (tx, change) => ok(await releaseHolds(tx, change, parts)));
    if (!released.ok) return released;
    const waiting = await listHeldParts(platform.database);
    const summary =
      released.value.length === 0 ? "None of these parts was waiting." : `Released: ${released.value.join(", ")}.`;
    const rest = waiting.length === 0 ? "Nothing is waiting." : `Still waiting: ${waiting.join(", ")}.`;
    return done({ released: released.value, waiting }, [summary, rest]);
  });
}

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
