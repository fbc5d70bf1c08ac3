import type { ParseArgsConfig } from "node:util";

export interface Call {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Command {
  /** As it is typed: `feed send`. */
  readonly name: string;
  /** Names of its words, in the overview: `FILE`. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options?: NonNullable<ParseArgsConfig["options"]>;
  /** Meaning of each option, for the help. */
  readonly help?: Readonly<Record<string, string>>;
  /** @returns the exit code. */
  run(call: Call): Promise<number>;
}

export const optionOf = ({ options }: Call, name: string): string | undefined => {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
};
