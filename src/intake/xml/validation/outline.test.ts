import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createXmlEngine, text, type XmlEngine } from "#/intake/xml/index.ts";

let engine: XmlEngine;
before(async () => {
  engine = await createXmlEngine();
});

test("the roots of a schema are known", () => {
  const schema = engine.compile(
    Buffer.from(
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"/><xs:element name="b"/></xs:schema>',
    ),
  );
  assert.deepEqual(schema.rootElements, ["a", "b"]);
});

test("a schema with an error, or only a warning, does not compile", () => {
  const compile = (content: string) => () =>
    engine.compile(Buffer.from(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${content}</xs:schema>`));
  assert.throws(
    compile('<xs:element name="a" type="Nothing"/>'),
    /^Error: the XSD does not compile: line 1: .*Nothing/,
  );
  assert.throws(
    compile('<xs:import namespace="urn:x" schemaLocation="nowhere.xsd"/><xs:element name="a"/>'),
    /the XSD does not compile: .*nowhere\.xsd/,
  );
  assert.throws(() => engine.compile(Buffer.from("<xs:schema>")), /the XSD cannot be read: Line 1/);
  assert.throws(() => engine.compile(Buffer.from("")), /the XSD cannot be read: The document is empty/);
});

test("types that contain themselves, groups and references compile", () => {
  const recursive = engine.compile(
    Buffer.from(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="n" type="Node"/><xs:complexType name="Node"><xs:sequence>
      <xs:element ref="n" minOccurs="0" maxOccurs="unbounded"/><xs:element name="v" type="xs:int"/></xs:sequence><xs:attributeGroup ref="g"/></xs:complexType>
      <xs:attributeGroup name="g"><xs:attribute name="k" type="xs:int"/></xs:attributeGroup></xs:schema>`),
  );
  const result = engine.read(Buffer.from('<n k="x">\n<n><v>1</v><w/></n>\n<v>a</v></n>'), {
    schema: recursive,
    shape: text,
  });
  assert.deepEqual(result.ok ? [] : result.fault.problems.map((problem) => problem.text), [
    "Line 1: n/@k: 'x' is not a valid int",
    "Line 2: n/w: element 'w' is not allowed here; allowed: n, v",
    "Line 3: v: 'a' is not a valid int",
  ]);
});
