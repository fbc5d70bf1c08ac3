// feeds.md §1: how large and how slow a body may be, and in which encodings it is read.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { testServer } from "../../support/app/server.ts";
import { catalogue, leeds, order } from "../../support/builders/documents.ts";
import { sendRaw } from "../../support/http/raw-request.ts";
import { readAcknowledgement } from "../../support/oracles/acknowledgement.ts";

const mebibyte = 1024 * 1024;
// Computed before the server starts: the server is in this process, and this would block it.
const bomb = gzipSync(Buffer.alloc(100 * mebibyte, 0x20));
const lineOfKiB = () => randomBytes(16).toString("hex").padEnd(1024);
const large = gzipSync(Array.from({ length: 21 * 1024 }, lineOfKiB).join(""));
const server = await testServer();
const demo = await server.onboard("DEMO");
const headers = { "content-type": "application/xml", "x-api-key": demo.credentials.feed.apiKey };
await demo.accept("CAT", catalogue("DEMO", ["A"]));

async function raw(more: Record<string, string>, chunks?: Iterable<string | Uint8Array>, pauseMs?: number) {
  const request = { path: "/feeds/DEMO/NO", headers: { ...headers, ...more } };
  const answer = await sendRaw(server.url, { ...request, ...(chunks && { chunks }), ...(pauseMs && { pauseMs }) });
  return readAcknowledgement(answer.status, answer.headers, answer.body);
}

function* repeat(chunk: Uint8Array, times: number): Generator<Uint8Array> {
  for (let i = 0; i < times; i++) yield chunk;
}

const stored = async () => Number((await server.rows<{ n: number }>("select count(*) as n from feed_document"))[0]?.n);

test("a body declared larger than 20 MiB is refused before any of it is sent", async () => {
  const answer = await raw({ "content-length": String(20 * mebibyte + 1) });
  assert.equal(answer.status, 413);
  assert.deepEqual(answer.errors, ["[TOO_LARGE] The body of 20971521 bytes is over 20971520 bytes"]);
});

test("a body that turns out larger than 20 MiB is refused, chunked or decompressed", async () => {
  const before = await stored();
  // The server reads and drops the rest of the body after 20 MiB for one second; the rest is small enough for a busy
  // machine.
  const chunked = await raw({}, repeat(Buffer.alloc(mebibyte, 0x20), 22));
  assert.equal(chunked.status, 413);
  assert.deepEqual(chunked.errors, ["[TOO_LARGE] The body is over 20971520 bytes"]);
  assert.ok(large.length < 2 * mebibyte);
  const inflated = await demo.send("NO", large, { "content-encoding": "gzip" });
  assert.equal(inflated.status, 413);
  assert.deepEqual(inflated.errors, chunked.errors);
  const unfolded = await demo.send("NO", bomb, { "content-encoding": "gzip" });
  assert.equal(unfolded.status, 413);
  assert.deepEqual(unfolded.errors, [
    "[TOO_LARGE] The gzip stream unfolds to more than 200 times its size; send the document without gzip",
  ]);
  assert.equal(await stored(), before, "nothing is kept of a body that was not judged");
});

test("a sender that has begun to send what is refused gets its answer, not a broken connection", async () => {
  // Sent in pieces, so that the server refuses it during the transfer; a busy machine reads and drops this much within
  // a second.
  const begun = () => repeat(Buffer.alloc(64 * 1024, 0x20), 64);
  const refused: [Record<string, string>, status: number][] = [
    [{ "content-length": String(21 * mebibyte) }, 413],
    [{ "x-api-key": "guess" }, 401],
    [{ "content-encoding": "gzip" }, 400],
  ];
  for (let round = 0; round < 5; round++) {
    for (const [more, status] of refused) assert.equal((await raw(more, begun())).status, status);
  }
});

test("a body of exactly 20 MiB is validated", async () => {
  // No single piece may exceed the 10 MB at which libxml2 stops reading.
  const comment = `<!--${randomBytes((mebibyte - 8) / 2).toString("hex")} -->`;
  const largest = (orderId: string) => {
    const document = order("DEMO", orderId, ["A"]) + comment.repeat(19);
    return document + " ".repeat(20 * mebibyte - document.length);
  };
  assert.equal((await demo.accept("NO", largest("LARGE"))).objectId, "LARGE");
  await demo.accept("NO", gzipSync(largest("ZIPPED"), { level: 1 }), { "content-encoding": "gzip" });
});

test("a body that arrives in small pieces is validated as a whole", async () => {
  const document = Buffer.from(order("DEMO", "DRIBBLE", ["A"], { shipToAddress: { ...leeds, lastName: "Müller" } }));
  const pieces = Array.from({ length: Math.ceil(document.length / 64) }, (_, i) =>
    document.subarray(i * 64, i * 64 + 64),
  );
  assert.ok((await raw({}, pieces, 2)).isAccepted);
  const { shipToAddress } = (await demo.order("DRIBBLE")) as { shipToAddress: Record<string, string> };
  assert.equal(shipToAddress.lastName, "Müller");
});

test("a sender that goes away in the middle of its body leaves nothing, and no failure is logged", async () => {
  const before = await stored();
  const document = Buffer.from(order("DEMO", "CUT", ["A"]));
  const logged = server.logged.length;
  const cuts: [Record<string, string>, Uint8Array][] = [
    [{}, document.subarray(0, 100)],
    [{ "content-encoding": "gzip" }, gzipSync(document).subarray(0, 100)],
  ];
  for (const [coding, part] of cuts) {
    const aborted = new AbortController();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(part) });
    const init = { method: "POST", headers: { ...headers, ...coding }, body, duplex: "half", signal: aborted.signal };
    const sending = assert.rejects(fetch(`${server.url}/feeds/DEMO/NO`, init as RequestInit));
    await new Promise((resolve) => setTimeout(resolve, 100));
    aborted.abort();
    await sending;
  }
  await demo.accept("NO", order("DEMO", "AFTER-CUT", ["A"]));
  assert.equal(await stored(), before + 1);
  const failures = server.logged.slice(logged).filter((line) => /"level":"?(error|50)/.test(line));
  assert.deepEqual(failures, []);
});

const umlauts = (declaration: string, orderId: string) =>
  order("DEMO", orderId, ["A"], { shipToAddress: { ...leeds, lastName: "Größ" } }).replace(
    '<?xml version="1.0" encoding="UTF-8"?>',
    declaration,
  );

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

const marks = { utf8: Buffer.of(0xef, 0xbb, 0xbf), le: Buffer.of(0xff, 0xfe), be: Buffer.of(0xfe, 0xff) };
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, "latin1");
const marked = (mark: Buffer, bytes: Buffer) => Buffer.concat([mark, bytes]);

const readable: [what: string, charset: string | undefined, bytes: (id: string) => Buffer][] = [
  ["UTF-8 declared", undefined, (id) => utf8(umlauts(declared("UTF-8"), id))],
  ["UTF-8 by default, without a declaration", undefined, (id) => utf8(umlauts("", id))],
  ["UTF-8 by its mark", undefined, (id) => marked(marks.utf8, utf8(umlauts("", id)))],
  ["UTF-16 LE", undefined, (id) => marked(marks.le, Buffer.from(umlauts(declared("UTF-16"), id), "utf16le"))],
  ["UTF-16 BE", undefined, (id) => marked(marks.be, utf16be(umlauts(declared("UTF-16"), id)))],
  ["ISO-8859-1 declared", undefined, (id) => latin1(umlauts(declared("ISO-8859-1"), id))],
  ["ISO-8859-1 by the charset", "iso-8859-1", (id) => latin1(umlauts("", id))],
  ["the mark before the charset", "iso-8859-1", (id) => marked(marks.utf8, utf8(umlauts("", id)))],
  [
    "the mark before charset and declaration",
    "utf-8",
    (id) => marked(marks.le, Buffer.from(umlauts(declared("ISO-8859-1"), id), "utf16le")),
  ],
  ["the charset before the declaration", "ISO-8859-1", (id) => latin1(umlauts(declared("UTF-8"), id))],
  ["the charset before the declaration, the other way", "utf-8", (id) => utf8(umlauts(declared("ISO-8859-1"), id))],
];

for (const [i, [what, charset, bytes]] of readable.entries()) {
  test(`encodings: ${what} is read`, async () => {
    const type = charset === undefined ? {} : { "content-type": `text/xml; charset=${charset}` };
    const answer = await demo.accept("NO", bytes(`ENC-${i}`), type);
    const { shipToAddress } = (await demo.order(answer.objectId as string)) as { shipToAddress: { lastName: string } };
    assert.equal(shipToAddress.lastName, "Größ");
  });
}

test("encodings: US-ASCII is read where it is declared or named, and holds nothing but ASCII", async () => {
  const plain = order("DEMO", "ASCII-1", ["A"]).replace("UTF-8", "US-ASCII");
  await demo.accept("NO", plain);
  await demo.accept("NO", order("DEMO", "ASCII-2", ["A"]), { "content-type": "text/xml; charset=us-ascii" });
  await demo.refuse(
    "NO",
    utf8(umlauts(declared("US-ASCII"), "ASCII-3")),
    /^\[XML\] Line 2: the bytes are not US-ASCII, which ends at byte 127; accepted are UTF-8, UTF-16 with byte order mark/,
  );
});

const unreadable: [what: string, charset: string | undefined, bytes: Buffer, says: RegExp][] = [
  ["a wrong label", "utf-8", latin1(umlauts("", "X")), /Line \d+: the bytes are not valid UTF-8/],
  ["invalid UTF-8", undefined, marked(utf8("<a>"), Buffer.of(0xc0, 0x80)), /Line 1: the bytes are not valid UTF-8/],
  ["UTF-16 without a mark", undefined, Buffer.from("<a/>", "utf16le"), /UTF-16 without a byte order mark/],
  ["half a UTF-16 character", undefined, marked(marks.le, Buffer.of(0x3c)), /not valid UTF-16/],
  ["an unusual encoding", "windows-1252", utf8("<a/>"), /The encoding 'windows-1252' is not accepted/],
  ["a declared one", undefined, utf8(`${declared("EBCDIC-CP-US")}<a/>`), /'EBCDIC-CP-US' is not accepted/],
  ["UTF-32", undefined, Buffer.of(0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c), /The encoding is UTF-32/],
  ["a NUL byte", undefined, utf8("<a>\0</a>"), /^\[XML\] /],
];

for (const [what, charset, bytes, says] of unreadable) {
  test(`encodings: ${what} is refused and named`, async () => {
    const type = charset === undefined ? {} : { "content-type": `text/xml; charset=${charset}` };
    const answer = await demo.send("NO", bytes, type);
    assert.equal(answer.status, 200);
    assert.equal(answer.errors.length, 1);
    assert.match(answer.errors[0] as string, /^\[XML\] /);
    assert.match(answer.errors[0] as string, says);
    assert.equal(answer.objectId, undefined);
  });
}
