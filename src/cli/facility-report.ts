import { columns } from "#/cli/columns.ts";
import type { Report } from "#/cli/command.ts";
import type { Facility } from "#/modules/facilities/service.ts";
import { facilitySettingNames, facilitySettingText, isFacilitySettingSet } from "#/modules/facilities/settings.ts";

/** A facility with every setting; those that differ from their defaults are marked. */
export function facilityReport(facility: Facility): Report {
  const { facilityCode, name, country, timezone, settings, createdAt } = facility;
  return {
    json: facility,
    lines: [
      ...columns([
        ["Facility", facilityCode],
        ["Name", name],
        ["Country", country],
        ["Time zone", timezone],
        ["Created", createdAt],
      ]),
      "",
      "Settings (* other than the default)",
      ...columns(
        facilitySettingNames.map((setting) => [
          isFacilitySettingSet(settings, setting) ? "*" : " ",
          setting,
          facilitySettingText(settings, setting),
        ]),
      ),
    ],
  };
}
