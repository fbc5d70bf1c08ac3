// `npm run test:judges`: every judge of tests/judges/judges.ts, in at most ten minutes. Programs of other
// registries are installed in a folder outside of the repository; what cannot be installed is LEFT OUT, and fails under CI.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Judge,
  judges,
  judgesFolder,
  mcpConformance,
  mcpConformanceVersion,
  schemathesis,
} from "../tests/judges/judges.ts";
import { ensureGenerated } from "./generated.ts";
import { runInLanes } from "./lanes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const msMax = 600_000;

/** Installs a judge once. */
function install(program: string, commands: readonly (readonly [string, ...string[]])[]): void {
  if (existsSync(program)) return;
  try {
    for (const [command, ...args] of commands) execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    console.log(`${path.basename(program)} cannot be installed: ${(error as Error).message.split("\n")[0]}`);
  }
}

function installAll(): void {
  const folder = judgesFolder();
  const python = path.join(folder, "python");
  const list = path.join(root, "tests/judges/requirements.txt");
  install(schemathesis(), [
    ["python3", "-m", "venv", python],
    [path.join(python, "bin/pip"), "install", "--quiet", "--requirement", list],
  ]);
  const prefix = path.join(folder, "npm");
  const name = `@modelcontextprotocol/conformance@${mcpConformanceVersion}`;
  install(mcpConformance(), [
    ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix, name],
  ]);
}

interface Verdict {
  readonly judge: Judge;
  readonly word: "clean" | "FAULTS" | "LEFT OUT" | "NO RESULT";
  readonly seconds: number;
}

async function ask(judge: Judge, signal: AbortSignal): Promise<Verdict> {
  const files = judge.files.map((file) => path.join(root, file));
  const startedMs = performance.now();
  const events = run({ files, timeout: msMax, cwd: root, signal });
  let [isClean, isLeftOut, isOver] = [true, false, false];
  events.on("test:fail", ({ name, details }) => {
    isClean = false;
    console.log(`\n✖ ${judge.name}: ${name}: ${details.error.message}`);
  });
  events.on("test:diagnostic", ({ message }) => {
    if (message.startsWith("LEFT OUT")) isLeftOut = true;
  });
  events.on("test:summary", ({ file }) => {
    if (file === undefined) isOver = true;
  });
  for await (const _ of events);
  const word = signal.aborted || !isOver ? "NO RESULT" : !isClean ? "FAULTS" : isLeftOut ? "LEFT OUT" : "clean";
  return { judge, word, seconds: Math.round((performance.now() - startedMs) / 1000) };
}

await ensureGenerated();
installAll();
const aborted = new AbortController();
const limit = setTimeout(() => aborted.abort(), msMax);
const verdicts: Verdict[] = [];
await runInLanes(
  judges,
  { fixed: 2, spare: 1 },
  async (judge) => void verdicts.push(await ask(judge, aborted.signal)),
  () => aborted.signal.aborted,
);
clearTimeout(limit);
for (const { judge, word, seconds } of verdicts)
  console.log(`${word.padEnd(9)} ${judge.name} on ${judge.judges} (${seconds} s)`);
const isMissing = verdicts.length < judges.length;
if (isMissing) console.log(`${judges.length - verdicts.length} judges were not asked within ten minutes`);
process.exitCode = isMissing || verdicts.some(({ word }) => word === "FAULTS" || word === "NO RESULT") ? 1 : 0;
