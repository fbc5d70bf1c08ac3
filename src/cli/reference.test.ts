import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { optionsOf } from "#/cli/call.ts";
import type { Command } from "#/cli/command.ts";
import { commands } from "#/cli/commands.ts";
import { commandHelp, overview, usageOf } from "#/cli/help.ts";
import { settingReference } from "#/kernel/config/setting-words.ts";
import { settingWords } from "#/modules/clients/setting-words.ts";
import { clientSettings, type SettingName } from "#/modules/clients/settings.ts";

const page = new URL("../../docs/commands.md", import.meta.url);

test("docs/commands.md equals the table of commands; CROSSDOCK_TEST_UPDATE=1 writes it", () => {
  if (process.env.CROSSDOCK_TEST_UPDATE === "1") writeFileSync(page, commandsPage());
  assert.equal(readFileSync(page, "utf8"), commandsPage());
});

test("the table of commands is valid: names and options are unique, a list comes last, every option is explained", () => {
  assert.equal(new Set(commands.map(({ name }) => name)).size, commands.length);
  for (const { name, arguments: values, options } of commands) {
    const all = [...values, ...options].map((spec) => spec.name);
    assert.equal(new Set([...all, "json", "help"]).size, all.length + 2, name);
    assert(
      values.slice(0, -1).every(({ isList }) => !isList),
      name,
    );
    assert(
      [...values, ...options].every(({ meaning }) => meaning !== ""),
      name,
    );
  }
});

test("every command is in the overview, and its help names its arguments and options", () => {
  const all = overview(commands).join("\n");
  for (const command of commands) {
    assert(all.includes(`  ${command.name} `), command.name);
    const help = commandHelp(command).join("\n");
    for (const { name } of command.arguments) assert(help.includes(name));
    for (const { name } of command.options) assert(help.includes(`--${name}`));
    assert.equal(help.includes("--json"), !command.isServer);
  }
});

/** The whole of docs/commands.md; a test compares the file with it. */
function commandsPage(): string {
  return `# Commands

\`npx crossdock COMMAND\`, or \`npm run crossdock -- COMMAND\`. The commands work on the data directory or \`DATABASE_URL\` of
[the configuration](configuration.md), whether or not a server is running there, and take effect in running servers at once.

- \`--help\` explains a command; \`--json\` prints one line of JSON for machines.
- The exit code is 0 when it is done, 1 when it is refused (the reason is on standard error), 2 for wrong usage.
- Credentials and passwords are shown once, when they are made: only their hashes are kept.
- Whatever a command changes is in the audit log, with the name of the user at the terminal.

| Command | Does |
|---|---|
${commands.map((command) => `| \`${cell(usageOf(command))}\` | ${cell(command.summary)} |`).join("\n")}

${commands.filter(hasMore).map(section).join("\n\n")}

## Settings of a client

\`client set ID KEY=VALUE\` sets one for a client, \`KEY=\` returns it to its default. The
console shows each by its title.

${Object.entries(Object.groupBy(Object.keys(settingWords) as SettingName[], (name) => settingWords[name].group))
  .map(([group, names = []]) => settingTable(group, names))
  .join("\n\n")}

This page is generated from \`src/cli/commands\`.
`;
}

function settingTable(group: string, names: readonly SettingName[]): string {
  const rows = names.map((name) => {
    const { standardText, meaning } = clientSettings[name];
    const words = settingWords[name];
    return `| \`${name}\` | ${words.title} | ${standardText} | ${cell(settingReference(meaning, words))} |`;
  });
  return [`### ${group}`, "", "| Setting | Title | Default | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function hasMore(command: Command): boolean {
  return command.arguments.length + command.options.length > 0;
}

function section(command: Command): string {
  const commandOptions = optionsOf(command).filter(({ name }) =>
    command.options.some((option) => option.name === name),
  );
  const rows = [
    ...command.arguments.map(({ name, meaning }) => [name, meaning]),
    ...commandOptions.map(({ name, value, meaning }) => [
      `--${name}${value === undefined ? "" : ` ${value}`}`,
      meaning,
    ]),
  ];
  return [
    `## ${command.name}`,
    "",
    ...rows.map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
    ...(command.name === "client set" ? [] : (command.notes ?? []).flatMap((note) => ["", note])),
  ].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
