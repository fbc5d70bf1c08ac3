import { styleText } from "node:util";
import { optionsOf } from "#/cli/call.ts";
import { columns } from "#/cli/columns.ts";
import type { ArgumentSpec, Command, OptionSpec } from "#/cli/command.ts";

const widthMax = 100;

/** `client create ID [--name NAME] [--facility CODE]…` */
export function usageOf({ name, arguments: values, options }: Command): string {
  return [name, ...values.map(argumentUsage), ...options.map(optionUsage)].join(" ");
}

function argumentUsage({ name, isList }: ArgumentSpec): string {
  return isList ? `[${name}]…` : name;
}

function optionUsage({ name, value, isRequired, isList }: OptionSpec): string {
  const text = value === undefined ? `--${name}` : `--${name} ${value}`;
  return (isRequired ? text : `[${text}]`) + (isList ? "…" : "");
}

export function commandHelp(command: Command): readonly string[] {
  const options = optionsOf(command);
  const lines = [
    `${heading("Usage")} crossdock ${usageOf(command)}`,
    "",
    command.summary,
    ...(command.notes ?? []).flatMap((note) => ["", ...wrapped(note)]),
  ];
  if (command.arguments.length > 0) {
    lines.push("", heading("Arguments"), ...indented(command.arguments.map(({ name, meaning }) => [name, meaning])));
  }
  const rows = options.map(({ name, value, meaning }) => [`--${name}${value ? ` ${value}` : ""}`, meaning]);
  lines.push("", heading("Options"), ...indented(rows));
  return lines;
}

/** The help of all commands, or of those that start with a word. */
export function overview(commands: readonly Command[], group?: string): readonly string[] {
  const shown = group === undefined ? commands : commands.filter(({ name }) => name.startsWith(`${group} `));
  return [
    `${heading("Usage")} crossdock ${group === undefined ? "COMMAND" : `${group} …`}`,
    "",
    ...indented(shown.map(({ name, summary }) => [name, summary])),
    "",
    "Every command takes --help, and --json for machines. Exit codes: 0 done, 1 refused with a reason, 2 wrong usage.",
    "The commands read the same environment as the server: see docs/configuration.md.",
  ];
}

function heading(text: string): string {
  return styleText("bold", `${text}:`);
}

function indented(rows: readonly (readonly string[])[]): string[] {
  return columns(rows).map((line) => `  ${line}`);
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= widthMax) {
      lines.push(line);
      line = "";
    }
    line += (line === "" ? "" : " ") + word;
  }
  return [...lines, line];
}
