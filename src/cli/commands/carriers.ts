import path from "node:path";
import { columns } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { type Platform, readCallersFile, withPlatform } from "#/cli/context.ts";
import { credentialLines } from "#/cli/credential-lines.ts";
import { progressBar } from "#/cli/progress.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { refused } from "#/kernel/result.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { checkCarrierData, warningsOf } from "#/modules/carriers/checks/check-carrier-data.ts";
import { activeCarrierData, operatorsDefault, saveCarrierData } from "#/modules/carriers/data/carrier-data.ts";
import { matrixOf, withMatrix } from "#/modules/carriers/rate-cards/price-matrix.ts";
import { readRateCardCsv, writeRateCardCsv } from "#/modules/carriers/rate-cards/rate-card-csv.ts";
import { runDraft } from "#/modules/carriers/simulation/draft-run.ts";
import { simulate } from "#/modules/carriers/simulation/simulation.ts";
import type { SimulationResult } from "#/modules/carriers/simulation/simulation-tally.ts";
import { issueCarrierCredential } from "#/modules/clients/credentials/credentials.ts";
import { showClient } from "#/modules/clients/service.ts";

const ownerText = (owner: string) => (owner === operatorsDefault ? "the operator's default" : `client ${owner}`);

/** The refusal of a set: each fault with its pointer, and nothing was saved. */
function refuseFaults(faults: readonly RequestFault[], lines: readonly string[] = []): Outcome {
  const found = faults.map(({ pointer, message }) => `${pointer}: ${message}`);
  return refuse(`the data are invalid, and nothing was saved: ${faults.length} fault(s)`, {
    json: { errors: faults },
    lines: [...lines, ...found],
  });
}

export const carrierAccountCreate = (call: Call): Promise<Outcome> =>
  withPlatform(async (platform) => {
    const { environment } = platform.config;
    const carrierCode = call.argument("CODE");
    const issued = await platform.change((tx, change) =>
      issueCarrierCredential(tx, change, { carrierCode, environment }),
    );
    if (!issued.ok) return issued;
    const lines = [`Credentials of the carrier ${carrierCode} (${environment}), shown only now:`];
    return done(issued.value, [...lines, ...credentialLines({ oauth: issued.value.oauth })]);
  });

export function carrierExport(call: Call): Promise<Outcome> {
  const [serviceCode, validFrom] = [call.option("rate-card"), call.option("valid-from")];
  if (serviceCode === undefined && validFrom !== undefined) {
    return Promise.resolve(misuse("--valid-from needs --rate-card"));
  }
  return withPlatform(async ({ database }) => {
    const clientId = call.option("client") ?? operatorsDefault;
    const view = database.of(clientId);
    if (clientId !== operatorsDefault) {
      const client = await showClient(view);
      if (!client.ok) return refuse(client.fault);
    }
    const active = await activeCarrierData(view);
    if (!active) return refuse("no carrier data yet");
    const notes = [`version ${active.version} of ${ownerText(active.owner)}`];
    if (serviceCode === undefined) {
      return done(active.data, JSON.stringify(active.data, null, 2).split("\n"), notes);
    }
    const matrix = matrixOf(active.data, { serviceCode, validFrom });
    if (!matrix.ok) return refuse(matrix.fault);
    return done(matrix.value, writeRateCardCsv(matrix.value).trimEnd().split(/\r?\n/), notes);
  });
}

/** A set with all of Europe's prices is written to every node. */
const statementTimeoutMs = minuteMs;

export function carrierImport(call: Call): Promise<Outcome> {
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
      const client = await showClient(platform.database.of(owner));
      if (!client.ok) return refuse(client.fault);
    }
    const text = bytes.value.toString("utf8").replace(/^\uFEFF/, "");
    return isCsv ? importMatrix(platform, call, owner, text) : importSet(platform, call, owner, text);
  });
}

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
  const active = await activeCarrierData(platform.database.of(owner));
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
  const warnings = warningsOf(checked.value);
  const summary = [
    ...lines,
    ...warnings.map(({ pointer, message }) => `${pointer}: warning: ${message}`),
    `${counts.services} services, ${counts.rateCards} rate cards, ${counts.rules} rules, ${counts.rates} exchange rates for ${ownerText(owner)}.`,
  ];
  const json = { owner: owner === operatorsDefault ? null : owner, ...counts, warnings };
  if (call.flag("dry-run"))
    return done({ ...json, version: null }, [...summary, "The file is valid. Nothing was saved."]);
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
  return done({ ...json, version }, [...summary, `Version ${version} is in force from now on.`]);
}

export function carrierSimulate(call: Call): Promise<Outcome> {
  const [from, to] = [momentOf(call.given("from")), momentOf(call.given("to"))];
  if (from === undefined || to === undefined || from >= to) {
    return Promise.resolve(misuse("--from and --to are days such as 2026-11-01, or times; --from is the earlier one"));
  }
  const bytes = readCallersFile(call.argument("FILE"));
  if (!bytes.ok) return Promise.resolve(bytes);
  let draft: unknown;
  try {
    draft = JSON.parse(bytes.value.toString("utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    return Promise.resolve(refuse(`${call.argument("FILE")} is not valid JSON: ${(error as Error).message}`));
  }
  const checked = checkCarrierData(draft);
  if (!checked.ok) return Promise.resolve(refuseFaults(checked.fault));
  return withPlatform(async ({ database }) => {
    const clientId = call.given("client");
    const client = await showClient(database.of(clientId));
    if (!client.ok) return refuse(client.fault);
    const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
    const limits = { decisionsMax: Number.MAX_SAFE_INTEGER, msMax: Number.POSITIVE_INFINITY };
    const onProgress = progressBar();
    const result = await simulate(database, clientId, span, runDraft(checked.value), {
      ...limits,
      onProgress,
    });
    return done({ from, to, ...result }, linesOf(result));
  });
}

/** ISO 8601 UTC; undefined where the text is neither a day nor a moment. */
function momentOf(text: string): string | undefined {
  return readDateTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
}

function linesOf({ decisions, notRun, currency, total, zones, services }: SimulationResult): string[] {
  const heading = [
    "ZONE",
    "DECISIONS",
    "UNCHANGED",
    "CHANGED",
    "NONE FITS",
    currency,
    "DIFFERENCE",
    "DAYS",
    "DIFFERENCE",
  ];
  const row = (name: string, counts: typeof total) => [
    ...[name, counts.decisions, counts.unchanged, counts.changed, counts.nobodyFits].map(String),
    ...[
      counts.cost.after.toFixed(2),
      signed(counts.cost.difference, 2),
      String(counts.days.after),
      signed(counts.days.difference, 0),
    ],
  ];
  const moves = services.map(({ before, after, decisions: count }) => [
    before ?? "no service",
    "->",
    after ?? "no service",
    String(count),
  ]);
  return [
    `${decisions} decisions were read${notRun > 0 ? `, of which ${notRun} can no longer be decided` : ""}.`,
    ...columns([heading, ...zones.map(({ zone, ...counts }) => row(zone ?? "(none)", counts)), row("all", total)]),
    ...columns(moves),
  ];
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
}
