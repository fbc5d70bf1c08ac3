// Bytes that a proxy and this server might split into requests differently (RFC 9112 §6, §11.2). Each attempt ends the
// connection, and the server never executes the hidden request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { catalogue } from "../support/builders/documents.ts";
import { sendText } from "../support/http/raw-request.ts";

const server = await testServer();
const client = await server.onboard("OWN");
const key = `X-Api-Key: ${client.credentials.feed.apiKey}`;
const document = catalogue("OWN", ["HIDDEN"]);

/** A request that would store an item if the server executed it. */
const hidden = [
  "POST /feeds/OWN/CAT HTTP/1.1",
  "Host: a.example",
  key,
  "Content-Type: text/xml",
  `Content-Length: ${Buffer.byteLength(document)}`,
  "Connection: close",
  "",
  document,
].join("\r\n");
const length = Buffer.byteLength(hidden);

const request = (lines: readonly string[], body: string, start = "POST /feeds/OWN/CAT HTTP/1.1") =>
  [start, "Host: a.example", "X-Api-Key: wrong", "Content-Type: text/xml", ...lines, "", body].join("\r\n");

interface SmugglingAttempt {
  readonly attempt: string;
  readonly bytes: string;
  readonly status?: number;
}

const chunked = "Transfer-Encoding: chunked";
const attempts: readonly SmugglingAttempt[] = [
  {
    attempt: "Content-Length and Transfer-Encoding (CL.TE)",
    bytes: request([`Content-Length: ${length + 5}`, chunked], `0\r\n\r\n${hidden}`),
  },
  {
    attempt: "Transfer-Encoding and Content-Length (TE.CL)",
    bytes: request([chunked, "Content-Length: 4"], `${length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`),
  },
  { attempt: "two lengths that differ", bytes: request(["Content-Length: 0", `Content-Length: ${length}`], hidden) },
  { attempt: "two lengths that are equal", bytes: request(["Content-Length: 0", "Content-Length: 0"], hidden) },
  { attempt: "a list of lengths", bytes: request([`Content-Length: 0, ${length}`], hidden) },
  { attempt: "a length with a sign", bytes: request(["Content-Length: +0"], hidden) },
  { attempt: "a negative length", bytes: request(["Content-Length: -1"], hidden) },
  { attempt: "a hexadecimal length", bytes: request(["Content-Length: 0x0"], hidden) },
  { attempt: "a length with a fraction", bytes: request(["Content-Length: 0.0"], hidden) },
  { attempt: "a length with a blank inside", bytes: request(["Content-Length: 0 0"], hidden) },
  { attempt: "a length beyond 64 bits", bytes: request(["Content-Length: 18446744073709551616"], hidden) },
  { attempt: "an empty length", bytes: request(["Content-Length: "], hidden) },
  { attempt: "a blank before the colon of the length", bytes: request([`Content-Length : ${length}`], hidden) },
  {
    attempt: "a blank before the colon of the encoding",
    bytes: request([`Transfer-Encoding : chunked`], `0\r\n\r\n${hidden}`),
  },
  { attempt: "an encoding that is not known", bytes: request(["Transfer-Encoding: xchunked"], `0\r\n\r\n${hidden}`) },
  {
    attempt: "an encoding after chunked",
    bytes: request(["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${hidden}`),
  },
  { attempt: "chunked in quotation marks", bytes: request(['Transfer-Encoding: "chunked"'], `0\r\n\r\n${hidden}`) },
  {
    attempt: "chunked behind a vertical tab",
    bytes: request(["Transfer-Encoding: \u000bchunked"], `0\r\n\r\n${hidden}`),
  },
  { attempt: "two encodings", bytes: request([chunked, "Transfer-Encoding: identity"], `0\r\n\r\n${hidden}`) },
  { attempt: "a folded header line", bytes: request(["X-Folded: a", " chunked"], hidden) },
  { attempt: "a folded encoding", bytes: request(["Transfer-Encoding:", " chunked"], `0\r\n\r\n${hidden}`) },
  { attempt: "a bare line feed in a header", bytes: request([`X-Line: a\nContent-Length: ${length}`], hidden) },
  { attempt: "a bare carriage return in a header", bytes: request([`X-Line: a\rContent-Length: ${length}`], hidden) },
  { attempt: "a zero byte in a header", bytes: request(["X-Zero: a\u0000b"], hidden) },
  { attempt: "a header name with a zero byte", bytes: request(["Content-Length\u0000: 0"], hidden) },
  { attempt: "a header line without a colon", bytes: request(["Content-Length 0"], hidden) },
  { attempt: "a chunk size with a sign", bytes: request([chunked], `-1\r\n\r\n${hidden}`) },
  { attempt: "a chunk size with 0x", bytes: request([chunked], `0x0\r\n\r\n${hidden}`) },
  { attempt: "a chunk size beyond 64 bits", bytes: request([chunked], `10000000000000000\r\n\r\n${hidden}`) },
  { attempt: "a chunk that ends with a bare line feed", bytes: request([chunked], `1\r\nA\n0\r\n\r\n${hidden}`) },
  { attempt: "a chunk longer than its size", bytes: request([chunked], `1\r\nAAAA\r\n0\r\n\r\n${hidden}`) },
  { attempt: "a zero byte in the request line", bytes: request([], hidden, "POST /feeds/OWN/CAT\u0000 HTTP/1.1") },
  { attempt: "HTTP/0.9", bytes: request([], hidden, "POST /feeds/OWN/CAT HTTP/0.9") },
  { attempt: "HTTP/2.0 in clear text", bytes: request([], hidden, "PRI * HTTP/2.0") },
  { attempt: "a blank before the method", bytes: request([], hidden, " POST /feeds/OWN/CAT HTTP/1.1") },
];

const stored = () => server.rows("select token from feed_document where client_id = 'OWN'");

for (const { attempt, bytes, status = 400 } of attempts) {
  test(`${attempt}: ${status}, and the hidden request is not carried out`, async () => {
    const answer = await sendText(server.url, bytes, true);
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), JSON.stringify(answer));
    assert.equal(answer.match(/HTTP\/1\.1 \d{3} /g)?.length, 1, `more than one answer: ${answer}`);
    assert.deepEqual(await stored(), []);
  });
}

test("the hidden request sent openly is carried out", async () => {
  assert.match(await sendText(server.url, hidden, true), /^HTTP\/1\.1 200 /);
  assert.equal((await stored()).length, 1);
});
