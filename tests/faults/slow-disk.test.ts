// Ctrl-C while the disk cannot complete PostgreSQL's last checkpoint: no commit is lost, and no process remains.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { processesIn } from "#/store/db/embedded/process-table.ts";
import { watchMachine } from "../support/app/machine.ts";
import { makeDataDir, postgresOf, startProcess } from "../support/app/process.ts";
import { catalogue, sendFeed } from "./load/sender.ts";
import { withClient } from "./oracles/oracle.ts";

const stretch = watchMachine();

/** A checkpointer that is stopped by a signal behaves as in a blocked write. */
function holdCheckpoints(dataDir: string): void {
  const isCheckpointer = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("checkpointer");
  const checkpointer = processesIn(path.join(dataDir, "postgres")).find(isCheckpointer);
  assert(checkpointer !== undefined, "there is a checkpointer");
  process.kill(checkpointer, "SIGSTOP");
}

test("PostgreSQL whose last checkpoint takes too long is ended without it, and has all that was committed", async () => {
  const dataDir = makeDataDir();
  const lines: string[] = [];
  const first = await startEmbedded({ dataDir, log: (line) => lines.push(line) });
  await withClient(first.url, (client) => client.query("create table kept as select generate_series(1, 1000) as n"));
  holdCheckpoints(dataDir);
  const beganMs = performance.now();
  await first.stop(500);
  const tookMs = performance.now() - beganMs;
  assert(tookMs < 1_500 * stretch(), `${Math.round(tookMs)} ms`);
  assert.deepEqual(postgresOf(dataDir).all, []);
  assert.match(lines.at(-1) ?? "", /without its last checkpoint/);

  const second = await startEmbedded({ dataDir });
  const { rows } = await withClient(second.url, (client) => client.query("select count(*)::int as n from kept"));
  assert.deepEqual(rows, [{ n: 1000 }]);
  await second.stop();
});

test("the whole program ends by Ctrl-C in its five seconds, and starts with what it acknowledged", async (t) => {
  const dataDir = makeDataDir();
  const server = await startProcess(dataDir);
  const answer = await sendFeed(server, catalogue);
  assert(answer.isAccepted, answer.body);
  holdCheckpoints(dataDir);
  const { code, ms } = await server.stop("SIGINT");
  t.diagnostic(`ended in ${Math.round(ms)} ms`);
  assert.equal(code, 0, server.output());
  assert(ms <= 5_000 * stretch(), `${Math.round(ms)} ms`);
  assert.match(server.output(), /without its last checkpoint/);
  assert.deepEqual(postgresOf(dataDir), { postmaster: undefined, all: [] });

  const again = await startProcess(dataDir);
  const status = await fetch(`${again.url}/feeds/DEMO/status/${answer.token}`, {
    headers: { "X-API-KEY": again.demo.feed.apiKey },
  });
  assert.equal(status.status, 200, await status.text());
  await again.stop("SIGINT");
});
