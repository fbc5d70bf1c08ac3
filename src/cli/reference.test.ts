import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { commands } from "#/cli/commands.ts";
import { commandHelp, overview } from "#/cli/help.ts";
import { commandsPage } from "#/cli/reference.ts";

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
