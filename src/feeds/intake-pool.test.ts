import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailableError } from "#/db/errors.ts";
import { createIntakePool } from "#/feeds/intake-pool.ts";
import type { JudgeInput } from "#/feeds/judge.ts";
import { atEnd } from "../../tests/support/at-end.ts";
import { until } from "../../tests/support/until.ts";

/** A thread that says on the channel that it has begun, reads when it is told there to go on, and answers its own number. */
const slowThread = (channel: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from "node:worker_threads";
    const channel = new BroadcastChannel("${channel}");
    channel.onmessage = () => {
      channel.close();
      parentPort.on("message", () => parentPort.postMessage({ intake: { threadId }, heapBytes: 0 }));
      parentPort.postMessage("ready");
    };
    channel.postMessage("begun");
  `)}`,
  );

const document = () => ({ bytes: new Uint8Array(10) }) as JudgeInput;

test("a thread that is slow to start refuses documents for now, and is there for a later one", async () => {
  const channel = new BroadcastChannel("slow to start");
  atEnd(() => channel.close());
  let begun = 0;
  channel.onmessage = () => begun++;
  const pool = createIntakePool(slowThread("slow to start"), { startsMs: 50 });
  for (let i = 0; i < 3; i++) {
    await assert.rejects(pool.takeIn(document()), (error) => {
      assert(error instanceof StoreUnavailableError);
      assert.equal(error.message, "the reading thread is still starting");
      return true;
    });
  }
  await until("the thread to begin", () => begun > 0);
  channel.postMessage("go on");
  const first = await until("a document to be read", () => pool.takeIn(document()).catch(() => undefined));
  assert.deepEqual(await pool.takeIn(document()), first);
  assert.equal(begun, 1);
  await pool.close();
});
