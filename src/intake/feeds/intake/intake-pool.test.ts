import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createIntakePool, secondsPerMiB, startMsMax } from "#/intake/feeds/intake/intake-pool.ts";
import type { BegunList } from "#/intake/feeds/intake/receiver.ts";
import type { ValidatorInput } from "#/intake/feeds/intake/validator.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { until } from "../../../../tests/support/app/until.ts";

/**
 * A thread that reports its start on the channel, reads when the channel lets it continue, and answers its own number.
 */
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

const document = () => ({ bytes: new Uint8Array(10), client: { clientId: "DEMO" } }) as ValidatorInput;

test("a slowly starting thread refuses documents until it is ready", async () => {
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

test("an idle thread ends, and the next document starts another", async (t) => {
  const channel = new BroadcastChannel("idle");
  t.after(() => channel.close());
  let begun = 0;
  channel.onmessage = () => {
    begun++;
    channel.postMessage("go on");
  };
  const pool = createIntakePool(slowThread("idle"), { idleMs: 20 });
  const threads = new Set<unknown>();
  await until("a document to be read by another thread", async () => {
    threads.add(JSON.stringify(await pool.takeIn(document())));
    return threads.size === 2;
  });
  assert.equal(begun, 2);
  await pool.close();
});

/** A thread that reports the owner of its document, and answers each document on a signal. */
const toldThread = (channel: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    const channel = new BroadcastChannel("${channel}");
    channel.onmessage = ({ data }) => data === "go on" && parentPort.postMessage({ intake: {}, heapBytes: 0 });
    parentPort.on("message", ({ client, bytes }) => channel.postMessage(client.clientId + " " + bytes.byteLength));
    parentPort.postMessage("ready");
  `)}`,
  );

test("clients take turns at a thread, and smaller documents do not wait for the largest", async (t) => {
  const channel = new BroadcastChannel("turns");
  t.after(() => channel.close());
  const read: string[] = [];
  channel.onmessage = ({ data }) => read.push(String(data));
  const pool = createIntakePool(toldThread("turns"));
  const largest = 2 * 1024 * 1024;
  const send = (clientId: string, bytes: number) =>
    pool.takeIn({ bytes: new Uint8Array(bytes), client: { clientId } } as unknown as ValidatorInput);
  const sent = [1, 2, 3, 4].map((i) => send("MANY", largest + i));
  await until("the first to be read", () => read.length === 1);
  sent.push(send("OTHER", largest), send("MANY", 40_000));
  await until("the smaller one to be read beside it", () => read.length === 2);
  for (let count = 3; count <= 6; count++) {
    channel.postMessage("go on");
    await until("the next one to be read", () => read.length === count);
  }
  channel.postMessage("go on");
  await Promise.all(sent);
  const names = ["MANY 2097153", "MANY 40000", "OTHER 2097152", "MANY 2097154", "MANY 2097155", "MANY 2097156"];
  assert.deepEqual(read, names);
  await pool.close();
});

test("a thread above its time limit is terminated, and docs/security.md states the limits", async () => {
  const silent = new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => {});
    parentPort.postMessage("ready");
  `)}`,
  );
  const pool = createIntakePool(silent);
  const { reading } = await pool.takeIn(document());
  assert.match(JSON.stringify(reading.faults), new RegExp(`could not be read within ${secondsPerMiB} s;`));
  await pool.close();
  const page = readFileSync(new URL("../../../../docs/security.md", import.meta.url), "utf8");
  const whole = secondsPerMiB * 20 === 60 ? "a minute" : assert.fail("the page names another time for the largest");
  assert.ok(
    page.includes(
      `more than ${secondsPerMiB} s for each MiB of its document, ${secondsPerMiB} s at least (${whole} for`,
    ),
  );
  assert.ok(page.includes(`or ${startMsMax / 1_000} s to start`));
});

test("the pieces of a list arrive ahead of its end, and are in its message afterwards", async () => {
  const posting = new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    const checked = { message: {}, faults: [], warnings: [], pieces: [] };
    parentPort.on("message", () => {
      for (const content of ["first", "second"])
        parentPort.postMessage({ piece: { content, transfer: [] }, bodySha256: new Uint8Array(32) });
      parentPort.postMessage({ intake: { reading: { checked, faults: [], isPosted: true } }, heapBytes: 0 });
    });
    parentPort.postMessage("ready");
  `)}`,
  );
  const pool = createIntakePool(posting);
  const begun = Promise.withResolvers<BegunList>();
  const taken = pool.takeIn(document(), begun.resolve);
  const contents: unknown[] = [];
  for await (const { content } of (await begun.promise).pieces) contents.push(content);
  assert.deepEqual(contents, ["first", "second"]);
  const { reading } = await taken;
  assert.deepEqual(
    reading.checked?.pieces?.map(({ content }) => content),
    contents,
  );
  await pool.close();
});
