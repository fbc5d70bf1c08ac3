import { type Command, done, misuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listHeldParts, type RestorePart, releaseHolds, restoreParts } from "#/db/store/restore-hold.ts";
import { ok } from "#/kernel/result.ts";

const meanings: Readonly<Record<RestorePart, string>> = {
  DELIVERIES: "webhooks, outbound feeds and mails are sent",
  ALLOCATION: "accepted documents are processed, and orders are allocated",
  TASKS: "warehouses receive their tasks",
};
const flagOf = (part: RestorePart) => part.toLowerCase();

export const restoreRelease: Command = {
  name: "restore release",
  summary: "Releases the work that waits after a restore: the named parts, or all with --all.",
  arguments: [],
  options: [
    ...restoreParts.map((part) => ({ name: flagOf(part), meaning: meanings[part] })),
    { name: "all", meaning: "all three" },
  ],
  notes: [
    "Running servers continue within a second. This cannot be undone. The audit log records the release.",
    "docs/backup-and-restore.md says what to check before each of them.",
  ],
  async run(call) {
    const isAll = call.flag("all");
    const parts = restoreParts.filter((part) => isAll || call.flag(flagOf(part)));
    if (parts.length === 0) return misuse(`name what to release: --${restoreParts.map(flagOf).join(", --")} or --all`);
    return withPlatform(async (platform) => {
      const released = await platform.change(async (tx, change) => ok(await releaseHolds(tx, change, parts)));
      if (!released.ok) return released;
      const waiting = await listHeldParts(platform.database);
      const said =
        released.value.length === 0 ? "None of these parts was waiting." : `Released: ${released.value.join(", ")}.`;
      const rest = waiting.length === 0 ? "Nothing is waiting." : `Still waiting: ${waiting.join(", ")}.`;
      return done({ released: released.value, waiting }, [said, rest]);
    });
  },
};
