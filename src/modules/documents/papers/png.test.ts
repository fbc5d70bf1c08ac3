import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { readPng } from "#/modules/documents/papers/png.ts";
import { openPrintBook } from "#/modules/documents/printing.ts";

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** 0 grey, 6 colour with transparency. */
  readonly colourType?: 0 | 6;
  readonly perMetre?: number;
  readonly data?: Buffer;
}

function pngOf({ width, height, colourType = 0, perMetre, data }: Picture): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colourType, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const resolution = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1]);
  resolution.writeUInt32BE(perMetre ?? 0, 0);
  resolution.writeUInt32BE(perMetre ?? 0, 4);
  const rows = Buffer.alloc(((colourType === 6 ? 4 : 1) * width + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...(perMetre === undefined ? [] : [chunk("pHYs", resolution)]),
    chunk("IDAT", data ?? deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("a PNG has the size of its resolution; without one, or with one for screens, its short side is that of a label", () => {
  const sizeOf = (picture: Picture) => {
    const { width, height } = readPng(pngOf(picture));
    return [Math.round(width), Math.round(height)];
  };
  assert.deepEqual(sizeOf({ width: 827, height: 1165, perMetre: 7874 }), [298, 419]);
  assert.deepEqual(sizeOf({ width: 800, height: 1200 }), [288, 432]);
  assert.deepEqual(sizeOf({ width: 1200, height: 800 }), [432, 288]);
  assert.deepEqual(sizeOf({ width: 800, height: 1200, perMetre: 2835 }), [288, 432]);
});

test("a damaged or excessive PNG is refused before the library reads it", () => {
  const size = { width: 8, height: 8 };
  for (const data of [Buffer.from("no zlib"), deflateSync(Buffer.alloc(10)), deflateSync(Buffer.alloc(9)).subarray(4)])
    assert.throws(() => readPng(pngOf({ ...size, data })), /the PNG is damaged/);
  assert.throws(() => readPng(pngOf({ ...size, data: deflateSync(Buffer.alloc(1_000_000)) })), /the PNG is damaged/);
  assert.throws(() => readPng(pngOf(size).subarray(0, 40)), /the PNG is damaged/);
  const claims = pngOf({ ...size, data: deflateSync(Buffer.alloc(72)) });
  claims.writeUInt32BE(100_000, 16);
  claims.writeUInt32BE(100_000, 20);
  assert.throws(() => readPng(claims), /too many dots/);
});

test("a picture with transparency, which is decoded beside the thread, is in the book when it is finished", async () => {
  const book = openPrintBook("2026-11-27T10:00:00Z");
  const base64 = pngOf({ width: 80, height: 120, colourType: 6 }).toString("base64");
  const bought = { contentType: "image/png", base64 } as const;
  await book.add({ orderId: "1", olpnId: "006141410000000012", type: "SHIPPING_LABEL", form: "bought", bought });
  const bytes = Buffer.from(await book.finish()).toString("latin1");
  assert.match(bytes, /\/SMask \d+ 0 R/);
  assert.match(bytes, /%%EOF\s*$/);
});
