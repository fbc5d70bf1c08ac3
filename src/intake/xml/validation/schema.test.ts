import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  createXmlEngine,
  element,
  many,
  type Schema,
  text,
  type XmlEngine,
  type XmlFailure,
} from "#/intake/xml/index.ts";

const xsd = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="basket"><xs:complexType><xs:all>
  <xs:element name="id" type="xs:string"/>
  <xs:element name="owner" type="Name"/>
  <xs:element name="due" type="xs:dateTime" minOccurs="0"/>
  <xs:element name="sum" type="Money" minOccurs="0"/>
  <xs:element name="lot" type="OptionalCount" minOccurs="0"/>
  <xs:element name="fruits" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="fruit" type="Fruit" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
  <xs:element name="steps" type="Steps" minOccurs="0"/>
  <xs:element name="way" minOccurs="0"><xs:complexType><xs:choice><xs:element name="air" type="xs:string"/><xs:element name="sea" type="xs:string"/></xs:choice></xs:complexType></xs:element>
  <xs:element name="home" minOccurs="0"><xs:complexType><xs:all minOccurs="0"><xs:element name="street" type="Name"/><xs:element name="city" type="Name"/></xs:all></xs:complexType></xs:element>
  <xs:element name="mark" minOccurs="0"><xs:complexType><xs:attribute name="on"/></xs:complexType></xs:element>
  <xs:element name="tags" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="tag" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:simpleContent>
    <xs:extension base="xs:string"><xs:attribute name="name" type="Name" use="required"/></xs:extension></xs:simpleContent></xs:complexType></xs:element></xs:sequence></xs:complexType>
    <xs:unique name="TagNames"><xs:selector xpath="tag"/><xs:field xpath="@name"/></xs:unique></xs:element>
</xs:all></xs:complexType></xs:element>
<xs:complexType name="Fruit"><xs:all><xs:element name="kind" type="Name"/><xs:element name="count" type="Count"/><xs:element name="note" type="Name" minOccurs="0"/></xs:all></xs:complexType>
<xs:complexType name="Steps"><xs:sequence><xs:element name="first" type="Count"/><xs:element name="second" type="Count" minOccurs="0"/><xs:element name="third" type="Count"/><xs:element name="rest" type="Fruit" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
<xs:complexType name="Money"><xs:simpleContent><xs:extension base="Count"><xs:attribute name="unit" type="Currency" use="required"/><xs:attribute name="basis" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:simpleType name="Count"><xs:annotation><xs:documentation> decimal: above 0,
   at most 3 fraction digits </xs:documentation></xs:annotation><xs:restriction base="xs:decimal"><xs:minExclusive value="0"/><xs:fractionDigits value="3"/><xs:pattern value="[0-9.]+"/></xs:restriction></xs:simpleType>
<xs:simpleType name="Currency"><xs:annotation><xs:documentation>currency: three letters</xs:documentation></xs:annotation><xs:restriction base="xs:string"><xs:pattern value="[A-Z]{3}"/><xs:enumeration value="EUR"/></xs:restriction></xs:simpleType>
<xs:simpleType name="Name"><xs:restriction base="xs:string"><xs:minLength value="1"/><xs:maxLength value="200"/></xs:restriction></xs:simpleType>
<xs:simpleType name="Empty"><xs:restriction base="xs:string"><xs:length value="0"/></xs:restriction></xs:simpleType>
<xs:simpleType name="OptionalCount"><xs:annotation><xs:documentation>decimal: above 0, or empty</xs:documentation></xs:annotation><xs:union memberTypes="Count Empty"/></xs:simpleType>
</xs:schema>`;

const shape = element({
  children: { id: text, fruits: element({ children: { fruit: many(element({ children: { kind: text } })) } }) },
});

let engine: XmlEngine;
let schema: Schema;
before(async () => {
  engine = await createXmlEngine();
  schema = engine.compile(Buffer.from(xsd));
});

function failure(document: string): XmlFailure<unknown> {
  const result = engine.read(Buffer.from(document), { schema, shape });
  assert.ok(!result.ok, "expected a refusal");
  assert.equal(result.fault.kind, "XSD");
  return result.fault;
}

/** The sentences about a basket with the two children that every basket requires, and the given content. */
function words(content: string, attributes = ""): string[] {
  return failure(`<basket${attributes}><id>1</id><owner>Ann</owner>\n${content}</basket>`).problems.map(
    (problem) => problem.text,
  );
}

test("a value that breaks its type is reported with the type's own documentation", () => {
  assert.deepEqual(words('<sum unit="EUR">abc</sum>'), [
    "Line 2: sum: 'abc' is not a valid decimal: above 0, at most 3 fraction digits",
  ]);
  assert.deepEqual(words("<lot>-1</lot>"), ["Line 2: lot: '-1' is not a valid decimal: above 0, or empty"]);
});

test("a built-in or undocumented type goes by its name", () => {
  assert.deepEqual(words("<due>2020</due>"), ["Line 2: due: '2020' is not a valid dateTime"]);
  assert.deepEqual(words('<tags><tag name=""/></tags>'), ["Line 2: tags/tag/@name: '' is not a valid Name"]);
});

test("several facets that fail for one value are one problem", () => {
  assert.deepEqual(words('<sum unit="eur">-0.0001</sum>'), [
    "Line 2: sum/@unit: 'eur' is not a valid currency: three letters",
    "Line 2: sum: '-0.0001' is not a valid decimal: above 0, at most 3 fraction digits",
  ]);
});

test("a problem carries line, path and value apart", () => {
  assert.deepEqual(failure('<basket><id/><owner>A</owner>\n\n<sum unit="eur">1</sum></basket>').problems, [
    {
      kind: "XSD",
      line: 3,
      path: "sum/@unit",
      value: "eur",
      text: "Line 3: sum/@unit: 'eur' is not a valid currency: three letters",
    },
  ]);
});

test("a value is shown unchanged, printable and shortened to 60 characters", () => {
  const [problem] = failure(
    `<basket><id/><owner>A</owner><due> a\n\t\u0085${"😀".repeat(100)}</due></basket>`,
  ).problems;
  assert.equal(problem?.value, ` a␊␉\ufffd${"😀".repeat(54)}…`);
  assert.equal([...(problem?.value ?? "")].length, 60);
});

test("a path numbers an element only among namesakes", () => {
  const fruit = (count: string) => `<fruit><kind>fig</kind><count>${count}</count></fruit>`;
  assert.deepEqual(words(`<fruits>${fruit("x")}</fruits>`), [
    "Line 2: fruits/fruit/count: 'x' is not a valid decimal: above 0, at most 3 fraction digits",
  ]);
  assert.deepEqual(words(`<fruits>${fruit("x")}${fruit("1")}\n${fruit("y")}</fruits>`), [
    "Line 2: fruits/fruit[1]/count: 'x' is not a valid decimal: above 0, at most 3 fraction digits",
    "Line 3: fruits/fruit[3]/count: 'y' is not a valid decimal: above 0, at most 3 fraction digits",
  ]);
});

test("a missing element is reported at its parent, the root by its name", () => {
  assert.deepEqual(words("<fruits><fruit><kind>fig</kind></fruit></fruits>"), [
    "Line 2: fruits/fruit: element 'count' is missing",
  ]);
  assert.deepEqual(
    failure("<basket/>").problems.map((problem) => problem.text),
    ["Line 1: basket: element 'id' is missing", "Line 1: basket: element 'owner' is missing"],
  );
});

test("an unknown element is reported with what is allowed there", () => {
  assert.deepEqual(words("<fruits><fruit><kind>fig</kind><colour/><count>1</count></fruit></fruits>"), [
    "Line 2: fruits/fruit/colour: element 'colour' is not allowed here; allowed: kind, count, note",
  ]);
  assert.deepEqual(words('<x:id xmlns:x="urn:x"/>'), [
    "Line 2: id[2]: element 'id' of namespace 'urn:x' is not allowed here; allowed: id, owner, due, sum, lot, fruits, steps, way, home, mark, tags",
  ]);
});

test("a repeated element is reported where one is allowed", () => {
  assert.deepEqual(words("<id>2</id>"), ["Line 2: id[2]: element 'id' appears more than once"]);
  assert.deepEqual(
    words("<steps><first>1</first><first>1</first><third>1</third><rest><kind>k</kind><count>1</count></rest></steps>"),
    ["Line 2: steps/first[2]: element 'first' appears more than once"],
  );
});

test("a sequence is read in any order, and what is missing from it is reported", () => {
  const rest = "<rest><kind>k</kind><count>1</count></rest>";
  assert.deepEqual(words(`<steps><third>1</third>${rest}</steps>`), ["Line 2: steps: element 'first' is missing"]);
  assert.deepEqual(words(`<steps><first>1</first><third>1</third></steps>`), [
    "Line 2: steps: element 'rest' is missing",
  ]);
  const anyOrder = engine.compile(Buffer.from(xsd), new Map());
  const read = (steps: string) => {
    const document = `<basket><id>1</id><owner>Ann</owner><steps>${steps}</steps></basket>`;
    const result = engine.read(Buffer.from(document), { schema: anyOrder, shape });
    return result.ok || (result.fault.kind === "XSD" && result.fault.problems.map(({ text }) => text));
  };
  assert.equal(read(`<third>1</third>${rest}<second>1</second>${rest}<first>1</first>`), true);
  assert.deepEqual(read("<third>1</third><first>1</first>"), ["Line 1: steps: element 'rest' is missing"]);
  assert.deepEqual(read(`${rest}<third>1</third>`), ["Line 1: steps: element 'first' is missing"]);
});

test("the alternatives of a choice are named", () => {
  assert.deepEqual(words("<way/>"), ["Line 2: way: one of 'air', 'sea' is missing"]);
  assert.deepEqual(words("<way><road/></way>"), [
    "Line 2: way/road: element 'road' is not allowed here; expected one of 'air', 'sea'",
  ]);
  assert.deepEqual(words("<way><air/><sea/></way>"), ["Line 2: way/sea: element 'sea' is not allowed here"]);
});

test("unknown and missing attributes are reported", () => {
  assert.deepEqual(words('<sum unit="EUR" cur="EUR">1</sum>'), [
    "Line 2: sum/@cur: attribute 'cur' is not allowed here; allowed: unit, basis",
  ]);
  assert.deepEqual(words("", ' version="1"'), [
    "Line 1: basket/@version: attribute 'version' is not allowed here; no attribute is",
  ]);
  assert.deepEqual(words('<due unit="EUR">2026-11-03T08:00:00Z</due>'), [
    "Line 2: due/@unit: attribute 'unit' is not allowed here; no attribute is",
  ]);
  assert.deepEqual(words('<sum xml:lang="en" unit="EUR">1</sum>'), [
    "Line 2: sum/@lang: attribute 'lang' is not allowed here; allowed: unit, basis",
  ]);
  assert.deepEqual(words("<tags><tag>x</tag></tags>"), ["Line 2: tags/tag: attribute 'name' is missing"]);
});

test("a duplicate of a unique value is reported with the value", () => {
  assert.deepEqual(words(`<tags><tag name="X">1</tag>\n<tag name="Y">1</tag><tag name="X">2</tag></tags>`), [
    "Line 3: tags/tag[3]: tag name 'X' appears twice",
  ]);
});

test("a group that may be left out altogether lacks nothing when it is empty", () => {
  assert.deepEqual(words("<home/><foo/>").length, 1);
  assert.deepEqual(words("<home><city>Bath</city></home>"), ["Line 2: home: element 'street' is missing"]);
});

test("content of an element that must be empty is reported", () => {
  assert.deepEqual(words("<mark> </mark>"), ["Line 2: mark: text ' ' is not allowed here: the element must be empty"]);
  assert.deepEqual(words("<mark><id/></mark>"), ["Line 2: mark: no elements are allowed here"]);
  assert.deepEqual(words('<mark off="1"/>'), ["Line 2: mark/@off: attribute 'off' is not allowed here; allowed: on"]);
});

test("text between elements, and elements within text, are reported", () => {
  assert.deepEqual(words("<fruits>figs</fruits>"), [
    "Line 2: fruits: text 'figs' is not allowed here, only elements are",
  ]);
  assert.deepEqual(words("<due><year>2020</year></due>"), ["Line 2: due: only text is allowed here, no elements"]);
});

test("another root is reported with the expected one, and nothing of it is read", () => {
  const wrong = failure("\n<box><id/></box>");
  assert.deepEqual(wrong, {
    kind: "XSD",
    problems: [{ kind: "XSD", line: 2, path: "box", text: "Line 2: the root element is 'box'; expected 'basket'" }],
    omitted: 0,
    partial: undefined,
  });
  assert.deepEqual(
    failure('<basket xmlns="http://example.com/b"/>').problems.map((problem) => problem.text),
    ["Line 1: the root element is 'basket' of namespace 'http://example.com/b'; expected 'basket' without namespace"],
  );
});

test("all problems of a document are reported together, in the order of its lines", () => {
  const document = `<basket colour="red">
<id>1</id><foo/><id>2</id>
<due>never</due>
<fruits><fruit><kind>fig</kind><bar/>
<count>none</count></fruit><pear/>
<fruit/></fruits>
<steps><rest><kind/></rest>
<third>x</third></steps>
<tags><tag name="X"/><tag name="X"/></tags>
</basket>`;
  assert.deepEqual(
    failure(document).problems.map((problem) => problem.text),
    [
      "Line 1: basket: element 'owner' is missing",
      "Line 1: basket/@colour: attribute 'colour' is not allowed here; no attribute is",
      "Line 2: foo: element 'foo' is not allowed here; allowed: id, owner, due, sum, lot, fruits, steps, way, home, mark, tags",
      "Line 2: id[2]: element 'id' appears more than once",
      "Line 3: due: 'never' is not a valid dateTime",
      "Line 4: fruits/fruit[1]/bar: element 'bar' is not allowed here; allowed: kind, count, note",
      "Line 5: fruits/pear: element 'pear' is not allowed here; allowed: fruit",
      "Line 5: fruits/fruit[1]/count: 'none' is not a valid decimal: above 0, at most 3 fraction digits",
      "Line 6: fruits/fruit[2]: element 'kind' is missing",
      "Line 6: fruits/fruit[2]: element 'count' is missing",
      "Line 7: steps: element 'first' is missing",
      "Line 7: steps/rest: element 'count' is missing",
      "Line 7: steps/rest/kind: '' is not a valid Name",
      "Line 8: steps/third: 'x' is not a valid decimal: above 0, at most 3 fraction digits",
      "Line 9: tags/tag[2]: tag name 'X' appears twice",
    ],
  );
});

test("at most a hundred problems are worded and the rest is counted, of every kind", () => {
  const bad = "<fruit><kind>fig</kind><count>x</count></fruit>\n";
  const fruits = (content: string) => failure(`<basket><id/><owner>A</owner><fruits>${content}</fruits></basket>`);
  const values = fruits(bad.repeat(150));
  assert.deepEqual([values.problems.length, values.omitted, values.problems[99]?.line], [100, 50, 100]);
  const structure = fruits("<fruit/>\n".repeat(150));
  assert.deepEqual([structure.problems.length, structure.omitted], [100, 200]);
  const both = fruits(`${bad.repeat(150)}${"<fig/>".repeat(3)}`);
  assert.deepEqual([both.problems.length, both.omitted, both.problems[99]?.line], [100, 53, 100]);
});

test("the readable part of an invalid document is returned", () => {
  assert.deepEqual(
    failure("<basket><id>7</id><foo/><fruits><fruit><kind>fig</kind></fruit></fruits></basket>").partial,
    {
      id: "7",
      fruits: { fruit: [{ kind: "fig" }] },
    },
  );
});

test("lines beyond 65 535 are right, for empty elements and elements without text too", () => {
  const document = `<basket>\n<id/>${"\n".repeat(70_000)}<owner/>\n<fruits>\n<fruit>\n<kind>fig</kind>\n<count/></fruit></fruits></basket>`;
  assert.deepEqual(
    failure(document).problems.map((problem) => `${problem.line} ${problem.path}`),
    ["70002 owner", "70006 fruits/fruit/count"],
  );
});

test("xsi:nil and xsi:type open no way around the schema", () => {
  const xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  assert.deepEqual(words('<due xsi:nil="true"/>', xsi), ["Line 2: due: the element is not 'nillable'"]);
  assert.deepEqual(words('<due xsi:type="Count">1</due>', xsi), [
    "Line 2: due/@type: the type definition 'Count', specified by xsi:type, is blocked or not validly derived from the type definition of the element declaration",
    "Line 2: due: '1' is not a valid dateTime",
  ]);
  assert.deepEqual(words('<due xsi:type="nothing">1</due>', xsi), [
    "Line 2: due/@type: the QName value 'nothing' of the xsi:type attribute does not resolve to a type definition",
    "Line 2: due: '1' is not a valid dateTime",
  ]);
});
