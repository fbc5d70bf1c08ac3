import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openCollector } from "#/app/telemetry/collector.ts";
import { type Answer, startReceiver } from "../../../tests/support/http/receiver.ts";

const receiver = await startReceiver();
after(() => receiver.close());
const message = new Uint8Array([1, 2, 3]);

/** Uses a longer timeout than usual where the timeout is not the subject, because the machine may be busy. */
function collectorOf({ sendMsMax = 30_000 }: { readonly sendMsMax?: number | undefined } = {}) {
  const changes: (string | undefined)[] = [];
  const collector = openCollector({
    endpoint: receiver.url,
    headers: { authorization: "Bearer abc" },
    userAgent: "Crossdock/test",
    onChange: (fault) => void changes.push(fault),
    sendMsMax,
  });
  return { collector, changes };
}

test("a message is posted with its type and the headers that were set", async () => {
  const { collector, changes } = collectorOf();
  assert.equal(await collector.send("/v1/traces", message), true);
  const request = receiver.requests.at(-1);
  assert.deepEqual([request?.method, request?.path, [...(request?.body ?? [])]], ["POST", "/v1/traces", [1, 2, 3]]);
  assert.equal(request?.headers["content-type"], "application/x-protobuf");
  assert.equal(request?.headers.authorization, "Bearer abc");
  assert.equal(request?.headers["user-agent"], "Crossdock/test");
  assert.deepEqual(changes, []);
});

test("temporary failures are retried, permanent ones are not, and a redirect is not followed", async () => {
  const { collector, changes } = collectorOf();
  const outcome = async (...answers: Answer[]) => {
    const before = receiver.requests.length;
    receiver.answer = () => answers.shift() ?? 200;
    return [await collector.send("/v1/traces", message), receiver.requests.length - before];
  };
  assert.deepEqual(await outcome(503, 200), [true, 2]);
  assert.deepEqual(await outcome("reset", 429, 200), [true, 3]);
  assert.deepEqual(await outcome(400), [false, 1]);
  assert.deepEqual(await outcome({ redirect: `${receiver.url}/elsewhere` }), [false, 1]);
  assert.deepEqual(await outcome(200), [true, 1]);
  assert.deepEqual(changes, ["status 400", undefined], "it is said when it begins and when it ends");
});

test("a silent or slow collector delays no message beyond its time-out", async () => {
  for (const answer of ["hang", { drip: "x", pauseMs: 20 }] as const) {
    const { collector, changes } = collectorOf({ sendMsMax: answer === "hang" ? 1_500 : undefined });
    receiver.answer = answer;
    // The usual limit is 5 s. Of two timers, the one due first fires first, however long both were delayed.
    const late = sleep(4_500, "late", { ref: false });
    const isTaken = await (answer === "hang"
      ? Promise.race([collector.send("/v1/traces", message), late])
      : collector.send("/v1/traces", message));
    // The response head confirms the message. The endless body after it is not awaited.
    assert.equal(isTaken, answer !== "hang");
    assert.deepEqual(changes, answer === "hang" ? ["no answer in time"] : []);
  }
});

test("closing aborts running messages without a log line", async () => {
  const { collector, changes } = collectorOf();
  receiver.answer = "hang";
  const sending = collector.send("/v1/traces", message);
  await receiver.waitFor(receiver.requests.length + 1).catch(() => {});
  collector.close();
  assert.equal(await sending, false);
  assert.deepEqual(changes, []);
});
