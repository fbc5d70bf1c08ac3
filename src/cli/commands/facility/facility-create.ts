import { type Call, done, type Outcome } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { createFacility } from "#/modules/facilities/service.ts";
import { silenceFacility } from "#/warehouse-sim/control-repository.ts";

export const facilityCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const isSilent = call.flag("no-simulation");
    const created = await platform.change(async (tx, change) => {
      const facility = await createFacility(tx, change, {
        facilityCode: call.argument("CODE"),
        name: call.given("name"),
        country: call.given("country"),
        timezone: call.given("timezone"),
      });
      if (facility.ok && isSilent) await silenceFacility(tx, change, facility.value.facilityCode);
      return facility;
    });
    if (!created.ok) return created;
    const { facilityCode, name, country, timezone } = created.value;
    const simulation = isSilent ? " The simulated warehouse is silent there." : "";
    return done(created.value, [`Facility ${facilityCode} is created: ${name}, ${country}, ${timezone}.${simulation}`]);
  });
