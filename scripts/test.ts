// `npm test`: format, lint, types, dead code, the documentation's site, and beside them the test files of the default tier
// (scripts/tiers.ts). `npm test -- --full` adds the long files, `--long` runs these alone; `npm test -- FILE…` runs these files or folders; `--shard 2/3`
// runs the second third. The last line sums up the tests; each check counts as one.
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "node:test";
import { fileURLToPath } from "node:url";
import { inspect, parseArgs } from "node:util";
import { buildDocs } from "#/app/docs-site/site.ts";
import { answersVariable, listUnanswered } from "../tests/support/http/answer-coverage.ts";
import { dataDirVariable, testServer } from "../tests/support/postgres/database.ts";
import { ensureGenerated } from "./generated.ts";
import { type Lanes, runInLanes } from "./lanes.ts";
import { lintSteps, resultLine, runStep, type Step } from "./lint.ts";
import { createProgress, type Progress } from "./progress.ts";
import { durations, durationsFile, isInLongFolder, isLong } from "./tiers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Timeout of each test. */
const testMsMax = 240_000;
/** Aborts the run after this time without an event: something may keep a file alive after its tests. */
const silenceMsMax = 420_000;
const lanes: Lanes = { fixed: 2, spare: 2 };
const oneLane: Lanes = { fixed: 1, spare: 0 };
/** More failed files than this are not a coincidence: the run does not repeat them. */
const repeatedFilesMax = 12;
/** The documentation takes 14 s on an idle machine, and took more than 120 s at a load of 22 on two processors. */
const buildMsMax = 600_000;
const slowestShown = 10;
const memory = "/dev/shm";
const memoryFolderName = "crossdock-test-";
/** A whole run takes 2 GiB at most. */
const memoryBytesMin = 6 * 1024 ** 3;
/** With the default of 16 MB, an eighth of the processor time of a test process was garbage collection. */
const semiSpaceMb = 64;
/** Of what a process printed, shown when it ends before its tests. */
const outputCharactersMax = 4_000;
/**
 * Runs files one after the other in one process. Each process imports and compiles the server: 11 files took 35 s of
 * processor time in one process, and 68 s in one process each.
 */
const groupRunner = path.join(root, "scripts", "test-group.ts");
/**
 * Neighbouring files form groups up to this duration. With 30 s, and a separate process for each of 47 files without a
 * duration, a full run had 157 groups; now it has 68.
 */
const groupSecondsMax = 45;
const usualSeconds = 2;

const deadCode: Step = { name: "dead code (knip)", program: "knip/bin/knip.js", args: ["--no-config-hints"] };

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Keeps compiled code for the next process: importing the server takes 1.0 s of processor time with it, 2.1 s without.
 */
process.env.NODE_COMPILE_CACHE ??= path.join(root, "node_modules", ".cache", "node-compile");

type Tier = "default" | "long" | "full";

interface Choice {
  /** Files and folders; empty for the files of a tier. */
  readonly named: readonly string[];
  readonly tier: Tier;
  /** The number of this part, from 1 on, and the number of all parts. */
  readonly shard: readonly [number, number];
}

function readChoice(words: readonly string[]): Choice {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      full: { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      shard: { type: "string", default: "1/1" },
    },
    allowPositionals: true,
  });
  const [, part, parts] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(values.shard) ?? [];
  if (part === undefined || Number(part) > Number(parts))
    throw new Error(`--shard ${values.shard} is not of the form 2/3`);
  const tier = values.full ? "full" : values.long ? "long" : "default";
  return { named: positionals, tier, shard: [Number(part), Number(parts)] };
}

async function runAll({ named: chosen, tier, shard }: Choice): Promise<boolean> {
  await ensureGenerated();
  // The checks run beside the tests, one at a time: each alone takes both processors of a small machine.
  const checks = chosen.length === 0 && tier !== "long" ? runChecks() : Promise.resolve([]);
  const outcomes: Outcome[] = [];
  const leftOut = new Set<string>();
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-answers-"));
  // The file of the caller has the answers of the other tier too.
  const earlierAnswers = process.env[answersVariable];
  const answers = earlierAnswers ?? path.join(folder, "answers");
  process.env[answersVariable] = answers;
  const all = chosen.length === 0 ? listTests(root) : chosen.flatMap(findChosen);
  const isOfTier = (file: string) => isLong(path.relative(root, file)) === (tier === "long");
  const ofTier = chosen.length > 0 || tier === "full" ? all : all.filter(isOfTier);
  const [part, parts] = shard;
  const files = ofTier.filter((_, i) => i % parts === part - 1);
  outcomes.push(await runTests(files, leftOut));
  const isWhole = tier === "full" || (tier === "long" && earlierAnswers !== undefined);
  if (chosen.length === 0 && isWhole && parts === 1) outcomes.push(judgeAnswers(listUnanswered(answers)));
  outcomes.push(...(await checks));
  rmSync(folder, { recursive: true });
  if (leftOut.size > 0) {
    console.log(`\nLeft out:\n${[...leftOut].map((line) => `- ${line}`).join("\n")}\n`);
    // Every machine can run all of the default tier.
    if (tier === "default" && chosen.length === 0) outcomes.push({ passed: 0, failed: 1 });
  }
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  if (tier === "default" && ofTier.length < all.length) {
    console.log(`${all.length - ofTier.length} files with long tests are left to npm run test:full`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

/** The documentation's site first: a test that asks for a page waits for it. */
async function runChecks(): Promise<Outcome[]> {
  const outcomes = [await buildDocumentation()];
  for (const step of [...lintSteps, deadCode]) {
    const isPassed = await runStep(step);
    outcomes.push({ passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 });
  }
  return outcomes;
}

/** Every program that the tests start would build it. */
async function buildDocumentation(): Promise<Outcome> {
  const startedMs = performance.now();
  const { fault } = await buildDocs(buildMsMax);
  const isPassed = fault === undefined;
  if (!isPassed) console.log(fault);
  console.log(resultLine("the documentation's site (VitePress)", isPassed, performance.now() - startedMs));
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 };
}

/** Fails when the documents promise an answer that no test has received. */
function judgeAnswers(unanswered: readonly string[]): Outcome {
  const isPassed = unanswered.length === 0;
  for (const line of unanswered) console.log(`never answered: ${line}`);
  console.log(`${isPassed ? "✔" : "✖"} every documented answer was seen: ${isPassed ? "passed" : "FAILED"}`);
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 };
}

/**
 * The slowest first, by the recorded durations, so that two parallel workers end together. A file without a duration
 * goes first.
 */
function listTests(folder: string): string[] {
  const secondsOf = (file: string) => durations[file] ?? Number.POSITIVE_INFINITY;
  return globSync("{src/**,tests/**,packages/*/src/**,console/src/**,.}/*.test.ts", { cwd: folder })
    .sort((left, right) => secondsOf(right) - secondsOf(left) || left.localeCompare(right))
    .map((file) => path.join(folder, file));
}

/** The groups of files that share a process, the longest first. A file of a long folder has a separate process. */
function groupsOf(files: readonly string[]): string[][] {
  const groups: { files: string[]; seconds: number; isClosed: boolean }[] = [];
  for (const file of files.toSorted()) {
    const isClosed = isInLongFolder(path.relative(root, file));
    const seconds = secondsOf(file);
    const last = groups.at(-1);
    if (last && !last.isClosed && !isClosed && last.seconds + seconds <= groupSecondsMax) {
      last.files.push(file);
      last.seconds += seconds;
    } else groups.push({ files: [file], seconds, isClosed });
  }
  return groups.sort((left, right) => right.seconds - left.seconds).map((group) => group.files);
}

/** A file without a recorded duration counts with the mean of the others outside the long folders. */
const secondsOf = (file: string): number => durations[path.relative(root, file)] ?? usualSeconds;

/** Files that did not run keep their durations. */
function recordDurations(results: ReadonlyMap<string, FileResult>): void {
  const kept = Object.entries(durations).filter(([name]) => existsSync(path.join(root, name)));
  const seconds = new Map(kept);
  for (const [file, { durationMs }] of results)
    seconds.set(path.relative(root, file), Math.round(durationMs / 100) / 10);
  const sorted = [...seconds].sort(([left], [right]) => left.localeCompare(right));
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

/** Resolves a name from the caller's working directory, or from the project's root. */
function findChosen(name: string): string[] {
  const places = [path.resolve(process.env.INIT_CWD ?? root, name), path.resolve(root, name)];
  const place = places.find((place) => statSync(place, { throwIfNoEntry: false }));
  if (place === undefined) throw new Error(`there is no ${name}`);
  if (statSync(place).isFile()) return [place];
  const files = globSync("**/*.test.ts", { cwd: place, exclude: ["**/node_modules"] });
  return files.map((file) => path.join(place, file));
}

interface FileResult {
  readonly passed: number;
  readonly failed: number;
  readonly durationMs: number;
}

interface TestRun {
  /** Results by the file's path. A file is absent if its process ends before it. */
  readonly files: ReadonlyMap<string, FileResult>;
  readonly isAborted: boolean;
}

/**
 * Runs every file, and each failed file once more alone: a slow machine may break a sound test. A file that passes only
 * alone is printed as unsteady. All files share one PostgreSQL. A test that skips a part reports it with a diagnostic
 * that starts with LEFT OUT.
 */
async function runTests(files: readonly string[], leftOut: Set<string>): Promise<Outcome> {
  const startedMs = performance.now();
  const aborted = new AbortController();
  const abort = () => aborted.abort();
  process.once("SIGINT", abort).once("SIGTERM", abort);
  const memoryFolder = makeMemoryFolder();
  if (memoryFolder !== undefined) process.env[dataDirVariable] = memoryFolder;
  const server = await testServer();
  const results = new Map<string, FileResult>();
  const unsteady: string[] = [];
  let isAborted = false;
  try {
    const progress = createProgress(files.map((file) => [file, secondsOf(file)]));
    const first = await runGroups(groupsOf(files), lanes, { aborted, leftOut, progress });
    progress.end();
    isAborted = first.isAborted;
    for (const [file, result] of first.files) results.set(file, result);
    const failed = files.filter((file) => (first.files.get(file)?.failed ?? 1) > 0);
    if (!isAborted && failed.length <= repeatedFilesMax) {
      for (const file of failed) {
        console.log(`once more, alone: ${path.relative(root, file)}`);
        const alone = { aborted, leftOut, progress: createProgress([[file, secondsOf(file)]]) };
        const again = await runGroups([[file]], oneLane, alone);
        alone.progress.end();
        isAborted ||= again.isAborted;
        results.set(file, again.files.get(file) ?? { passed: 0, failed: 1, durationMs: 0 });
        if (results.get(file)?.failed === 0) unsteady.push(path.relative(root, file));
      }
    }
  } finally {
    await server.stop();
    if (memoryFolder !== undefined) rmSync(memoryFolder, { recursive: true, force: true });
    process.off("SIGINT", abort).off("SIGTERM", abort);
  }
  if (unsteady.length > 0) {
    console.log(`\nUnsteady, passed only alone:\n${unsteady.map((file) => `- ${file}`).join("\n")}\n`);
  }
  if (files.length > slowestShown) printSlowest(results);
  if (process.env.CROSSDOCK_TEST_RECORD === "1") recordDurations(results);
  const absent = files.filter((file) => !results.has(file)).length;
  const sum = (of: (result: FileResult) => number) =>
    [...results.values()].reduce((total, fileResult) => total + of(fileResult), 0);
  const passed = sum((result) => result.passed);
  const failed = sum((result) => result.failed) + absent;
  const isPassed = failed === 0 && passed > 0 && !isAborted;
  console.log(resultLine(`tests (node:test, ${files.length} files)`, isPassed, performance.now() - startedMs));
  return { passed, failed: isPassed ? 0 : Math.max(failed, 1) };
}

/**
 * A folder in memory for the databases of the run, where the machine has enough. Creating and dropping a database makes
 * and deletes 1 100 files: 0.5 s of processor time a test file less than on a disk. Folders of killed runs are removed.
 */
function makeMemoryFolder(): string | undefined {
  if (process.env[dataDirVariable] !== undefined || !existsSync(memory)) return undefined;
  for (const left of globSync(`${memoryFolderName}*`, { cwd: memory })) {
    const pid = left.slice(memoryFolderName.length);
    if (!existsSync(`/proc/${pid}`)) rmSync(path.join(memory, left), { recursive: true, force: true });
  }
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < memoryBytesMin || os.freemem() < memoryBytesMin) return undefined;
  const folder = path.join(memory, `${memoryFolderName}${process.pid}`);
  mkdirSync(folder, { mode: 0o711 });
  return folder;
}

/** Runs each group in its own process. */
async function runGroups(
  groups: readonly (readonly string[])[],
  inLanes: Lanes,
  { aborted, leftOut, progress }: { aborted: AbortController; leftOut: Set<string>; progress: Progress },
): Promise<TestRun> {
  const results = new Map<string, FileResult>();
  const silence = setTimeout(() => aborted.abort(), silenceMsMax);
  const work = async (group: readonly string[]) => {
    for (const [file, result] of await runGroup(group, { signal: aborted.signal, silence, leftOut, progress })) {
      results.set(file, result);
    }
  };
  try {
    await runInLanes(groups, inLanes, work, () => aborted.signal.aborted);
  } finally {
    clearTimeout(silence);
  }
  return { files: results, isAborted: aborted.signal.aborted };
}

interface GroupRun {
  readonly signal: AbortSignal;
  readonly silence: NodeJS.Timeout;
  readonly leftOut: Set<string>;
  readonly progress: Progress;
}

async function runGroup(files: readonly string[], group: GroupRun): Promise<Map<string, FileResult>> {
  const { signal, silence, leftOut, progress } = group;
  const results = new Map<string, FileResult>();
  // A timeout of the run would be that of the whole group.
  const execArgv = [`--test-timeout=${testMsMax}`, `--max-semi-space-size=${semiSpaceMb}`];
  const events = run({ files: [groupRunner], argv: [...files], execArgv, cwd: root, signal });
  let [passed, failed] = [0, 0];
  let isSound = false;
  let lastOutput = "";
  // The file's suite ends after its tests. The suite's duration lacks the import.
  const endFile = (file: string, isFailed: boolean) => {
    results.set(file, { passed, failed: isFailed ? Math.max(failed, 1) : failed, durationMs: 0 });
    [passed, failed] = [0, 0];
    progress.endFile(file);
  };
  for (const sign of ["test:start", "test:complete", "test:diagnostic"] as const) {
    events.on(sign, () => silence.refresh());
  }
  for (const sign of ["test:stdout", "test:stderr"] as const) {
    events.on(sign, ({ message }) => {
      lastOutput = (lastOutput + message).slice(-outputCharactersMax);
    });
  }
  events.on("test:diagnostic", ({ message }) => {
    if (message.startsWith("LEFT OUT: ")) leftOut.add(message.slice("LEFT OUT: ".length));
    const [, ms, file = ""] = /^TOOK (\d+) ms: (.+)$/.exec(message) ?? [];
    const result = results.get(file);
    if (result) results.set(file, { ...result, durationMs: Number(ms) });
  });
  events.on("test:pass", ({ name, nesting, details, skip, todo }) => {
    if (details.type === "suite") {
      if (nesting === 0) endFile(name, false);
    } else if (skip === undefined && todo === undefined) {
      passed++;
      progress.pass();
    }
  });
  events.on("test:fail", ({ name, nesting, file, details: { type, error } }) => {
    if (type !== "suite" || (error as { failureType?: string }).failureType !== "subtestsFailed") {
      const place = files.includes(name) ? name : (file ?? "");
      const title = place === name ? "" : `: ${name}`;
      progress.fail(`✖ ${path.relative(root, place)}${title}\n${textOf(error.cause ?? error)}`);
    }
    if (type !== "suite") failed++;
    else if (nesting === 0) endFile(name, true);
  });
  events.on("test:summary", ({ file, success }) => {
    if (file === undefined) isSound = success;
  });
  for await (const _ of events);
  const unfinished = files.find((file) => !results.has(file));
  if (unfinished) {
    progress.fail(`✖ ${path.relative(root, unfinished)}: its process ended before it\n${lastOutput.trimEnd()}`);
  }
  // A process that fails as a whole fails with its last file.
  const [last] = [...results.entries()].slice(-1);
  if (last && !isSound && [...results.values()].every((result) => result.failed === 0)) {
    results.set(last[0], { ...last[1], failed: 1 });
    progress.fail(`✖ ${path.relative(root, last[0])}: its process failed after it\n${lastOutput.trimEnd()}`);
  }
  return results;
}

/** An assertion's stack begins with the difference; its fields would repeat it. */
function textOf(error: unknown): string {
  const isPlain = error instanceof Error && error.cause === undefined && !(error instanceof AggregateError);
  return isPlain && error.stack ? error.stack : inspect(error);
}

function printSlowest(results: ReadonlyMap<string, FileResult>): void {
  const slowest = [...results].sort(([, left], [, right]) => right.durationMs - left.durationMs).slice(0, slowestShown);
  console.log("\nSlowest files:");
  for (const [file, { durationMs }] of slowest) {
    console.log(`- ${(durationMs / 1000).toFixed(1)} s ${path.relative(root, file)}`);
  }
  console.log("");
}

process.exitCode = (await runAll(readChoice(process.argv.slice(2)))) ? 0 : 1;
