import { styleText } from "node:util";
import { columns } from "#/cli/columns.ts";
import { type Command, type Outcome, type Report, refuse } from "#/cli/command.ts";
import { readConfig } from "#/cli/context.ts";
import { bad, type Check, good } from "#/cli/doctor/check.ts";
import { checkDatabase, unreachable } from "#/cli/doctor/database-checks.ts";
import { diskChecks, nodeCheck, secretCheck } from "#/cli/doctor/machine-checks.ts";
import { mailCheck, portChecks } from "#/cli/doctor/network-checks.ts";
import { interruptible } from "#/cli/interruption.ts";
import { systemClock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config.ts";
import { ok } from "#/kernel/result.ts";
import { openStore, type Store } from "#/roles/store.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Checks Node, configuration, database, disk, clock, ports and mail, and says what to do; 1 when one fails.",
  arguments: [],
  options: [],
  notes: ["It changes nothing: a schema that is behind stays behind."],
  async run() {
    const node = nodeCheck(process.versions.node);
    const config = readConfig();
    if (!config.ok) {
      const wrong = bad("configuration", config.fault.reason.replace(/^[^\n]*\n/, ""), "see docs/configuration.md");
      return outcomeOf([node, wrong]);
    }
    return outcomeOf([node, good("configuration", config.value.environment), ...(await checksOf(config.value))]);
  },
};

async function checksOf(config: Config): Promise<readonly Check[]> {
  let store: Store | undefined;
  return interruptible(
    async () => {
      let database: readonly Check[];
      try {
        store = await openStore(config);
        database = await checkDatabase(store.directUrl, config, systemClock);
      } catch (error) {
        database = [unreachable(error)];
      }
      const others = await Promise.all([
        diskChecks(config.dataDir, "/var/lib/crossdock"),
        portChecks(config),
        mailCheck(config.mail),
      ]);
      return [...database, secretCheck(config), ...others.flat()];
    },
    async () => store?.close(),
  );
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
