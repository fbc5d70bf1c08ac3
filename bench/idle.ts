import { setTimeout as sleep } from "node:timers/promises";
import { interruptible } from "#/cli/interruption.ts";
import { machine } from "./feeds/machine.ts";
import { startBase } from "./life/base.ts";
import { costsOf } from "./life/costs.ts";
import { forgetStatements, readStatements } from "./life/statements.ts";
import { numberOption } from "./load/arguments.ts";

const statementsShown = 15;

/**
 * Measures what a process of every role and its PostgreSQL take without any request: the loops that look for
 * work. Processor time a second, and the statements that were sent most often.
 */
export async function run(args: readonly string[]): Promise<void> {
  // By then the start is over, and the statistics of the loaded catalogue are taken.
  const settleSeconds = numberOption(args, "settle", 60);
  const seconds = numberOption(args, "seconds", 60);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const closers: (() => unknown)[] = [];
  await interruptible(
    async () => {
      const base = await startBase("idle", closers);
      await sleep(settleSeconds * 1_000);
      await forgetStatements(base.client);
      const costs = await costsOf(base, () => sleep(seconds * 1_000));
      const statements = await readStatements(base.client, 1_000);
      const perSecond = (value: number) => ((value * 1_000) / costs.seconds).toFixed(1);
      const calls = statements.reduce((sum, statement) => sum + statement.calls, 0);
      console.log(
        `idle: product ${perSecond(costs.productSeconds)} ms/s, PostgreSQL ${perSecond(costs.postgresSeconds)} ms/s`,
      );
      console.log(
        `${(calls / costs.seconds).toFixed(1)} statements/s, ${Math.round(costs.walBytes / costs.seconds)} B of log/s`,
      );
      const often = statements.toSorted((left, right) => right.calls - left.calls).slice(0, statementsShown);
      for (const { text, calls, ms } of often)
        console.log(`${(calls / costs.seconds).toFixed(2)}/s  ${(ms / calls).toFixed(3)} ms  ${text.slice(0, 120)}`);
    },
    async () => {
      for (const close of closers.toReversed()) await close();
    },
  );
}
