import { type Command, done } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { createFacility } from "#/modules/facilities/index.ts";

export const facilityCreate: Command = {
  name: "facility create",
  summary: "Makes a facility.",
  arguments: [{ name: "CODE", meaning: "1 to 10 letters, digits, '_' or '-': the distributionCentre of feeds" }],
  options: [
    { name: "name", value: "NAME", meaning: "display name", isRequired: true },
    { name: "country", value: "CC", meaning: "ISO 3166-1 code, such as GB", isRequired: true },
    { name: "timezone", value: "TZ", meaning: "IANA time zone, such as Europe/London", isRequired: true },
  ],
  notes: ["Existing clients are not routed to it: see `client set ID --facility CODE`."],
  run: (call) =>
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
    }),
};
