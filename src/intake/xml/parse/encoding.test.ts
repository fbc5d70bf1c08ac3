import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { toUtf8 } from "./encoding.ts";

const accepted = "accepted are UTF-8, UTF-16 with byte order mark, ISO-8859-1 and US-ASCII";

function decoded(bytes: Uint8Array, charset?: string): string {
  const result = toUtf8(bytes, charset);
  assert.ok(result.ok, result.ok ? "" : result.fault.text);
  return Buffer.from(result.value).toString("utf8");
}

function refusal(bytes: Uint8Array, charset?: string): string {
  const result = toUtf8(bytes, charset);
  assert.ok(!result.ok);
  return result.fault.text;
}

function utf16(text: string, endian: "LE" | "BE", mark = true): Buffer {
  const bytes = Buffer.from((mark ? "\ufeff" : "") + text, "utf16le");
  return endian === "LE" ? bytes : bytes.swap16();
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test("without mark, parameter and declaration a document is UTF-8", () => {
  assert.equal(decoded(Buffer.from("<a>ü€😀</a>")), "<a>ü€😀</a>");
});

test("a UTF-8 byte order mark is taken off", () => {
  assert.equal(decoded(Buffer.from("\ufeff<a/>")), "<a/>");
});

test("a doubled byte order mark is refused", () => {
  const text = "The document begins with two byte order marks: send one, or none";
  assert.equal(refusal(Buffer.from("\ufeff\ufeff<a/>")), text);
  for (const endian of ["LE", "BE"] as const) assert.equal(refusal(utf16("\ufeff<a/>", endian)), text);
  assert.equal(refusal(Buffer.from("\ufeff\ufeff")), text);
});

test("UTF-16 is read in both byte orders when it is marked", () => {
  assert.equal(decoded(utf16("<a>ü😀</a>", "LE")), "<a>ü😀</a>");
  assert.equal(decoded(utf16("<a>ü😀</a>", "BE"), "UTF-16"), "<a>ü😀</a>");
});

test("the byte order mark wins over parameter and declaration", () => {
  assert.equal(
    decoded(utf16('<?xml version="1.0" encoding="UTF-8"?><a>ü</a>', "LE"), "iso-8859-1").slice(-8),
    "<a>ü</a>",
  );
  assert.equal(decoded(Buffer.from("\ufeff<a>ü</a>"), "iso-8859-1"), "<a>ü</a>");
});

test("the charset parameter wins over the declaration", () => {
  const bytes = latin1('<?xml version="1.0" encoding="UTF-8"?><a>ü</a>');
  assert.equal(decoded(bytes, "ISO-8859-1").slice(-8), "<a>ü</a>");
  assert.equal(refusal(bytes), `Line 1: the bytes are not valid UTF-8; ${accepted}`);
});

test("the declaration names the encoding when nothing else does, in either kind of quotes", () => {
  assert.equal(decoded(latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>')).slice(-8), "<a>ü</a>");
  assert.equal(decoded(latin1("<?xml version='1.0' encoding = 'latin1' ?><a>ü</a>")).slice(-8), "<a>ü</a>");
});

test("names are known in any case, quoted, and by their usual aliases", () => {
  for (const name of ["UTF8", "utf-8", '"utf-8"', " Utf-8 "])
    assert.equal(decoded(Buffer.from("<a>ü</a>"), name), "<a>ü</a>", name);
  for (const name of ["Latin1", "iso_8859-1", "ISO8859-1", "l1"])
    assert.equal(decoded(latin1("<a>ü</a>"), name), "<a>ü</a>", name);
  for (const name of ["ascii", "US-ASCII", ""]) assert.equal(decoded(latin1("<a>u</a>"), name), "<a>u</a>", name);
});

test("other encodings are refused by name", () => {
  assert.equal(refusal(latin1("<a/>"), "windows-1252"), `The encoding 'windows-1252' is not accepted; ${accepted}`);
  assert.equal(
    refusal(latin1('<?xml version="1.0" encoding="UTF-7"?><a/>')),
    `The encoding 'UTF-7' is not accepted; ${accepted}`,
  );
  assert.equal(
    refusal(latin1("<a/>"), "x\u0000\u001by".repeat(30)),
    `The encoding '${"x??y".repeat(10)}' is not accepted; ${accepted}`,
  );
});

test("UTF-16 without a byte order mark is refused, named or not", () => {
  const words = `The encoding is UTF-16 without a byte order mark; ${accepted}`;
  assert.equal(refusal(utf16("<a/>", "LE", false)), words);
  assert.equal(refusal(utf16("<a/>", "BE", false), "utf-16be"), words);
  assert.equal(refusal(latin1("<a/>"), "utf-16"), words);
});

test("UTF-32 and EBCDIC are known by their first bytes", () => {
  assert.equal(refusal(Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])), `The encoding is UTF-32; ${accepted}`);
  assert.equal(refusal(Buffer.from([0, 0, 0, 0x3c])), `The encoding is UTF-32; ${accepted}`);
  assert.equal(refusal(Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93])), `The encoding is EBCDIC; ${accepted}`);
});

test("a compressed document without Content-Encoding gets a hint", () => {
  assert.equal(
    refusal(gzipSync("<a/>")),
    "The document is compressed by gzip: over HTTP send the header Content-Encoding: gzip with it, over SFTP put it uncompressed",
  );
});

test("bytes that do not fit the encoding are refused with their line", () => {
  assert.equal(refusal(latin1("<a>\n\nü</a>")), `Line 3: the bytes are not valid UTF-8; ${accepted}`);
  assert.equal(
    refusal(Buffer.from("<a>\nü</a>"), "us-ascii"),
    `Line 2: the bytes are not US-ASCII, which ends at byte 127; ${accepted}`,
  );
  assert.equal(
    refusal(Buffer.concat([utf16("<a>", "LE"), Buffer.from([0x00, 0xd8])])),
    `The bytes are not valid UTF-16; ${accepted}`,
  );
  assert.equal(refusal(utf16("<a/>", "LE").subarray(0, 9)), `The bytes are not valid UTF-16; ${accepted}`);
});

test("a view into a larger buffer is read within its bounds", () => {
  assert.equal(decoded(Buffer.from("xx<a/>yy").subarray(2, 6)), "<a/>");
  assert.equal(decoded(new Uint8Array(Buffer.from("xx<a/>yy")).subarray(2, 6)), "<a/>");
});
