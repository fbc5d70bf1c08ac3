import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  attributeList,
  createXmlEngine,
  element,
  many,
  type Schema,
  type Shape,
  text,
  type ValueOf,
  wrapped,
  type XmlEngine,
} from "./index.ts";

// Accepts everything, so that the test covers only the shapes.
const laxSchema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="r"><xs:complexType mixed="true">
<xs:sequence><xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
<xs:anyAttribute processContents="skip"/></xs:complexType></xs:element></xs:schema>`;

let engine: XmlEngine;
let schema: Schema;
before(async () => {
  engine = await createXmlEngine();
  schema = engine.compile(Buffer.from(laxSchema));
});

function read<T>(document: string, shape: Shape<T>): T {
  const result = engine.read(Buffer.from(document), { schema, shape });
  assert.ok(result.ok, result.ok ? "" : JSON.stringify(result.fault.problems));
  return result.value;
}

const amount = element({ attributes: ["unit"], content: "amount" });
const order = element({
  attributes: ["id"],
  children: {
    name: text,
    total: amount,
    lines: wrapped("line", element({ children: { sku: text, qty: text, price: amount } })),
    note: many(text),
    extras: attributeList,
  },
});
type Order = ValueOf<typeof order>;

test("the type of a shape reads like a type written by hand", () => {
  interface Expected {
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    readonly total?: { readonly unit?: string | undefined; readonly amount?: string | undefined } | undefined;
    readonly lines?:
      | {
          readonly sku?: string | undefined;
          readonly qty?: string | undefined;
          readonly price?: { readonly unit?: string | undefined; readonly amount?: string | undefined } | undefined;
        }[]
      | undefined;
    readonly note: (string | undefined)[];
    readonly extras?: (readonly [name: string, value: string])[] | undefined;
  }
  // The two function types are assignable exactly when the types are identical.
  type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
  const isSame: Same<{ [K in keyof Order]: Order[K] }, { [K in keyof Expected]: Expected[K] }> = true;
  const value: Order = { note: [] };
  assert.deepEqual([isSame, value.lines?.[0]?.price?.unit], [true, undefined]);
});

test("attributes, children, lists and own text become properties", () => {
  const document = `<r id="7"><name>Ann</name><total unit="EUR">9.50</total><note>x</note>
    <lines><line><sku>A</sku><qty>1</qty></line><!-- c --><line><sku>B</sku><price unit="USD">2</price></line></lines>
    <note>y</note><extras><attribute name="P">1</attribute><attribute name="Q"><![CDATA[<2>]]></attribute></extras></r>`;
  assert.deepEqual(read(document, order), {
    id: "7",
    name: "Ann",
    total: { unit: "EUR", amount: "9.50" },
    lines: [
      { sku: "A", qty: "1" },
      { sku: "B", price: { unit: "USD", amount: "2" } },
    ],
    note: ["x", "y"],
    extras: [
      ["P", "1"],
      ["Q", "<2>"],
    ],
  } satisfies Order);
});

test("what is absent is left out, and a repeated child is the empty list", () => {
  assert.deepEqual(read("<r/>", order), { note: [] });
});

test("an empty optional part counts as absent", () => {
  const document = `<r id=""><name/><total> <!-- c --> </total><lines/><extras>\n</extras></r>`;
  assert.deepEqual(read(document, order), { note: [] });
});

test("an empty element with an attribute is there", () => {
  assert.deepEqual(read('<r><total unit="EUR"/></r>', order), { note: [], total: { unit: "EUR" } });
});

test("an item of a list is kept even when it is empty, so that places hold", () => {
  assert.deepEqual(read("<r><note/><note>y</note><lines><line/><line/></lines></r>", order), {
    note: [undefined, "y"],
    lines: [{}, {}],
  });
});

test("text is read without white space at its ends: CDATA joined, comments and instructions skipped, references resolved", () => {
  const shape = element({ children: { name: text } });
  assert.deepEqual(read("<r><name> a<!-- x -->b<![CDATA[<c>]]>&amp;&#x1F600;<?p q?>ü\r\n </name></r>", shape), {
    name: "ab<c>&😀ü",
  });
  assert.deepEqual(read("<r><name>\n\t<![CDATA[ a\n b ]]>\n</name></r>", shape), { name: "a\n b" });
  assert.deepEqual(read("<r><name>\u00a0a\u2003</name></r>", shape), { name: "\u00a0a\u2003" });
  assert.deepEqual(read("<r><name> \n </name></r>", shape), {});
});

test("elements and attributes of a namespace are not mistaken for ours", () => {
  const document = '<r xmlns:x="urn:x" x:id="1"><x:name>a</x:name><lines><x:line/></lines></r>';
  assert.deepEqual(read(document, order), { note: [] });
});

test("unknown parts and names of Object's prototype are passed over", () => {
  const document = '<r constructor="1" __proto__="2"><__proto__>x</__proto__><toString>y</toString><name>n</name></r>';
  assert.deepEqual(read(document, order), { note: [], name: "n" });
  const pairs = read(
    '<r><attribute name="__proto__">1</attribute><attribute>2</attribute><attribute name="e"/></r>',
    attributeList,
  );
  assert.deepEqual(pairs, [
    ["__proto__", "1"],
    ["e", ""],
  ]);
});

test("of a repeated part the first one counts", () => {
  assert.deepEqual(read("<r><name>a</name><name>b</name></r>", order), { note: [], name: "a" });
});

test("a shape of a list may read the root", () => {
  assert.deepEqual(read("<r><i>1</i><i/><j/></r>", wrapped("i", text)), ["1", undefined]);
});
