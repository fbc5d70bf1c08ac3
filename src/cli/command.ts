import { ok, type Result, refused } from "#/kernel/result.ts";

/** A value of the command line that stands for itself: `ID` in `client show ID`. */
export interface ArgumentSpec {
  readonly name: string;
  readonly meaning: string;
  /** Any number of them, and none; only the last argument may be so. */
  readonly isList?: boolean;
}

export interface OptionSpec {
  readonly name: string;
  /** What stands for its value in the help; without it the option is a flag. */
  readonly value?: string;
  readonly meaning: string;
  readonly isRequired?: boolean;
  /** May be given several times. */
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
  /** What the help says besides, a paragraph each. */
  readonly notes?: readonly string[];
  /** Does not answer by itself: it has no `--json`. */
  readonly isServer?: boolean;
  run(call: Call): Promise<Outcome>;
}

/** What was typed after the command's name, already held against its table. */
export interface Call {
  argument(name: string): string;
  argumentList(name: string): readonly string[];
  /** Of an option that may be missing. */
  option(name: string): string | undefined;
  /** Of an option that is required. */
  given(name: string): string;
  optionList(name: string): readonly string[];
  flag(name: string): boolean;
}

export interface Report {
  /** Printed with `--json`. */
  readonly json: unknown;
  /** Printed without. */
  readonly lines: readonly string[];
  /** Printed to standard error either way. */
  readonly notes?: readonly string[];
}

export interface Refusal {
  /** 1: refused with a reason; 2: wrong usage. */
  readonly exitCode: 1 | 2;
  readonly reason: string;
  /** What there is to print nevertheless: the ACK of a rejected document, say. */
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
