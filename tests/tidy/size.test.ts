import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { isTest, root } from "./source.ts";

test("npm run size counts the lines and files of the program as they are committed", () => {
  const printed = execFileSync(process.execPath, ["scripts/size.ts", "HEAD"], { cwd: root, encoding: "utf8" });
  const row = printed.split("\n").find((line) => line.startsWith("src ")) ?? "";
  const [, lines, difference, files] = row.trim().split(/ +/).map(Number);
  const listed = execFileSync("git", ["ls-tree", "-r", "--name-only", "HEAD", "src"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  const program = listed.filter((file) => file.endsWith(".ts") && !isTest(file));
  assert.deepEqual([difference, files], [0, program.length], printed);
  const there = globSync("src/**/*.ts", { cwd: root }).filter((file) => !isTest(file));
  const counted = there.map((file) => readFileSync(path.join(root, file), "utf8").split("\n").length - 1);
  // A commit in the making may differ from HEAD.
  const sum = counted.reduce((total, count) => total + count, 0);
  assert.ok(Math.abs(sum - (lines as number)) < 5_000, `${sum} lines are there, ${lines} are counted`);
});
