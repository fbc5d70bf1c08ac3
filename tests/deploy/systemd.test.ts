import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { configVariableNames } from "#/kernel/config/variables.ts";
import { memorySettings } from "./memory-settings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const unit = readFileSync(path.join(root, "deploy/systemd/crossdock.service"), "utf8");

function valuesOf(key: string): string[] {
  return unit.split("\n").flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
}

test("the unit starts the program by the pinned Node if it is installed, else by the machine's", () => {
  const [folder = ""] = valuesOf("WorkingDirectory");
  const [env, program, script = ""] = valuesOf("ExecStart")[0]?.split(" ") ?? [];
  assert.deepEqual([env, program], ["/usr/bin/env", "node"]);
  assert.ok(existsSync(path.join(root, script)), script);
  const [first = "", ...others] = /^PATH=(.*)$/.exec(valuesOf("Environment")[0] ?? "")?.[1]?.split(":") ?? [];
  // npm links the platform's package there.
  assert.equal(path.relative(folder, first), "node_modules/.bin");
  assert.deepEqual(others, ["/usr/local/bin", "/usr/bin", "/bin"]);
});

test("the unit sets what Crossdock knows and the memory settings of npm start, and takes its secrets from credentials that it loads", () => {
  const set = new Map(
    valuesOf("Environment")
      .flatMap((line) => line.split(" "))
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const),
  );
  for (const [name, value] of Object.entries(memorySettings)) assert.equal(set.get(name), value, name);
  const known = [
    "NODE_COMPILE_CACHE",
    "NODE_ENV",
    "PATH",
    ...Object.keys(memorySettings),
    ...configVariableNames.flatMap((name) => [name, `${name}_FILE`]),
  ];
  assert.deepEqual(
    [...set.keys()].filter((name) => !known.includes(name)),
    [],
  );
  const loaded = valuesOf("LoadCredential").map((line) => `%d/${line.split(":")[0]}`);
  assert.deepEqual(
    [...set.values()].filter((value) => value.startsWith("%d/")),
    loaded,
  );
  assert.deepEqual(loaded.length, 2);
});

test("the unit runs without rights, writes only its state folder, and is killed only after drain and stop", () => {
  assert.deepEqual(valuesOf("User"), ["crossdock"]);
  assert.deepEqual(valuesOf("CapabilityBoundingSet"), [""]);
  assert.deepEqual(valuesOf("NoNewPrivileges"), ["yes"]);
  assert.deepEqual(valuesOf("ProtectSystem"), ["strict"]);
  assert.equal(`/var/lib/${valuesOf("StateDirectory")[0]}`, /CROSSDOCK_DATA_DIR=(\S+)/.exec(unit)?.[1]);
  assert.deepEqual(valuesOf("KillMode"), ["mixed"]);
  assert.ok(Number.parseInt(valuesOf("TimeoutStopSec")[0] ?? "", 10) >= 20 + 5 + 5);
  // The JavaScript engine compiles code at run time: with this setting, nothing starts.
  assert.deepEqual(valuesOf("MemoryDenyWriteExecute"), []);
});
