import { isAscii, isUtf8, transcode } from "node:buffer";
import type { XmlProblem } from "#/intake/xml/problem.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

// Determines a document's encoding and converts its bytes to UTF-8: byte order mark before charset parameter before XML
// declaration, otherwise UTF-8 (contract feeds.md §1; RFC 7303 §3.3). Everything after this step sees UTF-8 only, so
// that libxml2's own detection and its converters are never used.

type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "UTF-16" | "ISO-8859-1" | "US-ASCII";

const accepted = "accepted are UTF-8, UTF-16 with byte order mark, ISO-8859-1 and US-ASCII";
/** Recognised by its first bytes (RFC 1952 §2.3.1), with which no XML document begins. */
const compressed =
  "The document is compressed by gzip: over HTTP send the header Content-Encoding: gzip with it, over SFTP put it uncompressed";

const encodingByAlias = new Map<string, Encoding>([
  ...["utf-8", "utf8", "utf_8"].map((alias) => [alias, "UTF-8"] as const),
  ...["utf-16", "utf16", "utf_16", "utf-16le", "utf-16be", "utf16le", "utf16be", "ucs-2", "iso-10646-ucs-2"].map(
    (alias) => [alias, "UTF-16"] as const,
  ),
  ...[
    "iso-8859-1",
    "iso_8859-1",
    "iso8859-1",
    "iso88591",
    "iso_8859-1:1987",
    "iso-ir-100",
    "latin1",
    "latin-1",
    "l1",
  ].map((alias) => [alias, "ISO-8859-1"] as const),
  ...["us-ascii", "ascii", "us", "ansi_x3.4-1968", "iso646-us", "iso-ir-6"].map(
    (alias) => [alias, "US-ASCII"] as const,
  ),
]);

/**
 * @param bytes the document as received.
 * @param charset the charset parameter of the content type, if there was one.
 * @returns the document in UTF-8 without byte order mark (the same memory where nothing had to change).
 */
export function toUtf8(bytes: Uint8Array, charset: string | undefined): Result<Uint8Array, Omit<XmlProblem, "kind">> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return refused({ text: compressed });
  const unmarked = nameOfUnmarked(buffer);
  if (unmarked !== undefined) return refused({ text: `The encoding is ${unmarked}; ${accepted}` });
  const marked = markedEncoding(buffer);
  if (marked !== undefined) {
    const unmarkedBytes = buffer.subarray(marked.length);
    // A second mark is a character that a document must not begin with. libxml2 passes over it.
    if (markedEncoding(unmarkedBytes)?.encoding === marked.encoding)
      return refused({ text: "The document begins with two byte order marks: send one, or none" });
    return decode(unmarkedBytes, marked.encoding);
  }
  const name = charset?.trim().replace(/^(["'])(.*)\1$/, "$2") || declaredEncoding(buffer) || "UTF-8";
  const encoding = encodingByAlias.get(name.toLowerCase());
  if (encoding === undefined)
    return refused({ text: `The encoding '${printableName(name)}' is not accepted; ${accepted}` });
  return decode(buffer, encoding);
}

function decode(buffer: Buffer, encoding: Encoding): Result<Uint8Array, Omit<XmlProblem, "kind">> {
  switch (encoding) {
    case "UTF-8":
      if (isUtf8(buffer)) return ok(buffer);
      return invalidAt(
        firstLine(buffer, (line) => !isUtf8(line)),
        "valid UTF-8",
      );
    case "US-ASCII":
      if (isAscii(buffer)) return ok(buffer);
      return invalidAt(
        firstLine(buffer, (line) => !isAscii(line)),
        "US-ASCII, which ends at byte 127",
      );
    case "ISO-8859-1":
      return ok(isAscii(buffer) ? buffer : transcode(buffer, "latin1", "utf8"));
    case "UTF-16":
      return refused({ text: `The encoding is UTF-16 without a byte order mark; ${accepted}` });
    default:
      return decodeUtf16(buffer, encoding);
  }
}

function decodeUtf16(buffer: Buffer, encoding: "UTF-16LE" | "UTF-16BE"): Result<Uint8Array, Omit<XmlProblem, "kind">> {
  try {
    return ok(Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(buffer), "utf8"));
  } catch (error) {
    // The decoder reports malformed bytes only this way; any other error is a fault of this program.
    if (!(error instanceof TypeError)) throw error;
    return refused({ text: `The bytes are not valid UTF-16; ${accepted}` });
  }
}

function invalidAt(line: number, what: string): Result<never, Omit<XmlProblem, "kind">> {
  return refused({ line, text: `Line ${line}: the bytes are not ${what}; ${accepted}` });
}

/**
 * The first line (from 1) with the fault. A line feed is never part of a longer sequence, so each line can be checked
 * separately.
 */
function firstLine(buffer: Buffer, isWrong: (line: Buffer) => boolean): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const end = buffer.indexOf(0x0a, start);
    if (end < 0 || isWrong(buffer.subarray(start, end))) return line;
    start = end + 1;
  }
}

function markedEncoding(buffer: Buffer): { encoding: Encoding; length: number } | undefined {
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) return { encoding: "UTF-8", length: 3 };
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return { encoding: "UTF-16LE", length: 2 };
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return { encoding: "UTF-16BE", length: 2 };
  return undefined;
}

/** Encodings that the first four bytes reveal (XML 1.0 appendix F) and that are not accepted. */
function nameOfUnmarked(buffer: Buffer): string | undefined {
  if (buffer.length < 4) return undefined;
  switch (buffer.readUInt32BE(0)) {
    case 0x0000feff:
    case 0xfffe0000:
    case 0x0000003c:
    case 0x3c000000:
      return "UTF-32";
    case 0x4c6fa794:
      return "EBCDIC";
  }
  const start = buffer.readUInt16BE(0);
  return start === 0x003c || start === 0x3c00 ? "UTF-16 without a byte order mark" : undefined;
}

/**
 * The encoding that the XML declaration names; the declaration itself is ASCII in every encoding that reaches this
 * function.
 */
function declaredEncoding(buffer: Buffer): string | undefined {
  if (buffer[0] !== 0x3c || buffer[1] !== 0x3f) return undefined;
  const head = buffer.toString("latin1", 0, 512);
  const declaration = /^<\?xml\s[^>]*?\?>/.exec(head)?.[0];
  const match = declaration === undefined ? null : /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  return match?.[1] ?? match?.[2];
}

function printableName(name: string): string {
  return name.slice(0, 40).replace(/[^\x20-\x7e]/g, "?");
}
