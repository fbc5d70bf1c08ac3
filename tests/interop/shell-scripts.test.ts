import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isThere } from "./programs.ts";

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

if (isThere("shellcheck", "shellcheck")) {
  test("shell scripts are as shellcheck wants them", () => {
    const scripts = findScripts();
    assert.ok(scripts.includes("deploy/backup/backup.sh") && scripts.includes(".ci/run"), scripts.join());
    const args = ["--external-sources", "--source-path", root, ...scripts];
    const { status, stdout } = spawnSync("shellcheck", args, { cwd: root, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
}
