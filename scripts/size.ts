// `npm run size -- REVISION`: lines and files by room, of the program, of its tests and of what is generated, beside those of
// REVISION (the last release, when none is named).
import { execFileSync } from "node:child_process";
import { lastRelease } from "../tests/support/releases.ts";
import { isTest } from "../tests/tidy/source.ts";

interface Size {
  files: number;
  lines: number;
}

const now = sizesOf("HEAD");
const before = sizesOf(process.argv[2] ?? lastRelease.commit);
const rooms = [...new Set([...now.keys(), ...before.keys()])].sort();
const named = process.argv[2] ?? `release ${lastRelease.version}`;
console.log(`lines and files, HEAD and the difference to ${named}\n`);
for (const room of rooms) {
  const [is, was] = [now.get(room) ?? none(), before.get(room) ?? none()];
  const cells = [is.lines, signed(is.lines - was.lines), is.files, signed(is.files - was.files)];
  console.log(room.padEnd(24) + cells.map((cell) => `${cell}`.padStart(10)).join(""));
}

function sizesOf(commit: string): ReadonlyMap<string, Size> {
  const sizes = new Map<string, Size>();
  // For each text file of the commit: its lines, a TAB, a dash, a TAB, its path.
  const listed = git("diff", "--numstat", "--no-renames", emptyTree(), commit);
  for (const row of listed.split("\n")) {
    const [lines = "", , file = ""] = row.split("\t");
    if (file === "" || lines === "-") continue;
    for (const room of roomsOf(file)) {
      const size = sizes.get(room) ?? none();
      sizes.set(room, { files: size.files + 1, lines: size.lines + Number(lines) });
    }
  }
  return sizes;
}

/** The room of a file; of the program also the sum. Lists of words and other data count apart. */
function roomsOf(file: string): readonly string[] {
  const [top = "", second = ""] = file.split("/");
  if (/^schemas\/(?:openapi|asyncapi)|^package-lock\.json$|\/generated\//.test(file)) return ["generated"];
  if (/\.tsx?$/.test(file) && (isTest(file) || top === "tests")) return ["tests"];
  if (top === "src") return file.endsWith(".ts") ? ["src", `src/${second}`] : ["data"];
  return [
    /^(?:console|packages|bench|docs-site|docs|scripts|deploy|migrations|schemas|samples)$/.test(top) ? top : "other",
  ];
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

function emptyTree(): string {
  return execFileSync("git", ["hash-object", "-t", "tree", "--stdin"], { encoding: "utf8", input: "" }).trim();
}

function none(): Size {
  return { files: 0, lines: 0 };
}

function signed(difference: number): string {
  return difference > 0 ? `+${difference}` : `${difference}`;
}
