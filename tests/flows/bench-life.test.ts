// The bench of the complete life of an order, with numbers too small to mean anything: it runs, and leaves no files.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const runner = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const tiny =
  "--measured 3 --rounds 1 --orders 6 --clients 2 --reporters 4 --statements 3 --read-papers --skewed-alone".split(" ");

test("npm run bench life measures every stage beside a past and neighbours, and leaves nothing behind", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-bench-life-"));
  // When run as root, PostgreSQL uses a separate account, which must traverse the folder.
  chmodSync(folder, 0o711);
  const { stdout } = await promisify(execFile)(process.execPath, [runner, "bench/main.ts", "life", ...tiny], {
    env: { ...process.env, TMPDIR: folder },
  });
  const rows = (name: string) => stdout.split("\n").filter((line) => line.startsWith(name));
  for (const stage of ["feed, allocate", "pick", "pack with papers", "read papers", "load, despatch", "delivered"]) {
    assert.equal(rows(stage).length, 1, stdout);
  }
  for (const row of rows("whole life")) assert.match(row, /^whole life( +\d+\.\d){3}( +\d+){3}$/);
  assert.match(stdout, /^6 ended orders and 2 clients of 20 orders were put in place/m);
  assert.match(stdout, /^\d+\.\d\d( +\d+\.\d+){3} +\d+ (select|insert into|update|analyze) /m);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("crossdock-")),
    [],
  );
  rmSync(folder, { recursive: true });
});
