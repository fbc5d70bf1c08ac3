// Format, lint and types: what `npm run lint` runs, and the first steps of `npm test`.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensureGenerated } from "./generated.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

export interface Step {
  readonly name: string;
  /** A program of node_modules, and its arguments. */
  readonly program: string;
  readonly args: readonly string[];
}

/** The state of tsc is kept between runs: 3 s of wall time instead of 17 on two idle cores, 9 s after a change of a root. */
const typesOf = (project: string): string[] => {
  const knowledge = path.join(
    root,
    "node_modules",
    ".cache",
    "tsc",
    `${project === "." ? "server" : project}.tsbuildinfo`,
  );
  return ["--project", project, "--incremental", "--tsBuildInfoFile", knowledge];
};

export const lintSteps: readonly Step[] = [
  { name: "format and lint (biome)", program: "@biomejs/biome/bin/biome", args: ["check", "."] },
  // A promise that no code awaits ends the process when it is rejected; Biome has no rule that reads types.
  {
    name: "promises (oxlint)",
    program: "oxlint/bin/oxlint",
    args: ["--type-aware", "src", "scripts", "tests", "bench", "packages"],
  },
  { name: "types (tsc)", program: "typescript/bin/tsc", args: typesOf(".") },
  { name: "types of the console (tsc)", program: "typescript/bin/tsc", args: typesOf("console") },
  { name: "types of the documentation (tsc)", program: "typescript/bin/tsc", args: typesOf("docs-site") },
];

/** Runs a step; its output is shown only when it fails. */
export async function runStep({ name, program, args }: Step): Promise<boolean> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [path.join(root, "node_modules", program), ...args], {
    cwd: root,
    // oxlint starts its reader of types from there.
    env: { ...process.env, PATH: [path.join(root, "node_modules", ".bin"), process.env.PATH].join(path.delimiter) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      output += error.message;
      resolve(1);
    });
    child.on("close", resolve);
  });
  const isPassed = code === 0;
  if (!isPassed) process.stdout.write(`${output.trimEnd()}\n`);
  console.log(resultLine(name, isPassed, performance.now() - startedMs));
  return isPassed;
}

export function resultLine(name: string, isPassed: boolean, ms: number): string {
  // The line of the progress may be on the terminal.
  const start = process.stdout.isTTY ? "\r\x1b[K" : "";
  return `${start}${isPassed ? "✔" : "✖"} ${name}: ${isPassed ? "passed" : "FAILED"} (${(ms / 1000).toFixed(1)} s)`;
}

if (import.meta.main) {
  await ensureGenerated();
  const passed = await Promise.all(lintSteps.map(runStep));
  process.exitCode = passed.every(Boolean) ? 0 : 1;
}
