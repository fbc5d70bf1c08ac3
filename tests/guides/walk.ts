// Runs a guide as a reader does: its blocks in their order, in one shell, in one folder, against a real server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import type { TestServer } from "../support/app/server.ts";
import { type Fence, fencesOf, isToBeProved, remarkOf, root } from "./fences.ts";
import { openShell, type Shell } from "./shell.ts";
import { validateJson, validateXml } from "./shown-data.ts";

/** The address in the guides. */
export const shownUrl = "http://127.0.0.1:8080";

export interface Walk {
  /** Values of the variables that the page's first shell block sets, one per line; empty if it sets none. */
  readonly values: Readonly<Record<string, string>>;
  /** Replaces the guide's address. */
  readonly url: string;
  /** The server's variables for the command line: its database, its secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** The only tab that this reader follows; undefined for all, one after the other. */
  readonly tab?: string;
  /** Puts files into the folder that the reader has from elsewhere. */
  prepare?(folder: string): void;
  /** Establishes the state that a block requires, before it is run. */
  before?(fence: Fence): Promise<void> | void;
}

const servers: TestServer[] = [];
/** Answers `GET /{i}` when the servers of that database have received the notification of a change. */
const receipts = createServer(({ url = "" }, response) => {
  void Promise.resolve(servers[Number(url.slice(1))]?.heard()).then(() => response.end());
}).listen(0, "127.0.0.1");
await once(receipts, "listening");
atEnd(() => receipts.close());

/** The environment in which the command line finds a test's server. */
export function environmentOf(server: TestServer): Record<string, string> {
  const { config } = server;
  const receipt = `http://127.0.0.1:${(receipts.address() as AddressInfo).port}/${servers.push(server) - 1}`;
  return {
    CROSSDOCK_TEST_RECEIPT: receipt,
    DATABASE_URL: config.database.url as string,
    CROSSDOCK_DATA_DIR: config.dataDir,
    CROSSDOCK_SECRET: config.secret ?? "",
  };
}

/**
 * A folder like the reader's: it contains the repository's packages and samples, and keeps the guide's files until the
 * end.
 */
export function guideFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-guide-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["node_modules", "samples", "package.json"])
    symlinkSync(path.join(root, name), path.join(folder, name));
  return folder;
}

/** A shell in which `npx crossdock` is the command line of this repository. */
export async function guideShell(folder: string, environment: Readonly<Record<string, string>>): Promise<Shell> {
  const shell = openShell(folder, {
    // A guide that calls `node` gets the version that runs the tests.
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    LANG: "C.UTF-8",
    // Java tools print this variable at every start if it is set.
    JAVA_TOOL_OPTIONS: undefined,
    CROSSDOCK_TEST_COMMANDS: path.join(root, "src/cli/main.ts"),
    ...environment,
  });
  // Running servers learn of a command's changes by a notification without receipt: a reader types the next line later.
  const later = environment.CROSSDOCK_TEST_RECEIPT === undefined ? "sleep 1" : "curl -s $CROSSDOCK_TEST_RECEIPT";
  await shell.type(`npx() { shift; node "$CROSSDOCK_TEST_COMMANDS" "$@"; set -- $?; ${later}; return $1; }`);
  return shell;
}

/** Verifies every block of the page, except those that a remark excludes or assigns to another test. */
export async function walkGuide(context: TestContext, file: string, walk: Walk): Promise<void> {
  const folder = guideFolder();
  walk.prepare?.(folder);
  const shell = await guideShell(folder, walk.environment);
  const fences = fencesOf(file).filter(({ tab }) => walk.tab === undefined || tab === undefined || tab === walk.tab);
  let isFirst = true;
  for (const [i, fence] of fences.entries()) {
    if (!isToBeProved(fence)) continue;
    if (fence.name !== undefined) writeFileSync(path.join(folder, fence.name), fence.source);
    if (fence.language === "xml") validateXml(fence);
    else if (fence.language === "json") validateJson(fence);
    else if (isShell(fence) && fence.name === undefined) {
      await walk.before?.(fence);
      if (!isFirst && isLeftOut(context, fence)) continue;
      const source = isFirst ? fill(fence, walk.values) : fence.source;
      isFirst = false;
      await runBlock(shell, { ...fence, source }, outputOf(fences, i), walk.url);
    }
  }
  await shell.end();
}

const isShell = ({ language }: Fence) => language === "sh" || language === "bash";

/** Sets the lines `NAME=value` of the first block to the values of the test; fails when one is missing there. */
export function fill(fence: Fence, values: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(values));
  const filled = fence.source.replace(/^(export )?(\w+)=.*$/gm, (_, exported = "", name: string) => {
    left.delete(name);
    const value = values[name] ?? assert.fail(`${fence.file}:${fence.line} sets ${name}, which the test does not know`);
    return `${exported}${name}='${value}'`;
  });
  assert.deepEqual([...left], [], `${fence.file}:${fence.line} does not set them`);
  return filled;
}

/** The block of `text` directly after it, which shows the output. */
function outputOf(fences: readonly Fence[], i: number): Fence | undefined {
  const next = fences[i + 1];
  return next?.language === "text" && next.remark === "" ? next : undefined;
}

async function runBlock(shell: Shell, fence: Fence, expected: Fence | undefined, url: string): Promise<void> {
  const place = `${fence.file}:${fence.line}`;
  const { seen, code } = await shell.type(fence.source);
  const shown = seen.replaceAll(url, shownUrl);
  if (process.env.CROSSDOCK_TEST_SHOW) process.stderr.write(`\n${place}\n${shown}\n`);
  assert.equal(code, 0, `${place} ends with ${code}:\n${fence.source}\n${shown}`);
  if (expected === undefined) return;
  const isSame = patternOf(expected.source).test(linesOf(shown));
  assert.ok(isSame, `${place} shows\n${shown}\nand line ${expected.line} says\n${expected.source}`);
}

/**
 * `…` matches anything: as a separate line, any number of lines. Blank lines and blanks at the ends of lines are
 * ignored.
 */
function patternOf(source: string): RegExp {
  const literal = linesOf(source).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const lines = literal.replace(/^…\n/gm, "(?:[^]*\\n)?").replace(/\n…$/g, "(?:\\n[^]*)?");
  return new RegExp(`^${lines.replaceAll("…", "[^]*?")}$`);
}

function linesOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.filter((line) => line !== "").join("\n");
}

/** Whether the machine lacks a program that the block needs. */
export function isLeftOut(context: TestContext, fence: Fence): boolean {
  const missing = (remarkOf(fence, "needs") ?? "").split(", ").filter((program) => program !== "" && !isThere(program));
  if (missing.length === 0) return false;
  const why = `there is no ${missing.join(", no ")} on the PATH`;
  context.diagnostic(`LEFT OUT: ${fence.file}:${fence.line} was not run, because ${why}`);
  assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${why}`);
  return true;
}

function isThere(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
