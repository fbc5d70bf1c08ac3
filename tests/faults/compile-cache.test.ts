// A process that is killed has left its compiled code to the next one, which starts sooner by it.
import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeDataDir, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";

test("the compiled code is on disk while the program runs", async () => {
  const dataDir = makeDataDir();
  const folder = path.join(dataDir, "compiled");
  const server = await startProcess(dataDir, { NODE_COMPILE_CACHE: folder });
  const files = await until("the compile cache", async () => {
    const found = existsSync(folder) ? globSync("*/*", { cwd: folder }).length : 0;
    return found > 0 ? found : undefined;
  });
  assert.ok(server.isRunning());
  await server.kill();
  assert.ok(files > 0 && existsSync(folder));
});
