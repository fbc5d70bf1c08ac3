import { existsSync } from "node:fs";
import path from "node:path";
import { styleText } from "node:util";
import { openStore, type Store } from "#/app/roles/store.ts";
import { columns } from "#/cli/columns.ts";
import { type Outcome, type Report, refuse } from "#/cli/command.ts";
import { readConfig } from "#/cli/context.ts";
import { bad, type Check, doubtful, good } from "#/cli/doctor/check.ts";
import { checkDatabase, unreachable } from "#/cli/doctor/database-checks.ts";
import { diskChecks, fileChecks } from "#/cli/doctor/machine-checks.ts";
import { addressChecks, certificateChecks, mailCheck, stepChecks } from "#/cli/doctor/network-checks.ts";
import { providerChecks } from "#/cli/doctor/sign-in-checks.ts";
import { interruptible } from "#/cli/interruption.ts";
import { systemClock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import { warningsOf } from "#/kernel/config/warnings.ts";
import { ok } from "#/kernel/result.ts";

export async function doctor(): Promise<Outcome> {
  const config = readConfig();
  if (!config.ok) {
    return outcomeOf([bad("configuration", config.fault.reason.replace(/^[^\n]*\n/, ""), "see docs/configuration.md")]);
  }
  return outcomeOf([good("configuration", config.value.environment), ...(await checksOf(config.value))]);
}

async function checksOf(config: Config): Promise<readonly Check[]> {
  let store: Store | undefined;
  return interruptible(
    async () => {
      const [database, ...others] = await Promise.all([
        databaseChecks(config, (opened) => {
          store = opened;
        }),
        diskChecks(config.dataDir, "/var/lib/crossdock"),
        stepChecks(config),
        addressChecks(config),
        mailCheck(config),
        providerChecks(config),
      ]);
      return [
        ...database,
        ...warningsOf(config).map(({ name, text, advice }) => doubtful(name, text, advice)),
        ...fileChecks(config.dataDir, process.env, process.cwd()),
        ...certificateChecks(config, systemClock.now()),
        ...others.flat(),
      ];
    },
    async () => store?.close(),
  );
}

async function databaseChecks(config: Config, onOpen: (store: Store) => void): Promise<readonly Check[]> {
  const { url } = config.database;
  // A connection to the embedded database creates it.
  if (url === undefined && !existsSync(path.join(config.dataDir, "postgres-credentials.json"))) {
    return [good("database", "the embedded one, which is created at the first start")];
  }
  try {
    const store = await openStore(config);
    onOpen(store);
    return await checkDatabase(store.directUrl, config, systemClock);
  } catch (error) {
    return [unreachable(error)];
  }
}

const colours = { ok: "green", warn: "yellow", fail: "red" } as const;

function outcomeOf(checks: readonly Check[]): Outcome {
  const failed = checks.filter(({ status }) => status === "fail");
  const report: Report = {
    json: { ok: failed.length === 0, checks },
    lines: columns(
      checks.map(({ name, status, text, advice }) => [
        styleText(colours[status], status),
        name,
        `${text.replaceAll("\n", "; ")}${advice === undefined ? "" : `. What to do: ${advice}`}`,
      ]),
    ),
  };
  return failed.length === 0 ? ok(report) : refuse(`${failed.map(({ name }) => name).join(", ")} failed`, report);
}
