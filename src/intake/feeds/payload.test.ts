import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { bytesOf, packPayload } from "#/intake/feeds/payload.ts";

const tx = { writesPacked: true } as Parameters<typeof packPayload>[0];
const payloadOf = (text: string) => ({ encoding: "identity" as const, bytes: Buffer.from(text) });

test("a small document is stored in a third of its bytes, and read as received", () => {
  for (const name of ["NO", "PO", "RMA", "CAT"]) {
    const received = readFileSync(`samples/accepted/${name}.xml`);
    const { encoding, bytes } = packPayload(tx, { encoding: "identity", bytes: received });
    assert.equal(encoding, "zstd");
    assert.ok(
      bytes.byteLength * 3 < received.byteLength * (name === "NO" ? 1 : 2),
      `${name}: ${bytes.byteLength} bytes`,
    );
    assert.ok(bytesOf(bytes, encoding).equals(received), name);
  }
});

test("a document that begins as packed contents do is read as received", () => {
  const { encoding, bytes } = packPayload(tx, payloadOf("\u0003<oh no"));
  assert.equal(bytesOf(bytes, encoding).toString(), "\u0003<oh no");
  assert.equal(bytesOf(Buffer.from("\u0003<oh no"), "identity").toString(), "\u0003<oh no");
});

test("a large document, and one that an older release may read, is stored as before", () => {
  const large = { encoding: "zstd" as const, bytes: zstdCompressSync("<a/>") };
  assert.equal(packPayload(tx, large), large);
  const small = payloadOf("<a/>");
  assert.equal(packPayload({ ...tx, writesPacked: false }, small), small);
  assert.equal(bytesOf(large.bytes, large.encoding).toString(), "<a/>");
  assert.throws(() => bytesOf(zstdCompressSync("x".repeat(100)), "zstd", 10), RangeError);
});
