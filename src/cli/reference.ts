import { optionsOf } from "#/cli/call.ts";
import type { Command } from "#/cli/command.ts";
import { commands } from "#/cli/commands.ts";
import { usageOf } from "#/cli/help.ts";
import { clientSettings, settingNames } from "#/modules/clients/settings.ts";

/** The whole of docs/commands.md; a test compares the file with it. */
export function commandsPage(): string {
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

\`client set ID KEY=VALUE\` sets one for a client, \`KEY=\` returns it to its default.

| Setting | Default | Meaning |
|---|---|---|
${settingNames.map((name) => `| \`${name}\` | ${clientSettings[name].standardText} | ${cell(clientSettings[name].meaning)} |`).join("\n")}

This page is generated from \`src/cli/commands\`.
`;
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
