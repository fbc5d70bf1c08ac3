// Rules for the commands of the guides, which a reader pastes in the root of the repository.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fencesOf, pageFiles } from "../guides/fences.ts";
import { root } from "./source.ts";

const commands = pageFiles().flatMap((file) => {
  const shell = fencesOf(file).filter(({ language }) => /^(?:sh|bash)$/.test(language));
  return shell.flatMap(({ source }) => lines(source).map((line) => ({ file, line })));
});

function lines(source: string): string[] {
  return source.replaceAll("\\\n", " ").split("\n");
}

test("git ignores the files with credentials that a guide writes", () => {
  const ignored = readFileSync(path.join(root, ".gitignore"), "utf8").split("\n");
  const secret = /(?:\b(?:client|warehouse|carrier-account) create |"signingSecret").*> *([\w.-]+)(?:\s|$)/;
  const written = commands.flatMap(({ file, line }) => {
    const [, name] = secret.exec(line) ?? [];
    return name === undefined ? [] : [{ file, name }];
  });
  assert.ok(written.length >= 6);
  assert.deepEqual(
    written.filter(({ name }) => !ignored.includes(`/${name}`)),
    [],
  );
});

test("no guide reads a status by a greedy sed, which finds that of the last parcel", () => {
  assert.ok(commands.some(({ line }) => line.includes("sed 's/.*")));
  assert.deepEqual(
    commands.filter(({ line }) => /sed .*\.\*\W*status/.test(line)),
    [],
  );
});
