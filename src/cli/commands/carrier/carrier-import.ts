import path from "node:path";
import { ownerText, refuseFaults } from "#/cli/carrier-report.ts";
import { type Call, type Command, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { type Platform, readCallersFile, withPlatform } from "#/cli/context.ts";
import { refused } from "#/kernel/result.ts";
import {
  activeCarrierData,
  checkCarrierData,
  operatorsDefault,
  readRateCardCsv,
  saveCarrierData,
  withMatrix,
} from "#/modules/carriers/index.ts";
import { showClient } from "#/modules/clients/index.ts";

/** A set with all of Europe's prices is written to every node. */
const statementTimeoutMs = 60_000;

export const carrierImport: Command = {
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
  run(call) {
    const file = call.argument("FILE");
    const bytes = readCallersFile(file);
    if (!bytes.ok) return Promise.resolve(bytes);
    const isCsv = path.extname(file).toLowerCase() === ".csv" || call.option("rate-card") !== undefined;
    if (!isCsv && call.option("valid-from") !== undefined) {
      return Promise.resolve(misuse("--valid-from needs a CSV"));
    }
    return withPlatform(async (platform) => {
      const owner = call.option("client") ?? operatorsDefault;
      if (owner !== operatorsDefault) {
        const client = await showClient(platform.database, owner);
        if (!client.ok) return refuse(client.fault);
      }
      const text = bytes.value.toString("utf8").replace(/^\uFEFF/, "");
      return isCsv ? importMatrix(platform, call, owner, text) : importSet(platform, call, owner, text);
    });
  },
};

function importSet(platform: Platform, call: Call, owner: string, text: string): Promise<Outcome> | Outcome {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return refuse(`${call.argument("FILE")} is not valid JSON: ${(error as Error).message}`);
  }
  return save(platform, call, owner, data, []);
}

async function importMatrix(platform: Platform, call: Call, owner: string, text: string): Promise<Outcome> {
  const { matrix, report } = readRateCardCsv(text);
  const lines = report.map(({ line, isTaken, message }) => `line ${line}: ${isTaken ? "" : "refused: "}${message}`);
  if (!matrix) {
    const wrong = report.filter(({ isTaken }) => !isTaken);
    const reason = `the price matrix is invalid, and nothing was saved: ${wrong.length} line(s)`;
    return refuse(reason, { json: { lines: report }, lines });
  }
  const active = await activeCarrierData(platform.database, owner);
  if (active?.owner !== owner) {
    return refuse(`${ownerText(owner)} has no separate carrier data yet: import them as JSON first`);
  }
  const serviceCode =
    call.option("rate-card") ?? path.basename(call.argument("FILE"), path.extname(call.argument("FILE")));
  const changed = withMatrix(active.data, { serviceCode, validFrom: call.option("valid-from") }, matrix);
  return changed.ok ? save(platform, call, owner, changed.value, lines) : refuse(changed.fault);
}

/** @param lines the messages about the file so far. */
async function save(
  platform: Platform,
  call: Call,
  owner: string,
  data: unknown,
  lines: readonly string[],
): Promise<Outcome> {
  const checked = checkCarrierData(data);
  if (!checked.ok) return refuseFaults(checked.fault, lines);
  const { services, rateCards, rules = [], rates = [] } = checked.value;
  const counts = {
    services: services.length,
    rateCards: rateCards.length,
    rules: rules.length,
    rates: rates.length,
  };
  const told = [
    ...lines,
    `${counts.services} services, ${counts.rateCards} rate cards, ${counts.rules} rules, ${counts.rates} exchange rates for ${ownerText(owner)}.`,
  ];
  const json = { owner: owner === operatorsDefault ? null : owner, ...counts };
  if (call.flag("dry-run")) return done({ ...json, version: null }, [...told, "The file is valid. Nothing was saved."]);
  const saved = await platform.change(
    async (tx, change) => {
      const outcome = await saveCarrierData(tx, change, { owner, data, note: call.option("note") });
      // The same rules validated the set a moment ago.
      return outcome.ok ? outcome : refused(outcome.fault.map(({ message }) => message).join("\n"));
    },
    { statementTimeoutMs },
  );
  if (!saved.ok) return saved;
  const { version } = saved.value;
  return done({ ...json, version }, [...told, `Version ${version} is in force from now on.`]);
}
