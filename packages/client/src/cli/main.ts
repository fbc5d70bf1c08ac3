#!/usr/bin/env node
// `npx @crossdock/client …`: the command line of a brand (docs/client.md).
import { parseArgs } from "node:util";
import { FeedError } from "../feeds.ts";
import { ProblemError } from "../problem.ts";
import { TokenError } from "../tokens.ts";
import type { Command } from "./command.ts";
import { eventsTail, webhookListen } from "./events.ts";
import { feedSend, feedValidate } from "./feed.ts";
import { login, logout } from "./login.ts";
import { orderExplain, orderGet } from "./order.ts";
import { UsageError } from "./usage-error.ts";

const commands: readonly Command[] = [
  ...[login, logout, feedSend, feedValidate, orderGet, orderExplain, eventsTail, webhookListen],
];
const program = "crossdock-client";

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
process.once("SIGTERM", () => interrupted.abort());

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (interrupted.signal.aborted) process.exitCode = 130;
  else {
    console.error(`${program}: ${messageOf(error)}`);
    process.exitCode = error instanceof UsageError ? 64 : 1;
  }
}

async function run(args: readonly string[]): Promise<number> {
  const command = commands.find(({ name }) => `${args.join(" ")} `.startsWith(`${name} `));
  if (command === undefined) {
    const isAsked = args.length === 0 || args[0] === "--help" || args[0] === "help";
    if (!isAsked) throw new UsageError(`no command '${args.join(" ")}'; see --help`);
    console.log(overview());
    return 0;
  }
  const options = { ...command.options, help: { type: "boolean" } } as const;
  const { values, positionals } = parsed(args.slice(command.name.split(" ").length), options, command);
  if (values.help === true) {
    console.log(helpOf(command));
    return 0;
  }
  if (positionals.length !== command.words.length) throw new UsageError(`type ${usageOf(command)}`);
  return command.run({ words: positionals, options: values, signal: interrupted.signal });
}

function parsed(args: readonly string[], options: NonNullable<Command["options"]>, command: Command) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Readonly<Record<string, string | boolean | undefined>>, positionals };
  } catch (error) {
    throw new UsageError(`${(error as Error).message} See '${program} ${command.name} --help'.`);
  }
}

function usageOf({ name, words, options = {} }: Command): string {
  return [program, name, ...words, ...(Object.keys(options).length > 0 ? ["[OPTIONS]"] : [])].join(" ");
}

function overview(): string {
  const lines = commands.map(({ name, words, summary }) => `  ${[name, ...words].join(" ").padEnd(20)} ${summary}`);
  return [`Usage: ${program} COMMAND`, "", ...lines, "", `'${program} COMMAND --help' shows the options.`].join("\n");
}

function helpOf(command: Command): string {
  const options = Object.entries(command.help ?? {}).map(([name, text]) => {
    const value = command.options?.[name]?.type === "string" ? ` ${name.toUpperCase().replace(/-/g, "_")}` : "";
    return `  --${`${name}${value}`.padEnd(24)} ${text}`;
  });
  return [`Usage: ${usageOf(command)}`, "", command.summary, ...(options.length > 0 ? ["", ...options] : [])].join(
    "\n",
  );
}

function messageOf(error: unknown): string {
  if (error instanceof ProblemError) {
    const faults = error.errors.map(({ pointer, message }) => `\n  ${pointer} ${message}`);
    return `${error.message}${faults.join("")}`;
  }
  if (error instanceof TokenError || error instanceof FeedError || error instanceof UsageError) return error.message;
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
