// `npm run test:judges`: every judge of tests/judges/judges.ts, in at most ten minutes. Programs of other
// registries are installed in a folder outside of the repository; what cannot be installed is LEFT OUT, and fails under CI.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Judge, judges, judgesFolder, npmJudges } from "../tests/judges/judges.ts";
import { ensureGenerated } from "./generated.ts";
import { runInLanes } from "./lanes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const msMax = 600_000;

const execute = promisify(execFile);

type Registry = NonNullable<Judge["from"]>;

/** Installs the judges of a registry once for each list of versions. */
async function install(of: Registry, version: string, commands: readonly (readonly [string, ...string[]])[]) {
  const mark = path.join(judgesFolder(), `${of}.version`);
  if (existsSync(mark) && readFileSync(mark, "utf8") === version) return;
  const startedMs = performance.now();
  try {
    for (const [command, ...args] of commands) await execute(command, args);
    writeFileSync(mark, version);
    console.log(`the judges of ${of} were installed (${secondsSince(startedMs)} s)`);
  } catch (error) {
    console.log(`the judges of ${of} cannot be installed: ${(error as Error).message.split("\n")[0]}`);
  }
}

const secondsSince = (startedMs: number) => Math.round((performance.now() - startedMs) / 1_000);

/** Starts every installation. They wait for the network, while other judges are asked. */
function installAll(): Readonly<Record<Registry, Promise<void>>> {
  const folder = judgesFolder();
  const python = path.join(folder, "python");
  const list = path.join(root, "tests/judges/requirements.txt");
  const npm = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"] as const;
  return {
    PyPI: install("PyPI", readFileSync(list, "utf8"), [
      ["python3", "-m", "venv", python],
      [path.join(python, "bin/pip"), "install", "--quiet", "--requirement", list],
    ]),
    npm: install("npm", npmJudges.join(" "), [[...npm, path.join(folder, "npm"), ...npmJudges]]),
  };
}

interface Verdict {
  readonly judge: Judge;
  readonly word: "clean" | "FAULTS" | "LEFT OUT" | "NO RESULT";
  readonly seconds: number;
}

async function ask(judge: Judge, signal: AbortSignal): Promise<Verdict> {
  if (judge.from !== undefined) await installed[judge.from];
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
  return { judge, word, seconds: secondsSince(startedMs) };
}

const beganMs = performance.now();
const installed = installAll();
await ensureGenerated();
const aborted = new AbortController();
const limit = setTimeout(() => aborted.abort(), msMax - (performance.now() - beganMs));
const verdicts: Verdict[] = [];
const askIn = (some: readonly Judge[], spare: number) =>
  runInLanes(
    some,
    { fixed: 1, spare },
    async (judge) => void verdicts.push(await ask(judge, aborted.signal)),
    () => aborted.signal.aborted,
  );
// The installations do not keep the others waiting.
await Promise.all([
  askIn(
    judges.filter(({ from }) => from !== undefined),
    0,
  ),
  askIn(
    judges.filter(({ from }) => from === undefined),
    1,
  ),
]);
clearTimeout(limit);
for (const { judge, word, seconds } of verdicts)
  console.log(`${word.padEnd(9)} ${judge.name} on ${judge.judges} (${seconds} s)`);
console.log(`${secondsSince(beganMs)} s in all`);
const isMissing = verdicts.length < judges.length;
if (isMissing) console.log(`${judges.length - verdicts.length} judges were not asked within ten minutes`);
process.exitCode = isMissing || verdicts.some(({ word }) => word === "FAULTS" || word === "NO RESULT") ? 1 : 0;
