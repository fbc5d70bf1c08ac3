// Runs a program on a real terminal, created with python3's pty module.
import { stripVTControlCharacters } from "node:util";
import { startProgram } from "./program.ts";

/** Runs the command on a new terminal and returns its exit code. */
const onTerminal = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
`;

export interface Terminal {
  /** The screen without colours; lines end with \\n. Of a line that was written again, the last text. */
  screen(): string;
  /** All that was written, without colours. */
  output(): string;
  readonly ended: Promise<number | null>;
  /** Types the key. */
  type(key: string): void;
}

export function openTerminal(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Terminal {
  const { child, ended, output } = startProgram(["python3", "-c", onTerminal, ...command], { ...options, input: null });
  return {
    screen: () =>
      stripVTControlCharacters(output())
        .replaceAll("\r\n", "\n")
        .replace(/[^\n]*\r/g, ""),
    output: () => stripVTControlCharacters(output()),
    ended: ended.then(({ code }) => code),
    type: (key) => void child.stdin.write(key),
  };
}
