import type { Command } from "#/cli/command.ts";
import { apiCommands, completionCommand } from "#/cli/table/api.ts";
import { clientCommands } from "#/cli/table/clients.ts";
import { facilityCommands } from "#/cli/table/facilities.ts";
import { feedCommands } from "#/cli/table/feeds.ts";
import { partnerCommands } from "#/cli/table/partners.ts";
import { serverCommands } from "#/cli/table/server.ts";
import { upkeepCommands } from "#/cli/table/upkeep.ts";
import { userCommands } from "#/cli/table/users.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...serverCommands,
  ...apiCommands,
  ...facilityCommands,
  ...clientCommands,
  ...partnerCommands,
  ...userCommands,
  ...feedCommands,
  ...upkeepCommands,
  completionCommand(() => commands),
];
