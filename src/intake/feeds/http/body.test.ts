import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { createBodyBudget, OverBudgetError } from "#/http/server/body-budget.ts";
import { BodyError, readBody, readPast } from "#/intake/feeds/http/body.ts";

const options = { isGzip: false, timeoutMs: 30_000 };

const fails = (code: BodyError["code"], message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof BodyError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

test("a body is read whole, in one piece or several, compressed or not", async () => {
  const text = Buffer.from("<a>ü</a>");
  assert.deepEqual(await readBody(Readable.from([text]), options), text);
  assert.deepEqual(await readBody(Readable.from([text.subarray(0, 4), text.subarray(4)]), options), text);
  assert.deepEqual(await readBody(Readable.from([gzipSync(text)]), { ...options, isGzip: true }), text);
  assert.deepEqual(await readBody(Readable.from([]), options), Buffer.alloc(0));
});

test("a body that is not complete in time is refused", async () => {
  const stream = new PassThrough();
  stream.write("<a>");
  await assert.rejects(
    readBody(stream, { ...options, timeoutMs: 20 }),
    fails("TIMEOUT", /^the body was not complete after 0\.02 s$/),
  );
  assert.ok(!stream.readableFlowing === false, "what still comes is read past");
});

test("a body is refused as soon as it exceeds the limit; the limit itself is allowed", async () => {
  const three = () => Readable.from([Buffer.from("ab"), Buffer.from("c")]);
  assert.equal((await readBody(three(), { ...options, bytesMax: 3 })).toString(), "abc");
  await assert.rejects(
    readBody(three(), { ...options, bytesMax: 2 }),
    fails("TOO_LARGE", /^the body is over 2 bytes$/),
  );
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  const limited = { ...options, isGzip: true, bytesMax: 1_000 };
  await assert.rejects(readBody(Readable.from([bomb]), limited), fails("TOO_LARGE", /over 1000 bytes/));
});

test("a gzip stream that is malformed or cut short is reported as such", async () => {
  const gzip = gzipSync("<a/>");
  const compressed = { ...options, isGzip: true };
  await assert.rejects(readBody(Readable.from([Buffer.from("<a/>")]), compressed), fails("REQUEST", /malformed/));
  await assert.rejects(readBody(Readable.from([gzip.subarray(0, 12)]), compressed), fails("REQUEST", /malformed/));
});

test("the rest of an unwanted body is discarded to its end", async () => {
  const stream = Readable.from([Buffer.from("ab"), Buffer.from("c")]);
  await readPast(stream);
  assert.ok(stream.readableEnded);
  await readPast(stream);
  const gone = new PassThrough();
  gone.destroy();
  await readPast(gone);
});

test("a disconnected sender is not waited for", async () => {
  const stream = new PassThrough();
  stream.write("<a>");
  const reading = readBody(stream, options);
  stream.destroy();
  await assert.rejects(reading, /closed the connection/);
});

test("a gzip stream that expands more than 200 times is refused early, and releases its memory", async () => {
  const mebibyte = 1024 * 1024;
  const budget = createBodyBudget(3 * mebibyte, 3 * mebibyte);
  const bomb = gzipSync(Buffer.alloc(20 * mebibyte, 0x20));
  const zipped = () => ({ ...options, isGzip: true, account: budget.open("client A") });
  for (let i = 0; i < 3; i++) {
    await assert.rejects(readBody(Readable.from([bomb]), zipped()), fails("TOO_LARGE", /more than 200 times/));
  }
  const small = gzipSync(Buffer.alloc(mebibyte, 0x20));
  assert.equal((await readBody(Readable.from([small]), zipped())).length, mebibyte);
});

test("a body without memory budget is refused, and releases its memory", async () => {
  const budget = createBodyBudget(1_000, 500);
  const parts = () => Readable.from([Buffer.alloc(400), Buffer.alloc(400)]);
  for (let i = 0; i < 3; i++) {
    await assert.rejects(readBody(parts(), { ...options, account: budget.open("client A") }), OverBudgetError);
  }
  budget.open("client B").take(500);
  budget.open("client C").take(400);
  const left = { ...options, account: budget.open("client A") };
  await assert.rejects(
    readBody(parts(), left),
    (error) => error instanceof OverBudgetError && error.share === "process",
  );
});
