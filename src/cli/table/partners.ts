// The commands for warehouses and carriers.
import { type Command, loaded } from "#/cli/command.ts";

export const partnerCommands: readonly Command[] = [
  {
    name: "warehouse create",
    summary: "Issues OAuth credentials for a facility's warehouse system and prints them once.",
    arguments: [{ name: "FACILITY", meaning: "the facility whose work they give access to" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/credentials.ts")).warehouseCreate),
  },
  {
    name: "carrier-account create",
    summary: "Issues OAuth credentials with which a carrier reports its events, and prints them once.",
    arguments: [{ name: "CODE", meaning: "the carrier's code, as orders and parcels name it" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/carriers.ts")).carrierAccountCreate),
  },
  {
    name: "carrier import",
    summary: "Imports carrier services, price matrices and rules from a file, and puts them in force as a new version.",
    arguments: [
      { name: "FILE", meaning: "JSON: the whole set; CSV: one price matrix; `-` reads JSON from standard input" },
    ],
    options: [
      { name: "client", value: "ID", meaning: "for this client alone, instead of the operator's default" },
      {
        name: "rate-card",
        value: "SERVICE",
        meaning: "the service of a CSV price matrix; without it the name of the file, as in `RM48.csv`",
      },
      {
        name: "valid-from",
        value: "DAY",
        meaning:
          "with a CSV: the rate card that begins at this time, where the service has several; without it the last one",
      },
      { name: "note", value: "TEXT", meaning: "a comment on this version" },
      { name: "dry-run", meaning: "validates the file and saves nothing" },
    ],
    notes: [
      "A file is imported whole or not at all. Each fault is printed with its place: `#/rules/3/when/all/0/op`, or the line of a CSV. Earlier decisions keep the version with which they were made.",
      "A CSV replaces zones and breaks of the set in force. Its columns are zone, country, postcodes, remote, upToKg, price, perExtraKg; `carrier export --rate-card SERVICE` writes one. Other parts of the card do not change.",
    ],
    run: loaded(async () => (await import("#/cli/commands/carriers.ts")).carrierImport),
  },
  {
    name: "carrier export",
    summary: "Prints the carrier data in force, in the format of `carrier import`.",
    arguments: [],
    options: [
      { name: "client", value: "ID", meaning: "the data in force for this client; without it the operator's default" },
      { name: "rate-card", value: "SERVICE", meaning: "the price matrix of this service alone, as CSV" },
      {
        name: "valid-from",
        value: "DAY",
        meaning: "the rate card that begins at this time, where the service has several",
      },
    ],
    notes: ["The owner and the version are printed on standard error."],
    run: loaded(async () => (await import("#/cli/commands/carriers.ts")).carrierExport),
  },
  {
    name: "carrier simulate",
    summary: "Repeats past decisions of a client with a draft of carrier data, and compares the results.",
    arguments: [{ name: "FILE", meaning: "the draft, as JSON; `-` reads it from standard input" }],
    options: [
      { name: "client", value: "ID", meaning: "whose decisions", isRequired: true },
      { name: "from", value: "WHEN", meaning: "decisions from this time on: a day (UTC) or a time", isRequired: true },
      { name: "to", value: "WHEN", meaning: "decisions before this time", isRequired: true },
    ],
    notes: [
      "The command reads all decisions, while `POST /carrier/simulate` ends after 100 000 of them. It saves nothing.",
    ],
    run: loaded(async () => (await import("#/cli/commands/carriers.ts")).carrierSimulate),
  },
];
