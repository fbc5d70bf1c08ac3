import { table } from "#/cli/columns.ts";
import { done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { listFacilities } from "#/modules/facilities/service.ts";

export const facilityList = (): Promise<Outcome> =>
  withPlatform(async ({ database }) => {
    const facilities = await listFacilities(database);
    const rows = facilities.map((row) => [row.facilityCode, row.country, row.timezone, row.name]);
    const none = "No facility yet; create one with 'crossdock facility create CODE …'.";
    return done(facilities, table(["FACILITY", "COUNTRY", "TIME ZONE", "NAME"], rows, none));
  });
