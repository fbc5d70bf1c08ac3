import assert from "node:assert/strict";
import { test } from "node:test";
import { createXmlEngine, element, escapeAttribute, escapeText } from "./index.ts";

test("markup in text and attribute values is escaped", () => {
  assert.equal(escapeText("a < b & c > d ' \""), "a &lt; b &amp; c &gt; d ' \"");
  assert.equal(escapeAttribute("a < b & c > d ' \""), "a &lt; b &amp; c &gt; d &apos; &quot;");
});

test("characters that XML 1.0 cannot carry become U+FFFD", () => {
  assert.equal(escapeText("\u0000\u001b\ufffe\ud800x\udc00😀"), "\ufffd\ufffd\ufffd\ufffdx\ufffd😀");
  assert.equal(escapeAttribute("\u0008\uffff\u007f"), "\ufffd\ufffd\u007f");
});

test("any text is read back unchanged, but for white space at its ends", async () => {
  const engine = await createXmlEngine();
  const schema = engine.compile(
    Buffer.from(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType><xs:simpleContent>
      <xs:extension base="xs:string"><xs:attribute name="b"/></xs:extension></xs:simpleContent></xs:complexType></xs:element></xs:schema>`),
  );
  const shape = element({ attributes: ["b"], content: "text" });
  for (const value of ["]]>", "x\r\n\t x", "\r\n\t x\r", "a&amp;b", "<!-- -->", "ü😀 \u0085\u2028", "'\""]) {
    const trimmed = value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
    const document = `<a b="${escapeAttribute(value)}">${escapeText(value)}</a>`;
    assert.deepEqual(engine.read(Buffer.from(document), { schema, shape }), {
      ok: true,
      value: { b: trimmed, text: trimmed },
    });
  }
});
