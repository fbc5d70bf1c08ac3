import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { releases } from "../support/releases.ts";
import { root } from "./source.ts";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const headings = [...read("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
const { version } = JSON.parse(read("package.json")) as { version: string };

test("the list of releases is in order, and each release closes a section of the changelog", () => {
  const dates = releases.map(({ date }) => date);
  assert.deepEqual(dates, dates.toSorted());
  assert.equal(new Set(releases.map((release) => release.version)).size, releases.length);
  for (const release of releases) {
    assert.match(release.commit, /^[0-9a-f]{40}$/);
    assert(
      headings.includes(`${release.version} (${release.date})`),
      `CHANGELOG.md has no section of ${release.version}`,
    );
  }
});

test("the tree is the next version: the changelog begins with it, and package.json names it", () => {
  const [, next, isOpen] = /^(\d+\.\d+\.\d+) \((?:(unreleased)|\d{4}-\d\d-\d\d)\)$/.exec(headings[0] ?? "") ?? [];
  assert(next !== undefined, "the first section of CHANGELOG.md names no version");
  assert.equal(version, isOpen ? `${next}-dev` : next);
  assert(!releases.some((release) => release.version === next), `${next} is released: begin the next version`);
});

test("each release from 0.2.0 on begins with what a program at its interfaces notices", () => {
  const sections = read("CHANGELOG.md").split(/^## /m).slice(1);
  const firsts = sections.map((section) => [/^\S+/.exec(section)?.[0], /^### (.+)$/m.exec(section)?.[1]]);
  assert.ok(firsts.length > 2);
  for (const [release, first] of firsts) if (release !== "0.1.0") assert.equal(first, "Interfaces", `${release}`);
});

test("an entry of the next version is one line of at most 160 characters", () => {
  const [, next = ""] = read("CHANGELOG.md").split(/^## /m);
  const entries = next.split("\n").filter((line) => line.startsWith("- "));
  assert.ok(entries.length > 10, "the entries are found");
  assert.deepEqual(
    entries.filter((entry) => entry.length > "- ".length + 160),
    [],
  );
});
