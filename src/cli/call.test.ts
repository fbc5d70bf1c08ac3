import assert from "node:assert/strict";
import { test } from "node:test";
import { readCommandLine } from "#/cli/call.ts";
import { type Command, done } from "#/cli/command.ts";

const run = async () => done(null, []);
const commands: readonly Command[] = [
  { name: "serve", summary: "", arguments: [], options: [], isServer: true, run },
  {
    name: "client create",
    summary: "",
    arguments: [{ name: "ID", meaning: "" }],
    options: [
      { name: "name", value: "NAME", meaning: "" },
      { name: "facility", value: "CODE", meaning: "", isList: true },
      { name: "kind", value: "KIND", meaning: "", isRequired: true },
      { name: "demo", meaning: "" },
    ],
    run,
  },
  {
    name: "client set",
    summary: "",
    arguments: [
      { name: "ID", meaning: "" },
      { name: "KEY=VALUE", meaning: "", isList: true },
    ],
    options: [],
    run,
  },
];

function read(line: string) {
  return readCommandLine(commands, line === "" ? [] : line.split(" "));
}

function called(line: string) {
  const typed = read(line);
  assert(typed.ok && typed.value.kind === "call", line);
  return typed.value;
}

test("arguments and options are read at any position", () => {
  for (const line of [
    "client create ACME --name Acme --facility DC2 --facility=DC1 --kind feed --json",
    "--json client create --facility DC2 --kind=feed --facility DC1 --name Acme -- ACME",
  ]) {
    const { command, call, isJson } = called(line);
    assert.equal(command.name, "client create");
    assert.deepEqual(
      [
        call.argument("ID"),
        call.option("name"),
        call.given("kind"),
        call.optionList("facility"),
        call.flag("demo"),
        isJson,
      ],
      ["ACME", "Acme", "feed", ["DC2", "DC1"], false, true],
    );
  }
  const { call } = called("client set ACME a=1 b=2");
  assert.deepEqual(call.argumentList("KEY=VALUE"), ["a=1", "b=2"]);
  assert.equal(called("client create --kind feed --demo -- -A").call.argument("ID"), "-A");
});

test("wrong usage ends with exit code 2 and names the nearest option", () => {
  const reasons: readonly (readonly [string, string])[] = [
    ["", "a command is missing"],
    ["client", "'client' needs a subcommand: create, set"],
    ["client crate", "there is no command 'client crate'; did you mean 'client create'?"],
    ["clint create", "there is no command 'clint'; did you mean 'client create'?"],
    ["sreve", "there is no command 'sreve'; did you mean 'serve'?"],
    ["xyzzy", "there is no command 'xyzzy'"],
    ["client create --kind feed", "ID is missing"],
    ["client create A B --kind feed", "unexpected argument 'B'"],
    ["client create A", "--kind KIND is missing"],
    ["client create A --kind", "--kind needs a value: --kind KIND"],
    ["client create A --kind=", "--kind needs a value: --kind KIND"],
    ["client create A --kind --demo", "--kind needs a value; if '--demo' is meant, write --kind=--demo"],
    ["client create A --kind a --kind b", "--kind is given twice"],
    ["client create A --kind a --demo=yes", "--demo takes no value"],
    ["client create A --kind a --facilty DC1", "there is no option --facilty; did you mean --facility?"],
    ["client create A --kind a -x", "there is no option -x"],
    ["serve --json", "there is no option --json"],
  ];
  for (const [line, reason] of reasons) {
    assert.deepEqual(read(line), { ok: false, fault: { exitCode: 2, reason } }, line);
  }
});

test("help exists for the program, a group and a command, in each form of the request", () => {
  const helpOf = (line: string) => {
    const typed = read(line);
    assert(typed.ok && typed.value.kind === "help", line);
    return typeof typed.value.of === "object" ? typed.value.of.name : typed.value.of;
  };
  for (const line of ["--help", "-h", "help"]) assert.equal(helpOf(line), undefined, line);
  for (const line of ["client --help", "help client"]) assert.equal(helpOf(line), "client", line);
  for (const line of ["client create --help", "client create A --nonsense -h", "help client create"]) {
    assert.equal(helpOf(line), "client create", line);
  }
  assert.deepEqual(read("--version"), { ok: true, value: { kind: "version" } });
});
