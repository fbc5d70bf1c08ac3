import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { preparationOf } from "#/http/sites/build.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test("a site without its tool is served once a build exists", async () => {
  const base = mkdtempSync(path.join(os.tmpdir(), "crossdock-site-"));
  try {
    const faults: unknown[] = [];
    const log = { info() {}, warn: (fault: unknown) => faults.push(fault) } as unknown as Logger;
    const prepare = preparationOf({
      name: "the site",
      folder: path.relative(root, base),
      sources: [],
      tool: { name: "the tool", file: "no-such-tool.mjs", args: [], outVariable: "OUT" },
    });
    assert.equal(await prepare(log), undefined);
    assert.deepEqual(faults, [{ site: "the site", fault: "the tool is not installed" }]);
    const built = path.join(base, "dist");
    mkdirSync(built);
    writeFileSync(path.join(built, "index.html"), "built");
    assert.equal(await prepare(log), built);
    assert.equal(faults.length, 1);
  } finally {
    rmSync(base, { recursive: true });
  }
});
