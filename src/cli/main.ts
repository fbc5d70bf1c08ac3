/** The entry of `npx crossdock …`: contract/operations.md §2, docs/commands.md. */
import { readFileSync } from "node:fs";
import { readCommandLine } from "#/cli/call.ts";
import type { Outcome } from "#/cli/command.ts";
import { commands } from "#/cli/commands.ts";
import { commandHelp, overview } from "#/cli/help.ts";
import { Interruption } from "#/cli/interruption.ts";

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  const exitCode = await run(process.argv.slice(2));
  // A server that failed to start has logged the reason and set its exit code.
  process.exitCode ??= exitCode;
} catch (error) {
  if (!(error instanceof Interruption)) {
    for (const text of messagesOf(error)) console.error(text);
    process.exit(1);
  }
  // Interrupted work may still hold timers and sockets, which the program does not wait for.
  process.exit(error.exitCode);
}

async function run(words: readonly string[]): Promise<number> {
  const typed = readCommandLine(commands, words);
  if (!typed.ok) {
    console.error(`crossdock: ${typed.fault.reason}`);
    const known = commands.find(({ name }) => `${words.join(" ")} `.startsWith(`${name} `));
    console.error(`See 'crossdock ${known === undefined ? "" : `${known.name} `}--help'.`);
    return typed.fault.exitCode;
  }
  switch (typed.value.kind) {
    case "version":
      console.log(versionOf(new URL("../../package.json", import.meta.url)));
      return 0;
    case "help": {
      const { of } = typed.value;
      print(typeof of === "object" ? commandHelp(of) : overview(commands, of));
      return 0;
    }
    case "call":
      return answer(await typed.value.command.run(typed.value.call), typed.value.isJson);
  }
}

/** Prints the result of a command; returns the exit code. */
function answer(outcome: Outcome, isJson: boolean): number {
  const report = outcome.ok ? outcome.value : outcome.fault.report;
  if (report) print(isJson ? [JSON.stringify(report.json)] : report.lines);
  for (const note of report?.notes ?? []) console.error(note);
  if (outcome.ok) return 0;
  console.error(`crossdock: ${outcome.fault.reason}`);
  return outcome.fault.exitCode;
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) console.log(lines.join("\n"));
}

/** An unexpected failure as text, with its causes; the stack only helps developers. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [`crossdock: ${String(error)}`];
  if (process.env.CROSSDOCK_LOG_LEVEL === "debug" && error.stack !== undefined) return [error.stack];
  const causes: string[] = [];
  for (let cause: unknown = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`  because: ${cause.message || cause.name}`);
  }
  return [`crossdock: ${error.message}`, ...causes];
}

function versionOf(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
