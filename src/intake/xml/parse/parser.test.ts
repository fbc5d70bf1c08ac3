import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createXmlEngine, type Schema, text, type XmlEngine, type XmlFailure } from "#/intake/xml/index.ts";

let engine: XmlEngine;
let schema: Schema;
before(async () => {
  engine = await createXmlEngine();
  schema = engine.compile(
    Buffer.from(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType mixed="true"><xs:sequence>
      <xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element></xs:schema>`),
  );
});

function failure(document: string | Uint8Array, charset?: string): XmlFailure<string | undefined> {
  const bytes = typeof document === "string" ? Buffer.from(document) : document;
  const result = engine.read(bytes, { charset, schema, shape: text });
  assert.ok(!result.ok, "expected a refusal");
  assert.equal(result.fault.kind, "XML");
  assert.equal(result.fault.partial, undefined);
  return result.fault;
}

const words = (document: string | Uint8Array) => failure(document).problems.map((problem) => problem.text);

const notWellFormed: readonly (readonly [document: string, words: string])[] = [
  ["<a>\n<b>\n</a>", "Line 3, column 5: the element 'b' opened in line 2 is not closed: '</a>' found"],
  ["<a>\n<b>", "Line 2, column 4: the element 'b' opened in line 2 is not closed: the document ends"],
  ["<a", "Line 1, column 3: the start tag of the element 'a' in line 1 is not closed by '>'"],
  ["<a b=c/>", "Line 1, column 6: an attribute value must be in quotes"],
  ['<a b="c/>', "Line 1, column 10: an attribute value is not closed by its quote"],
  ["<a b/>", "Line 1, column 5: the attribute 'b' has no value"],
  ['<a b="1" b="2"/>', "Line 1, column 15: the attribute 'b' appears twice in one element"],
  ['<a b="1"c="2"/>', "Line 1, column 9: a blank or '>' is missing after an attribute"],
  ['<a b="<"/>', "Line 1, column 7: '<' within an attribute value must be written &lt;"],
  ["<a>Smith & Sons</a>", "Line 1, column 11: '&' must be written &amp;"],
  [
    "<a>&lt</a>",
    "Line 1, column 7: a reference that begins with '&' does not end with ';' ('&' itself is written &amp;)",
  ],
  ["<a>&nbsp;</a>", "Line 1, column 10: the entity '&nbsp;' is not defined; only &amp; &lt; &gt; &quot; &apos; are"],
  ["<a>1 < 2</a>", "Line 1, column 7: '<' is not followed by the name of an element: write &lt;"],
  ["<a/><b/>", "Line 1, column 5: there is content after the end of the root element"],
  ["hello", "Line 1, column 1: the root element is missing: '<' expected"],
  ["<a>\u0001</a>", "Line 1, column 4: the character U+0001 is not allowed in XML"],
  ["<a>&#x1B;</a>", "Line 1, column 10: the character U+001B is not allowed in XML"],
  ["<a>x\u0000y</a>", "Line 1, column 5: the character U+0000 is not allowed in XML"],
  ["<a><!-- x</a>", "Line 1, column 14: a comment is not closed by '-->'"],
  ["<a><!-- a -- b --></a>", "Line 1, column 11: '--' is not allowed within a comment"],
  ["<a><![CDATA[x</a>", "Line 1, column 18: a CDATA section is not closed by ']]>'"],
  ["<a>]]></a>", "Line 1, column 4: ']]>' is not allowed in text: write ]]&gt;"],
  [
    '\n<?xml version="1.0"?><a/>',
    "Line 2, column 6: an XML declaration may stand only at the very start of the document",
  ],
  ["<a><?p<b?></a>", "Line 1, column 7: a blank is missing after '<?p'"],
  ["<a><? p?></a>", "Line 1, column 6: '<?' is not followed by a name"],
  ["<a><?p q</a>", "Line 1, column 13: a processing instruction is not closed by '?>'"],
  ["<x:a/>", "Line 1, column 5: the namespace prefix 'x' is not declared"],
  ["<a:b:c/>", "Line 1, column 7: 'a:b:c' is not a valid name"],
];

for (const [document, expected] of notWellFormed) {
  test(`${JSON.stringify(document)} is refused in readable words`, () => assert.deepEqual(words(document), [expected]));
}

test("several faults are reported together, one for each place", () => {
  assert.deepEqual(words("<a><b>\n<c></b></a>"), [
    "Line 2, column 8: the element 'c' opened in line 2 is not closed: '</b>' found",
    "Line 2, column 12: the element 'b' opened in line 1 is not closed: '</a>' found",
  ]);
});

test("rarer faults keep libxml2's words without the names of its functions", () => {
  assert.deepEqual(words('<?xml version="1.0" standalone="maybe"?><a/>'), [
    "Line 1, column 33: standalone accepts only 'yes' or 'no'",
  ]);
});

test("of more than a hundred faults the first hundred are reported (libxml2 does not count on)", () => {
  const { problems, omitted } = failure(`<a>${"<x:b/>\n".repeat(150)}</a>`);
  assert.deepEqual([problems.length, omitted, problems[99]?.line], [100, 0, 100]);
});

test("an empty document has its own words", () => {
  const utf16Blank = Buffer.from("\ufeff \n", "utf16le");
  for (const document of ["", " \r\n\t", "\ufeff", utf16Blank])
    assert.deepEqual(words(document), ["The document is empty"]);
});

test("a comment alone lacks its root element", () => {
  assert.deepEqual(words("<?p?><!-- x -->"), ["Line 1, column 16: the root element is missing: '<' expected"]);
});

test("a document type declaration is refused with its line", () => {
  const bomb = '<!-- hi -->\n<!DOCTYPE a [<!ENTITY b "bbb"><!ENTITY c SYSTEM "file:///etc/passwd">]><a>&b;&c;</a>';
  assert.deepEqual(failure(bomb).problems, [
    { kind: "XML", line: 2, text: "Line 2: a document type declaration (DTD) is not allowed" },
  ]);
  assert.deepEqual(words(Buffer.from("\ufeff<!DOCTYPE a><a/>", "utf16le")), [
    "Line 1: a document type declaration (DTD) is not allowed",
  ]);
});

test("a document type declaration in a comment or in CDATA is ignored", () => {
  const result = engine.read(Buffer.from("<!-- <!DOCTYPE a> --><a><![CDATA[<!DOCTYPE a>]]></a>"), {
    schema,
    shape: text,
  });
  assert.deepEqual(result, { ok: true, value: "<!DOCTYPE a>" });
});

test("64 levels are read, the 65th is refused with its line, and so is libxml2's own limit", () => {
  const nested = (levels: number) => `<a>\n${"<b>".repeat(levels - 1)}${"</b>".repeat(levels - 1)}</a>`;
  assert.ok(engine.read(Buffer.from(nested(64)), { schema, shape: text }).ok);
  for (const levels of [65, 256, 257, 100_000])
    assert.deepEqual(words(nested(levels)), ["nesting over 64 at line 2"], `${levels}`);
  const late = `<a><b/>${"<b><b>x</b></b>".repeat(50)}\n\n${"<b>".repeat(64)}${"</b>".repeat(64)}</a>`;
  assert.deepEqual(words(late), ["nesting over 64 at line 3"]);
});

test("a document in a refused encoding is refused for it, with any content", () => {
  const { problems } = failure("<a/>", "windows-1252");
  assert.match(problems[0]?.text ?? "", /^The encoding 'windows-1252' is not accepted; accepted are UTF-8/);
});

test("the decided encoding overrides the declaration", () => {
  const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?><a>ü</a>`;
  const readText = (bytes: Uint8Array, charset?: string) => {
    const result = engine.read(bytes, { charset, schema, shape: text });
    assert.ok(result.ok, result.ok ? "" : JSON.stringify(result.fault.problems));
    return result.value;
  };
  assert.equal(readText(Buffer.from(declared("ISO-8859-1")), "utf-8"), "ü");
  assert.equal(readText(Buffer.from(declared("x-unheard-of")), "utf-8"), "ü");
  assert.equal(readText(Buffer.from(declared("UTF-8"), "latin1"), "latin1"), "ü");
  assert.equal(readText(Buffer.from(`\ufeff${declared("UTF-8")}`, "utf16le")), "ü");
  assert.equal(readText(Buffer.from(`\ufeff${declared("UTF-16")}`, "utf16le").swap16()), "ü");
  assert.equal(readText(Buffer.from(declared("ISO-8859-1"), "latin1")), "ü");
});

test("a text above the length limit is refused with a message", () => {
  const long = "x".repeat(10_000_100);
  const tooLong = "a text, an attribute or a comment is longer than 10 000 000 bytes without an element in between";
  for (const document of [`<a>${long}</a>`, `<a><![CDATA[${long}]]></a>`, `<a><!--${long}--></a>`, `<a b="${long}"/>`])
    assert.deepEqual(
      words(document).map((line) => line.replace(/^Line 1, column \d+: /, "")),
      [tooLong],
    );
  const name = "n".repeat(50_100);
  for (const document of [`<a><${name}/></a>`, `<a ${name}="1"/>`, `<a>&${name};</a>`])
    assert.match(words(document)[0] ?? "", /^Line 1, column \d+: a name is longer than 50 000 bytes$/);
});
