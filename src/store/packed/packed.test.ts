import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { packBytes, packing, packJson, unpackBytes, unpackJson } from "#/store/packed/packed.ts";
import { samples } from "#/store/packed/samples.ts";

const writer = { writesPacked: true };

/** Stored contents are read with these samples: a changed digest means that they cannot be read any more. */
const digests: Readonly<Record<string, string>> = {
  1: "b2e12f91ccea1ece",
  2: "10397523e83788a7",
  3: "f13903e12dfb4bba",
  4: "381268514d3772f6",
  5: "b409100c53c10062",
  6: "5d7a3a321e3abc6a",
  7: "65f4312c87a1da47",
  8: "f7f0f13d87a01b17",
  9: "2c25e7bc6c618bd8",
};

test("the samples have not changed since contents were packed by them", () => {
  const found = Object.entries(samples).map(([number, sample]) => [
    number,
    createHash("sha256").update(sample).digest("hex").slice(0, 16),
  ]);
  deepEqual(Object.fromEntries(found), digests);
});

test("a packed content is the same object, in a fifth of its bytes", () => {
  const data = {
    orderId: "WEB-100045",
    externalOrderReference: null,
    status: "PICKING",
    statusCode: 55,
    statusReason: null,
    distributionCentre: "DC1",
    holds: [],
    lines: Array.from({ length: 3 }, (_, i) => ({
      lineNumber: i + 1,
      sku: `MUG-${i}-Ünï`,
      status: "PICKING",
      qtyOrdered: 2,
      qtyOpen: 0,
      qtyBackordered: 0,
      qtyAllocated: 2,
    })),
  };
  const packed = packJson(writer, data, packing.event);
  equal(typeof packed, "string");
  ok((packed as string).length * 2 < JSON.stringify(data).length, `${(packed as string).length} characters`);
  equal(JSON.stringify(unpackJson(packed)), JSON.stringify(data));
});

test("what was stored as it is, is read as it is", () => {
  deepEqual(unpackJson({ status: "OLD" }), { status: "OLD" });
  equal(unpackJson(null), null);
  for (const content of [Buffer.from("<?xml version='1.0'?>"), zstdCompressSync("a"), Buffer.alloc(0)]) {
    equal(unpackBytes(content), content);
  }
});

test("a content of over 16 KiB is stored as it is", () => {
  const large = { text: "x".repeat(16 * 1024) };
  equal(packJson(writer, large, packing.event), large);
  const bytes = Buffer.from(`<a>${"x".repeat(16 * 1024)}</a>`);
  equal(packBytes(writer, bytes, packing.outboundDocument), bytes);
});

test("a content is written as it is while an older release may read it", () => {
  const data = { status: "PICKING" };
  equal(packJson({ writesPacked: false }, data, packing.event), data);
  const bytes = Buffer.from("<a/>");
  equal(packBytes({ writesPacked: false }, bytes, packing.outboundDocument), bytes);
});

test("a sample of a newer release is named", () => {
  throws(() => unpackBytes(Buffer.of(31, 1)), /a content is packed by sample 31: a newer release wrote it/);
});
