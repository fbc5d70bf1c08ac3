// Programs as child processes. None of them outlives the file that starts it.
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process";
import { atEnd } from "./at-end.ts";

/** How a program ended, and everything that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** When its output is complete. */
  readonly ended: Promise<Ended>;
  isRunning(): boolean;
  /** The output so far: standard output, errors, and both in the order of their arrival. */
  stdout(): string;
  stderr(): string;
  output(): string;
  /** Sends the signal, kill -9 unless another is named, and waits for the end. */
  kill(signal?: NodeJS.Signals): Promise<Ended>;
}

interface Options extends Omit<SpawnOptions, "stdio"> {
  /** Standard input: empty by default; null leaves it open for the test. */
  readonly input?: string | null;
}

const running = new Set<Program>();
// At the end of the file, and of a process that ends before.
atEnd(() => Promise.all([...running].map((program) => program.kill())));
process.once("exit", () => {
  for (const program of running) void program.kill();
});

/** @param options `detached`: signals go to the program and all its children */
export function startProgram(command: readonly string[], options: Options = {}): Program {
  const [file = "", ...args] = command;
  const { input = "", ...rest } = options;
  const child = spawn(file, args, { ...rest, stdio: ["pipe", "pipe", "pipe"] }) as ChildProcessWithoutNullStreams;
  const { pid } = child;
  const printed = { stdout: "", stderr: "", both: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      printed.both += text;
    });
  }
  // A program may end without reading its input.
  child.stdin.on("error", () => {});
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout: printed.stdout, stderr: printed.stderr }));
  });
  // The assertion says it.
  ended.catch(() => {});
  assert(pid !== undefined, `${file} cannot be started`);
  const program: Program = {
    child,
    pid,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    output: () => printed.both,
    kill(signal = "SIGKILL") {
      if (program.isRunning() && options.detached) process.kill(-pid, signal);
      else child.kill(signal);
      return ended;
    },
  };
  running.add(program);
  child.once("exit", () => running.delete(program));
  return program;
}

/** Runs the program to its end. */
export const runProgram = (command: readonly string[], options?: Options): Promise<Ended> =>
  startProgram(command, options).ended;
