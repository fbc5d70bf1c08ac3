// A start on a full disk: node and PostgreSQL were killed, and something else has taken the rest of the disk.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startWithSpace } from "#/app/roles/store.ts";
import { atEnd } from "../support/app/at-end.ts";
import { endProcess, makeDataDir, postgresOf, spawnProcess, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { catalogue, sendFeed } from "./load/sender.ts";

test("a start is tried again while the disk is full, and only then", async () => {
  const full = Object.assign(new Error("could not extend file"), { code: "53100" });
  const failures: Error[] = [new Error("the database does not answer", { cause: full }), full];
  const notices: string[] = [];
  const start = async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return "started";
  };
  const { signal } = new AbortController();
  assert.equal(await startWithSpace(start, (cause) => notices.push(cause.message), signal), "started");
  assert.deepEqual(notices, ["could not extend file"]);

  failures.push(new Error("no privilege"));
  await assert.rejects(startWithSpace(start, assert.fail, signal), /no privilege/);
});

test("a stop signal ends the wait for space", async () => {
  const stopping = new AbortController();
  const start = () => Promise.reject(new Error("ENOSPC: no space left on device, write"));
  await assert.rejects(
    startWithSpace(start, () => stopping.abort(), stopping.signal),
    /no space left/,
  );
});

/** Takes all space that is left on the disk of this file. */
function fill(file: string): void {
  const descriptor = openSync(file, "a");
  for (let bytes = 2 ** 20; bytes >= 1; ) {
    try {
      writeSync(descriptor, Buffer.alloc(bytes));
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
  closeSync(descriptor);
}

const dataDir = makeDataDir();
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=200m,mode=711", "tmpfs", dataDir]).status === 0;
if (isMounted) atEnd(() => spawnSync("umount", ["--lazy", dataDir]));

test("after kill -9 a node that starts on a full disk names it, waits, leaves no process on Ctrl-C, and serves as soon as it has space", {
  skip: !isMounted && "a small disk needs the right to mount one",
}, async () => {
  const first = await startProcess(dataDir);
  const document = { ...catalogue, key: "before-the-kill" };
  const { body } = await sendFeed(first, document);
  endProcess(postgresOf(dataDir).postmaster as number);
  await first.kill();
  await until("PostgreSQL to be gone", () => postgresOf(dataDir).all.length === 0);
  const filling = path.join(dataDir, "filling");
  fill(filling);

  const waits = `Crossdock waits for space, because the disk of ${path.join(dataDir, "postgres")} is full`;
  const startWaiting = async () => {
    const node = spawnProcess(dataDir);
    await until(
      () => `the notice in ${node.output()}`,
      () => {
        // Crash recovery frees some space.
        fill(filling);
        return node.output().includes(waits);
      },
    );
    return node;
  };
  const interrupted = await startWaiting();
  assert.equal((await interrupted.stop("SIGINT")).code, 1);
  assert.deepEqual(postgresOf(dataDir).all, []);

  const node = await startWaiting();
  rmSync(filling);
  const again = await node.ready();
  assert.equal((await sendFeed(again, document)).body, body);
  assert.equal(node.output().split(waits).length, 2);
  assert.equal((await again.stop("SIGINT")).code, 0);
});
