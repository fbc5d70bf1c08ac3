import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openLogFile } from "#/kernel/telemetry/log-file.ts";

test("only its owner can read a log file, which continues at its end and is limited to one older file", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-log-"));
  try {
    const file = path.join(folder, "data", "crossdock.log");
    openLogFile(file, 10).write("first line\n");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const again = openLogFile(file, 10);
    again.write("second\n");
    again.write("third\n");
    assert.equal(readFileSync(file, "utf8"), "second\nthird\n");
    assert.equal(readFileSync(`${file}.1`, "utf8"), "first line\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a full disk takes no line, and the program goes on", { skip: !existsSync("/dev/full") }, () => {
  openLogFile("/dev/full").write("lost\n");
});
