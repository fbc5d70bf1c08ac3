import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files run by a shell, recognised by their name or first line. */
function findScripts(): string[] {
  const files = ["deploy", ".ci"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
  );
  const isScript = (file: string) =>
    file.endsWith(".sh") || /^#!.*\b(?:ba)?sh\b/.test(readFileSync(path.join(root, file), "utf8").slice(0, 100));
  return files.filter(isScript).sort();
}

test("shell scripts are as shellcheck wants them", (context) => {
  const scripts = findScripts();
  assert.ok(scripts.includes("deploy/backup/backup.sh") && scripts.includes(".ci/run"), scripts.join());
  const { error, status, stdout } = spawnSync("shellcheck", ["--external-sources", "--source-path", root, ...scripts], {
    cwd: root,
    encoding: "utf8",
  });
  if (error) {
    if (process.env.CI === "true") throw new Error("there is no shellcheck, and under CI nothing is left out");
    context.diagnostic("LEFT OUT: no shell script was checked, because there is no shellcheck on the PATH");
    return;
  }
  assert.equal(status, 0, stdout);
});
