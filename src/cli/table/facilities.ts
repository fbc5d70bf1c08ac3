// The commands for facilities.
import { type Command, loaded } from "#/cli/command.ts";
import { settingReference } from "#/kernel/config/setting-words.ts";
import { facilitySettingNames, facilitySettings, facilitySettingWords } from "#/modules/facilities/settings.ts";

export const facilityCommands: readonly Command[] = [
  {
    name: "facility create",
    summary: "Makes a facility.",
    arguments: [{ name: "CODE", meaning: "1 to 10 letters, digits, '_' or '-': the distributionCentre of feeds" }],
    options: [
      { name: "name", value: "NAME", meaning: "display name", isRequired: true },
      { name: "country", value: "CC", meaning: "ISO 3166-1 code, such as GB", isRequired: true },
      { name: "timezone", value: "TZ", meaning: "IANA time zone, such as Europe/London", isRequired: true },
      {
        name: "no-simulation",
        meaning: "in a sandbox, the simulated warehouse is silent there: a warehouse system of yours does the work",
      },
    ],
    notes: ["Existing clients are not routed to it: see `client set ID --facility CODE`."],
    run: loaded(async () => (await import("#/cli/commands/facilities.ts")).facilityCreate),
  },
  {
    name: "facility list",
    summary: "Lists the facilities, in order of their creation.",
    arguments: [],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/facilities.ts")).facilityList),
  },
  {
    name: "facility show",
    summary: "Shows a facility: name, country, time zone, every setting.",
    arguments: [{ name: "CODE", meaning: "the facility" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/facilities.ts")).facilityShow),
  },
  {
    name: "facility set",
    summary: "Changes settings of a facility, or its name.",
    arguments: [
      { name: "CODE", meaning: "the facility" },
      { name: "KEY=VALUE", meaning: "a setting and its new value; KEY= resets it to its default", isList: true },
    ],
    options: [{ name: "name", value: "NAME", meaning: "display name" }],
    notes: facilitySettingNames.map((name) => {
      const { standardText, meaning } = facilitySettings[name];
      return `${name} (${standardText}): ${settingReference(meaning, facilitySettingWords[name])}`;
    }),
    run: loaded(async () => (await import("#/cli/commands/facilities.ts")).facilitySet),
  },
];
