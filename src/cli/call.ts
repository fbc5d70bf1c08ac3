/** Parses the command line against the table of commands. */

import { parseArgs } from "node:util";
import { type ArgumentSpec, type Call, type Command, misuse, type OptionSpec, type Refusal } from "#/cli/command.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

const helpOption: OptionSpec = { name: "help", meaning: "prints this" };
const jsonOption: OptionSpec = { name: "json", meaning: "prints JSON for machines" };

export function optionsOf(command: Command): readonly OptionSpec[] {
  return [...command.options, ...(command.isServer ? [] : [jsonOption]), helpOption];
}

type Typed =
  | { readonly kind: "call"; readonly command: Command; readonly call: Call; readonly isJson: boolean }
  /** The help of one command, of the commands that start with a word, or of all. */
  | { readonly kind: "help"; readonly of: Command | string | undefined }
  | { readonly kind: "version" };

/**
 * Finds the command and reads its arguments and options.
 * @param words the words after the program's name.
 * @returns the call; a misuse contains the fault, and the nearest correct name.
 */
export function readCommandLine(commands: readonly Command[], words: readonly string[]): Result<Typed, Refusal> {
  // The switch common to all commands may also precede them.
  if (words[0] === "--json") return readWords(commands, words.slice(1), ["--json"]);
  return readWords(commands, words, []);
}

function readWords(
  commands: readonly Command[],
  words: readonly string[],
  switches: readonly string[],
): Result<Typed, Refusal> {
  const [first = "", second = ""] = words;
  if (["--help", "-h", "help"].includes(first)) {
    const named = words.slice(1).filter((word) => !word.startsWith("-"));
    return named.length === 0 ? ok({ kind: "help", of: undefined }) : readWords(commands, [...named, "--help"], []);
  }
  if (first === "--version" || first === "-v") return ok({ kind: "version" });
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first);
  if (command) return readCall(command, [...switches, ...words.slice(command.name.split(" ").length)]);
  const former = formerCommands[`${first} ${second}`];
  if (former !== undefined) return misuse(`'${first} ${second}' is now 'crossdock ${former}'`);
  const isGroup = commands.some(({ name }) => name.startsWith(`${first} `));
  if (isGroup && ["--help", "-h"].includes(second)) return ok({ kind: "help", of: first });
  return misuse(unknownCommand(commands, words, isGroup));
}

function unknownCommand(commands: readonly Command[], words: readonly string[], isGroup: boolean): string {
  const [first = "", second = ""] = words;
  if (words.length === 0) return "a command is missing";
  const names = commands.map(({ name }) => name);
  const hint = (nearest: string | undefined) => (nearest === undefined ? "" : `; did you mean '${nearest}'?`);
  if (isGroup) {
    const subcommands = names
      .filter((name) => name.startsWith(`${first} `))
      .map((name) => name.slice(first.length + 1));
    if (second === "") return `'${first}' needs a subcommand: ${subcommands.join(", ")}`;
    const nearest = nearestName(second, subcommands);
    return `there is no command '${first} ${second}'${hint(nearest && `${first} ${nearest}`)}`;
  }
  return `there is no command '${first}'${hint(nearestName(`${first} ${second}`, names) ?? nearestName(first, names))}`;
}

function readCall(command: Command, words: readonly string[]): Result<Typed, Refusal> {
  const specs = optionsOf(command);
  const { tokens } = parseArgs({
    args: [...words],
    options: {
      ...Object.fromEntries(
        specs.map(({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
      ),
      help: { type: "boolean", short: "h" },
    },
    // The refusals are written here, so that they contain the nearest option and the command's help.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (tokens.some((token) => token.kind === "option" && token.name === "help"))
    return ok({ kind: "help", of: command });

  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const fault = optionFault(command.name, specs, token, values);
    if (fault !== undefined) return misuse(fault);
    values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? ""]);
  }
  const missing = command.options.find(({ name, isRequired }) => isRequired && !values.has(name));
  if (missing) return misuse(`--${missing.name} ${missing.value} is missing`);
  const bound = bindArguments(command.arguments, positionals);
  if (!bound.ok) return bound;
  const isJson = values.delete("json");
  return ok({ kind: "call", command, call: callOf(command, values, bound.value), isJson });
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function optionFault(
  commandName: string,
  specs: readonly OptionSpec[],
  { name, rawName, value, inlineValue }: OptionToken,
  before: ReadonlyMap<string, unknown>,
): string | undefined {
  const spec = specs.find((candidate) => candidate.name === name);
  if (!spec) {
    const former = formerOptions[`${commandName} ${rawName}`];
    if (former !== undefined) return former;
    const nearest = nearestName(
      name,
      specs.map((candidate) => candidate.name),
    );
    return `there is no option ${rawName}${nearest === undefined ? "" : `; did you mean --${nearest}?`}`;
  }
  if (before.has(name) && !spec.isList && spec.value !== undefined) return `${rawName} is given twice`;
  if (spec.value === undefined) return value === undefined ? undefined : `${rawName} takes no value`;
  if (value === undefined || value === "") return `${rawName} needs a value: ${rawName} ${spec.value}`;
  if (!inlineValue && value.startsWith("--")) {
    return `${rawName} needs a value; if '${value}' is meant, write ${rawName}=${value}`;
  }
  return undefined;
}

function bindArguments(
  specs: readonly ArgumentSpec[],
  values: readonly string[],
): Result<ReadonlyMap<string, readonly string[]>, Refusal> {
  const bound = new Map<string, readonly string[]>();
  let at = 0;
  for (const { name, isList } of specs) {
    if (!isList && values[at] === undefined) return misuse(`${name} is missing`);
    bound.set(name, isList ? values.slice(at) : values.slice(at, at + 1));
    at = isList ? values.length : at + 1;
  }
  return at < values.length ? misuse(`unexpected argument '${values[at]}'`) : ok(bound);
}

function callOf(
  command: Command,
  options: ReadonlyMap<string, readonly string[]>,
  values: ReadonlyMap<string, readonly string[]>,
): Call {
  const known = (name: string, specs: readonly { readonly name: string }[]) =>
    assert(
      specs.some((spec) => spec.name === name),
      `command ${command.name} has no ${name}`,
    );
  const option = (name: string) => {
    known(name, command.options);
    return options.get(name)?.[0];
  };
  const argumentList = (name: string) => {
    known(name, command.arguments);
    return values.get(name) ?? [];
  };
  return {
    argumentList,
    argument: (name) => argumentList(name)[0] as string,
    option,
    given: (name) => option(name) as string,
    optionList: (name) => {
      known(name, command.options);
      return options.get(name) ?? [];
    },
    flag: (name) => option(name) !== undefined,
  };
}

/** Commands of earlier releases, with the operation that each of them is now. */
const formerCommands: Readonly<Record<string, string>> = {
  "order show": "api getOrder clientId=ID orderId=ID",
  "order explain": "api explainOrder clientId=ID orderId=ID",
  "purchase-order close": "api closePurchaseOrder clientId=ID poNumber=NUMBER",
  "return close": "api closeRma clientId=ID rmaNumber=NUMBER",
  "stock count": "api createCount clientId=ID distributionCentre=CODE sku=SKU",
};

/** Options of earlier releases, with what to do now. */
const formerOptions: Readonly<Record<string, string>> = {
  "events check --repair":
    "'events check' only checks: docs/operators-handbook.md says how a fault of events is repaired",
};
