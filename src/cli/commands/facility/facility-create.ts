import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { createFacility } from "#/modules/facilities/service.ts";

export const facilityCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const created = await platform.change((tx, change) =>
      createFacility(tx, change, {
        facilityCode: call.argument("CODE"),
        name: call.given("name"),
        country: call.given("country"),
        timezone: call.given("timezone"),
      }),
    );
    if (!created.ok) return created;
    const { facilityCode, name, country, timezone } = created.value;
    return done(created.value, [`Facility ${facilityCode} is created: ${name}, ${country}, ${timezone}.`]);
  });
