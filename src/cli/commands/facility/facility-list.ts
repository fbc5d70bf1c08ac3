import { table } from "#/cli/columns.ts";
import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listFacilities } from "#/modules/facilities/index.ts";

export const facilityList: Command = {
  name: "facility list",
  summary: "Lists the facilities, in order of their creation.",
  arguments: [],
  options: [],
  run: () =>
    withPlatform(async ({ database }) => {
      const facilities = await listFacilities(database);
      const rows = facilities.map((row) => [row.facilityCode, row.country, row.timezone, row.name]);
      const none = "No facility yet; create one with 'crossdock facility create CODE …'.";
      return done(facilities, table(["FACILITY", "COUNTRY", "TIME ZONE", "NAME"], rows, none));
    }),
};
