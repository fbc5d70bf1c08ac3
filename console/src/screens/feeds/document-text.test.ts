import assert from "node:assert/strict";
import { test } from "node:test";
import { declaredUtf8, renumbered, repeatNumber, textOfDocument, withClient } from "./document-text.ts";

const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding)).buffer;

test("a document is read by its content type, its declaration, its byte order mark, or as UTF-8", () => {
  const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>Zoë</a>`;
  for (const [text, encoding, type] of [
    [xml("UTF-8"), "utf8", "application/xml"],
    [xml("ISO-8859-1"), "latin1", "application/xml"],
    [xml("UTF-8"), "latin1", 'text/xml; charset="iso-8859-1"'],
    [xml("UNKNOWN"), "utf8", "application/xml; charset=nonsense"],
    ["<a>Zoë</a>", "utf8", ""],
  ] as const)
    assert.equal(textOfDocument(bytesOf(text, encoding), type), text);
  assert.equal(textOfDocument(bytesOf("\ufeff<a>Zoë</a>", "utf16le"), "application/xml"), "<a>Zoë</a>");
});

test("the corrected text declares UTF-8, and nothing else of it changes", () => {
  const rest = "?><a encoding='latin1'/>";
  assert.equal(
    declaredUtf8(`<?xml version="1.0" encoding='ISO-8859-1'${rest}`),
    `<?xml version="1.0" encoding='UTF-8'${rest}`,
  );
  assert.equal(declaredUtf8(`<a/>${rest}`), `<a/>${rest}`);
});

test("a repeat of an order has the next number, in the order's element only", () => {
  assert.deepEqual(["WEB-1", "WEB-1-R1", "WEB-R-R9"].map(repeatNumber), ["WEB-1-R1", "WEB-1-R2", "WEB-R-R10"]);
  const text = "<n:order><n:orderId> WEB-1 </n:orderId><ref>WEB-1</ref></n:order>";
  assert.equal(
    renumbered(text, "WEB-1", "WEB-1-R1"),
    "<n:order><n:orderId> WEB-1-R1 </n:orderId><ref>WEB-1</ref></n:order>",
  );
  assert.equal(renumbered(text, "WEB-2", "WEB-3"), text);
});

test("a sample gets the chosen client", () => {
  assert.equal(withClient("<a><clientId>DEMO</clientId></a>", "ACME"), "<a><clientId>ACME</clientId></a>");
});
