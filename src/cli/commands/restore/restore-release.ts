import { type Call, done, misuse, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listHeldParts, type RestorePart, releaseHolds, restoreParts } from "#/db/store/restore-hold.ts";
import { ok } from "#/kernel/result.ts";

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
