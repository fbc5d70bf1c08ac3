// The installation of a compromised package must not run its code.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const attempts = ["preinstall", "install", "postinstall", "prepare"] as const;

test("what the first start installs runs no script of any package", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "crossdock-scripts-"));
  try {
    for (const name of ["scripts", "src", "evil"]) mkdirSync(path.join(folder, name));
    copyFileSync(path.join(root, "scripts/run.mjs"), path.join(folder, "scripts/run.mjs"));
    writeFileSync(path.join(folder, "src/main.ts"), 'console.log("ran");');
    const scripts = Object.fromEntries(attempts.map((name) => [name, `echo ${name} >> "$INIT_CWD/ran-by-a-package"`]));
    const evil = { name: "evil", version: "1.0.0", scripts };
    writeFileSync(path.join(folder, "evil/package.json"), JSON.stringify(evil));
    const npm = (...args: readonly string[]) => {
      const { npm_execpath: _, ...env } = process.env;
      // The scripts of this package are allowed in every version of npm; older ones have no `allowScripts`.
      const { status, stdout, stderr } = spawnSync(args[0] as string, args.slice(1), {
        cwd: folder,
        encoding: "utf8",
        timeout: 120_000,
        env: { ...env, npm_config_offline: "true", npm_config_ignore_scripts: "false" },
      });
      assert.equal(status, 0, stderr);
      return stdout;
    };
    npm("npm", "pack", "./evil", "--ignore-scripts", "--pack-destination", folder);
    const project = { name: "project", version: "1.0.0", dependencies: { evil: "file:evil-1.0.0.tgz" } };
    const allowScripts = { evil: true, "evil@file:evil-1.0.0.tgz": true, "file:evil-1.0.0.tgz": true };
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...project, allowScripts }));
    npm("npm", "install", "--package-lock-only", "--ignore-scripts");
    // Proves that an installation with scripts runs the package's code; without this, the test proves nothing.
    npm("npm", "ci");
    const mark = path.join(folder, "ran-by-a-package");
    assert.ok(existsSync(mark), "npm ci by itself runs them");
    rmSync(mark);
    rmSync(path.join(folder, "node_modules"), { recursive: true });
    assert.equal(npm(process.execPath, "scripts/run.mjs", "src/main.ts").trim(), "ran");
    assert.ok(existsSync(path.join(folder, "node_modules/evil/package.json")));
    assert.ok(!existsSync(mark));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("wherever the project installs packages, it says --ignore-scripts", () => {
  const files = [
    ...["Dockerfile", "README.md", "SECURITY.md", "ARCHITECTURE.md", ".ci/run", ".ci/install-generators"],
    ...globSync(["scripts/**/*", "deploy/**/*", "docs/*.md", "packages/*/README.md"], { cwd: root }),
  ].filter((file) => (!/\.(png|svg)$/.test(file) && path.extname(file) !== "") || /Dockerfile|\.ci\//.test(file));
  const faults = files.flatMap((file) =>
    readFileSync(path.join(root, file), "utf8")
      .replaceAll("\\\n", " ")
      .split("\n")
      .filter(
        (line) => /^(?:RUN\s+|\s*)?(?:npm ci|npm install|npm prune)\b/.test(line) && !line.includes("--ignore-scripts"),
      )
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(faults, []);
});
