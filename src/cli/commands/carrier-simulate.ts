import { refuseFaults } from "#/cli/carrier-report.ts";
import { columns } from "#/cli/columns.ts";
import { type Call, done, misuse, type Outcome, refuse } from "#/cli/command.ts";
import { readCallersFile, withPlatform } from "#/cli/context.ts";
import { progressBar } from "#/cli/progress.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { runDraft } from "#/modules/carriers/simulation/draft-run.ts";
import { simulate } from "#/modules/carriers/simulation/simulation.ts";
import type { SimulationResult } from "#/modules/carriers/simulation/simulation-tally.ts";
import { showClient } from "#/modules/clients/service.ts";

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
    ...[before ?? "nobody", "->", after ?? "nobody", String(count)],
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
