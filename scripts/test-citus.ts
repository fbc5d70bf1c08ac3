// `npm run test:citus`: tests/citus and existing flows on a Citus cluster, and no unexpected error in the log of any of
// its nodes (docs/citus.md, "What is proved, and how").
//
//   CROSSDOCK_TEST_CITUS_KIT=DIR   the folder of cluster.sh, if it is not in its usual place
//   npm run test:citus -- FILE…    these files instead
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { dot } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { unexpectedErrors } from "../tests/citus/node-log.ts";
import { missingKit, startCluster } from "../tests/support/postgres/citus-cluster.ts";
import { ensureGenerated } from "./generated.ts";
import { type Lanes, runInLanes } from "./lanes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Twelve minutes on two idle cores. */
const msMax = 1_500_000;
const workers = 2;
const lanes: Lanes = { fixed: 2, spare: 1 };
const oneLane: Lanes = { fixed: 1, spare: 0 };
/** More failed files than this are not a coincidence. */
const repeatedFilesMax = 3;
/** The longest first. */
const files = [
  "tests/citus/catalogue-on-citus.ts",
  "tests/citus/kill-on-citus.ts",
  "tests/citus/restore-on-citus.ts",
  "tests/citus/rebalance-on-citus.ts",
  "tests/citus/isolate-on-citus.ts",
  "tests/citus/move-on-citus.ts",
  "tests/citus/worker-killed-on-citus.ts",
  "tests/citus/coordinator-failover-on-citus.ts",
  "tests/citus/look-ups-on-citus.ts",
  "tests/flows/webhooks/delivery.test.ts",
  "tests/citus/operator-on-citus.ts",
  "tests/flows/operations/person-erase.test.ts",
  "tests/flows/console/orders.test.ts",
  "tests/flows/feeds/no.test.ts",
  "tests/flows/lives/life-of-an-order.test.ts",
  "tests/citus/migration-on-citus.ts",
  "tests/flows/rest/order-service.test.ts",
  "tests/flows/operations/retention.test.ts",
  "tests/citus/months-on-citus.ts",
];

/** The files that failed, or gave no result in time. */
async function runFiles(names: readonly string[], inLanes: Lanes): Promise<string[]> {
  const aborted = new AbortController();
  const limit = setTimeout(() => aborted.abort(), msMax);
  const passed = new Set<string>();
  const work = async (name: string) => {
    if (await runFile(name, aborted.signal)) passed.add(name);
  };
  await runInLanes(names, inLanes, work, () => aborted.signal.aborted);
  clearTimeout(limit);
  const failed = names.filter((name) => !passed.has(name));
  if (aborted.signal.aborted) console.log(`✖ ${failed.join(", ")}: no result within ${msMax / 60_000} minutes`);
  return failed;
}

async function runFile(name: string, signal: AbortSignal): Promise<boolean> {
  let isPassed = false;
  const events = run({ files: [path.join(root, name)], timeout: msMax, cwd: root, signal });
  events.on("test:fail", ({ name: title, details }) => {
    console.log(`\n✖ ${name}: ${title}: ${details.error.message}`);
  });
  events.on("test:summary", ({ file, success, counts, duration_ms: durationMs }) => {
    if (file === undefined) return;
    isPassed = success;
    console.log(`\n${success ? "✔" : "✖"} ${name}: ${counts.passed} passed in ${(durationMs / 1000).toFixed(0)} s`);
  });
  for await (const text of dot(events)) process.stdout.write(text);
  return isPassed;
}

/**
 * Runs each failed file once more alone, as `npm test` does: a busy machine may break a sound test.
 * @returns the number of files that passed.
 */
async function runAll(names: readonly string[]): Promise<number> {
  const failed = await runFiles(names, lanes);
  if (failed.length > repeatedFilesMax) return names.length - failed.length;
  const failedAlone = failed.length === 0 ? [] : await runFiles(failed, oneLane);
  const unsteady = failed.filter((name) => !failedAlone.includes(name));
  if (unsteady.length > 0) console.log(`\nUnsteady, passed only alone:\n- ${unsteady.join("\n- ")}\n`);
  return names.length - failedAlone.length;
}

function readErrors(folder: string): string[] {
  const logs = readdirSync(folder).filter((name) => name.endsWith(".log"));
  if (logs.length !== workers + 1) throw new Error(`${folder} has ${logs.length} logs`);
  return logs.flatMap((name) =>
    unexpectedErrors(readFileSync(path.join(folder, name), "utf8")).map((error) => `${name}: ${error}`),
  );
}

/** The last line of a run. */
export function lastLine(passed: number, files: number, errors: number, tookMs: number): string {
  const mark = passed === files && errors === 0 ? "✔" : "✖";
  const minutes = (tookMs / 60_000).toFixed(1);
  return `${mark} ${passed} of ${files} files passed in ${minutes} minutes, ${errors} unexpected errors in the logs of ${workers + 1} nodes`;
}

async function main(names: readonly string[]): Promise<number> {
  const missing = missingKit();
  if (missing !== undefined) {
    console.log(missing);
    return 0;
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await ensureGenerated();
  const { url, folder } = await startCluster(workers, {
    SETTINGS: "log_line_prefix=%m|%p|%a|%d|%e| shared_buffers=128MB",
  });
  process.env.CROSSDOCK_TEST_CITUS_URL = url;
  const chosen = names.length > 0 ? names : files;
  const startedMs = performance.now();
  const passed = await runAll(chosen);
  const errors = readErrors(folder);
  for (const error of errors) console.log(`✖ ${error}`);
  console.log(lastLine(passed, chosen.length, errors.length, performance.now() - startedMs));
  return passed === chosen.length && errors.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
