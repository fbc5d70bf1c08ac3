// A machine with Node, npm and git runs the default tier: its files start no other program.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { isLong } from "../../scripts/tiers.ts";
import { isTest, listFiles, readSource, type Source } from "./source.ts";

/** Files that start a program by a name that the rule cannot read, and which one. */
const readByHand: Readonly<Record<string, string>> = {
  "tests/support/app/program.ts": "the program of its caller, whose call the rule reads",
  "scripts/supply/npm.ts": "npm",
  "tests/security/install-scripts.test.ts": "the program that the Dockerfile names: npm",
  "tests/faults/nodes/releases.ts": "tar, for tests/faults; the rules of migrations take its reading of git",
  "tests/support/postgres/citus-cluster.ts": "the kit of a cluster, where one lies beside the project",
};

/** The first argument of each call that starts a program. */
function programsOf(file: string): string[] {
  const source = sourceOf(file).text;
  const imported = source.matchAll(/import \{([^}]*)\} from "(?:node:child_process|[./\w]*\/program\.ts)"/g);
  const functions = [...imported]
    .flatMap(([, names = ""]) => names.split(","))
    .flatMap(
      (name) => /^\s*(?:(?:spawn|exec|execFile|fork)(?:Sync)?|(?:start|run)Program)\s*$/.exec(name)?.[0].trim() ?? [],
    );
  const first = String.raw`\(\s*(?:\[[\s.[]*)?("[^"]*"|[\w.[\]]+)`;
  const calls = source.matchAll(new RegExp(`(?<![.\\w])(?:${functions.join("|")})${first}`, "g"));
  return functions.length === 0 ? [] : [...calls].map(([, program = ""]) => program);
}

const isFromHere = (program: string) => /^(?:process\.execPath|"(?:node|npm|git)")$/.test(program);

/** The files that a file imports, directly or not, without the program itself; the file included. */
function reachedBy(file: string): string[] {
  const reached = new Set([file]);
  for (const from of reached) {
    for (const name of sourceOf(from).imports) {
      const target = path.normalize(path.join(path.dirname(from), name));
      if (name.startsWith(".") && name.endsWith(".ts") && !target.startsWith("src/")) reached.add(target);
    }
  }
  return [...reached];
}

const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  const source = sources.get(file) ?? readSource(file);
  sources.set(file, source);
  return source;
}

test("no file of the default tier starts a program other than node, npm and git", () => {
  const files = listFiles("{src,tests,packages,console}/**/*.ts").filter((file) => isTest(file) && !isLong(file));
  assert.ok(files.length > 350, `${files.length} files were read`);
  const faults = files.flatMap((file) =>
    reachedBy(file).flatMap((reached) =>
      programsOf(reached)
        .filter((program) => !isFromHere(program) && !(reached in readByHand))
        .map(
          (program) => `${file} starts ${program}${reached === file ? "" : ` in ${reached}`}: move it to tests/interop`,
        ),
    ),
  );
  assert.deepEqual([...new Set(faults)], []);
});

test("the rule finds the programs of the tests that have them", () => {
  const programs = reachedBy("tests/interop/papers.test.ts").flatMap(programsOf);
  assert.ok(programs.includes("program"), programs.join());
  assert.ok(reachedBy("tests/interop/sftp.test.ts").flatMap(programsOf).includes('"sftp"'));
  assert.deepEqual(programsOf("tests/support/app/terminal.ts"), ['"python3"']);
  assert.deepEqual(
    Object.keys(readByHand).filter((file) => programsOf(file).every(isFromHere)),
    [],
  );
});
