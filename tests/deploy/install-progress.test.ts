// The output of scripts/run.mjs while npm installs: on a terminal and in a log.
import assert from "node:assert/strict";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startProgram } from "../support/app/program.ts";
import { openTerminal } from "../support/app/terminal.ts";
import { until } from "../support/app/until.ts";

const launcher = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const names = Array.from({ length: 8 }, (_, i) => `package-${i + 1}`);

/** Creates half of the packages, waits for the file `go`, and creates the others. */
const npm = `#!/bin/sh
make() { for i in "$@"; do mkdir -p node_modules/package-$i && echo '{}' > node_modules/package-$i/package.json; done; }
echo "$*" > arguments
make 1 2 3 4
until [ -e go ]; do sleep 0.05; done
make 5 6 7 8
`;

async function withProject(work: (root: string, env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), "crossdock-install-"));
  try {
    for (const folder of ["scripts", "src", "bin"]) await mkdir(path.join(root, folder));
    await copyFile(launcher, path.join(root, "scripts/run.mjs"));
    await writeFile(path.join(root, "src/main.ts"), 'console.log("ran");');
    const places = names.map((name) => [`node_modules/${name}`, { version: "1.0.0" }]);
    const elsewhere = { version: "1.0.0", optional: true, os: ["plan9"] };
    const packages = { "": {}, ...Object.fromEntries(places), "node_modules/of-another-system": elsewhere };
    await writeFile(path.join(root, "package-lock.json"), JSON.stringify({ packages }));
    await writeFile(path.join(root, "bin/npm"), npm);
    await chmod(path.join(root, "bin/npm"), 0o755);
    const { npm_execpath: _, ...env } = process.env;
    await work(root, { ...env, PATH: `${path.join(root, "bin")}${path.delimiter}${process.env.PATH}` });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const command = [process.execPath, "scripts/run.mjs", "src/main.ts"];

test("on a terminal one line counts the packages that are there, and gives way to what was installed", () =>
  withProject(async (root, env) => {
    const terminal = openTerminal(command, { cwd: root, env });
    await until("half of the packages", () => terminal.screen().includes("[setup] 4 of 8 packages (50 %)"));
    await writeFile(path.join(root, "go"), "");
    assert.equal(await terminal.ended, 0, terminal.screen());
    assert.match(
      terminal.screen(),
      /^\[setup\] installing 8 packages into node_modules, once: \d+ MB to download at most\n/,
    );
    assert.match(terminal.screen(), /\[setup\] 8 packages are installed, after \d+ s\nran\n$/);
    assert.match(await readFile(path.join(root, "arguments"), "utf8"), /^ci .*--no-progress/);
  }));

test("in a log a few plain lines say the same", () =>
  withProject(async (root, env) => {
    const launcher = startProgram(command, { cwd: root, env });
    await until("half of the packages", () => launcher.stderr().includes("4 of 8"));
    await writeFile(path.join(root, "go"), "");
    const { stdout, stderr } = await launcher.ended;
    assert.equal(stdout, "ran\n");
    const lines = stderr.trimEnd().split("\n");
    assert.match(
      lines[0] ?? "",
      /^\[setup\] installing 8 packages into node_modules, once: \d+ MB to download at most$/,
    );
    assert.ok(lines.includes("[setup] 4 of 8 packages (50 %)"));
    assert.match(lines.at(-1) ?? "", /^\[setup\] 8 packages are installed, after \d+ s$/);
    assert.ok(lines.length <= 5, stderr);
  }));
