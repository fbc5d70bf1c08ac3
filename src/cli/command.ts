import { ok, type Result, refused } from "#/kernel/result.ts";

/** A positional argument of the command line: `ID` in `client show ID`. */
export interface ArgumentSpec {
  readonly name: string;
  readonly meaning: string;
  /** Any number of values, including none; only the last argument may be a list. */
  readonly isList?: boolean;
}

export interface OptionSpec {
  readonly name: string;
  /** The placeholder of its value in the help; without it the option is a flag. */
  readonly value?: string;
  readonly meaning: string;
  readonly isRequired?: boolean;
  /** May occur several times. */
  readonly isList?: boolean;
}

/** A command as a value: the parser, the help, docs/commands.md and the program read the same table. */
export interface Command {
  /** `client create` */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Further paragraphs of the help. */
  readonly notes?: readonly string[];
  /** Runs as a server and prints no result: it has no `--json`. */
  readonly isServer?: boolean;
  run(call: Call): Promise<Outcome>;
}

/** The words after the command's name, already validated against its table. */
export interface Call {
  argument(name: string): string;
  argumentList(name: string): readonly string[];
  /** The value of an optional option. */
  option(name: string): string | undefined;
  /** The value of a required option. */
  given(name: string): string;
  optionList(name: string): readonly string[];
  flag(name: string): boolean;
}

export interface Report {
  /** Printed with `--json`. */
  readonly json: unknown;
  /** Printed without `--json`. */
  readonly lines: readonly string[];
  /** Printed to standard error in both cases. */
  readonly notes?: readonly string[];
}

export interface Refusal {
  /** 1: refused with a reason; 2: wrong usage. */
  readonly exitCode: 1 | 2;
  readonly reason: string;
  /** The output despite the refusal: the ACK of a rejected document, for example. */
  readonly report?: Report;
}

export type Outcome = Result<Report, Refusal>;

export function done(json: unknown, lines: readonly string[], notes: readonly string[] = []): Outcome {
  return ok({ json, lines, notes });
}

export function refuse(reason: string, report?: Report): { readonly ok: false; readonly fault: Refusal } {
  return refused({ exitCode: 1, reason, ...(report === undefined ? {} : { report }) });
}

export function misuse(reason: string): { readonly ok: false; readonly fault: Refusal } {
  return refused({ exitCode: 2, reason });
}

/** Loads the code of a command when it runs: the help and other commands do not wait for its imports. */
export function loaded(load: () => Promise<(call: Call) => Promise<Outcome>>): Command["run"] {
  return async (call) => (await load())(call);
}
