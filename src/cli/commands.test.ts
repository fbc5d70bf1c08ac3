import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = new URL("../..", import.meta.url).href;
const program = fileURLToPath(new URL("main.ts", import.meta.url));

/** The files of `src` that a process has loaded. */
function filesLoaded(args: readonly string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "crossdock-coverage-"));
  try {
    execFileSync(process.execPath, [program, ...args], { env: { ...process.env, NODE_V8_COVERAGE: folder } });
    const reports = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), "utf8"));
    const urls = reports.flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result);
    return urls.flatMap(({ url }) => (url.startsWith(`${root}src/`) ? url.slice(root.length) : []));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lists of settings, types and roles that the table of commands names. */
const ofServer = /^src\/(?:console-api|delivery|feeds|http|modules|outbox|roles|sftp|warehouse-sim)\//;
const named = [
  "src/kernel/feed-types.ts",
  "src/intake/feeds/intake/definition.ts",
  "src/http/access/operator-role.ts",
  "src/modules/clients/agent-tools.ts",
  "src/modules/clients/domain.ts",
  "src/modules/clients/setting-words.ts",
  "src/modules/clients/settings.ts",
  "src/modules/facilities/settings.ts",
];

test("the help loads the table of commands and no code of the server", () => {
  for (const args of [["--help"], ["client", "set", "--help"]]) {
    const loaded = filesLoaded(args);
    assert.ok(loaded.includes("src/cli/table/clients.ts"), loaded.join("\n"));
    assert.deepEqual(
      loaded.filter((file) => ofServer.test(file) && !named.includes(file)),
      [],
    );
  }
});
