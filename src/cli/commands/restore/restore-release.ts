import { type Command, done, misuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listHeldParts, type RestorePart, releaseHolds, restoreParts } from "#/db/store/restore-hold.ts";
import { ok } from "#/kernel/result.ts";

const meanings: Readonly<Record<RestorePart, string>> = {
  DELIVERIES: "webhooks, outbound feeds and mails leave",
  ALLOCATION: "accepted documents are worked on, and orders get stock",
  TASKS: "warehouses are given their tasks",
};
const flagOf = (part: RestorePart) => part.toLowerCase();

export const restoreRelease: Command = {
  name: "restore release",
  summary: "Lets go on what waits after a restore: the parts that are named, or all with --all.",
  arguments: [],
  options: [
    ...restoreParts.map((part) => ({ name: flagOf(part), meaning: meanings[part] })),
    { name: "all", meaning: "all three" },
  ],
  notes: [
    "Running servers go on within a second. It cannot be taken back. What is released is written to the audit log.",
    "docs/backup-and-restore.md says what to look at before each of them.",
  ],
  async run(call) {
    const isAll = call.flag("all");
    const parts = restoreParts.filter((part) => isAll || call.flag(flagOf(part)));
    if (parts.length === 0) return misuse(`name what to release: --${restoreParts.map(flagOf).join(", --")} or --all`);
    return withPlatform(async (platform) => {
      const released = await platform.change(async (tx, change) => ok(await releaseHolds(tx, change, parts)));
      if (!released.ok) return released;
      const waiting = await listHeldParts(platform.database);
      const said = released.value.length === 0 ? "None of them waited." : `Released: ${released.value.join(", ")}.`;
      const rest = waiting.length === 0 ? "Nothing waits any more." : `Still waiting: ${waiting.join(", ")}.`;
      return done({ released: released.value, waiting }, [said, rest]);
    });
  },
};
