// Runs a program on a real terminal, created with python3's pty module.
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { atEnd } from "./at-end.ts";

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
  const child = spawn("python3", ["-c", onTerminal, ...command], { ...options, stdio: ["pipe", "pipe", "pipe"] });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  atEnd(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    screen: () =>
      stripVTControlCharacters(written)
        .replaceAll("\r\n", "\n")
        .replace(/[^\n]*\r/g, ""),
    output: () => stripVTControlCharacters(written),
    ended,
    type: (key) => void child.stdin.write(key),
  };
}
