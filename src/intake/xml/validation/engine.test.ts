import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { XmlDocument, XmlValidateError, XsdValidator } from "libxml2-wasm";
import {
  createXmlEngine,
  element,
  many,
  type Schema,
  text,
  type ValueOf,
  wrapped,
  type XmlEngine,
} from "#/intake/xml/index.ts";

const xsd = Buffer.from(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="shelf"><xs:complexType><xs:sequence>
  <xs:element name="id" type="Id"/><xs:element name="at" type="xs:dateTime" minOccurs="0"/><xs:element name="box" type="Box" maxOccurs="unbounded"/>
</xs:sequence></xs:complexType></xs:element>
<xs:complexType name="Box"><xs:all><xs:element name="label" type="Id"/><xs:element name="weight" type="Weight" minOccurs="0"/>
  <xs:element name="marks" minOccurs="0"><xs:complexType><xs:sequence><xs:element name="mark" type="Mark" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
  <xs:unique name="Marks"><xs:selector xpath="mark"/><xs:field xpath="@name"/></xs:unique></xs:element></xs:all></xs:complexType>
<xs:complexType name="Mark"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="name" type="Id" use="required"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:complexType name="Weight"><xs:simpleContent><xs:extension base="Decimal"><xs:attribute name="unit" type="Unit"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:simpleType name="Id"><xs:restriction base="xs:string"><xs:maxLength value="8"/><xs:pattern value="\\S+( +\\S+)*"/></xs:restriction></xs:simpleType>
<xs:simpleType name="Decimal"><xs:restriction base="xs:decimal"><xs:minInclusive value="0"/><xs:fractionDigits value="2"/></xs:restriction></xs:simpleType>
<xs:simpleType name="Unit"><xs:restriction base="xs:string"><xs:enumeration value="KG"/><xs:enumeration value="LB"/></xs:restriction></xs:simpleType>
</xs:schema>`);

const box = element({
  children: { label: text, marks: wrapped("mark", element({ attributes: ["name"], content: "text" })) },
});
const shape = element({ children: { id: text, at: text, box: many(box) } });
const boxText = (label: string) =>
  `<box><label>${label}</label><weight unit="KG">1.5</weight><marks><mark name="A">é</mark><mark name="B"><![CDATA[<x>]]></mark></marks></box>\n`;
const shelfText = (boxes: string) =>
  `<shelf>\n<id>S 1</id><!-- c -->\n<at>2026-11-03T08:00:00Z</at>\n${boxes}</shelf>\n`;
const shelf = Buffer.from(shelfText(boxText("b1") + boxText("b2")));

let engine: XmlEngine;
let schema: Schema;
before(async () => {
  engine = await createXmlEngine();
  schema = engine.compile(xsd);
});

/** The same numbers on every run: a linear congruential generator (Numerical Recipes). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const fragments = [
  "<",
  "</box>",
  "&",
  "&amp;",
  "<x:y/>",
  "]]>",
  "<!-- c -->",
  "0",
  "-",
  " ",
  "é",
  ' name="A"',
  "<![CDATA[",
  "<id>S</id>",
  "<box/>",
];

/** Bytes removed, repeated, changed or inserted: the result is hardly ever well formed. */
function mutateBytes(bytes: Buffer, random: (below: number) => number): Buffer {
  const from = random(bytes.length);
  const [head, middle, tail] = [bytes.subarray(0, from), bytes.subarray(from, from + random(20)), bytes.subarray(from)];
  const fragment = Buffer.from(fragments[random(fragments.length)] as string);
  const kinds = [
    [head, tail.subarray(middle.length)],
    [head, middle, tail],
    [head, Buffer.from([random(256)]), tail.subarray(1)],
    [head, fragment, tail],
  ];
  return Buffer.concat(kinds[random(kinds.length)] as Buffer[]);
}

/**
 * An element without children removed, duplicated elsewhere, renamed, or its text changed: the result is well formed.
 */
function mutateElements(bytes: Buffer, random: (below: number) => number): Buffer {
  const source = bytes.toString("utf8");
  const leaves = [...source.matchAll(/<(\w+)([^<>]*)>([^<>]*)<\/\1>/g)];
  const leaf = leaves[random(leaves.length)];
  const other = leaves[random(leaves.length)];
  if (leaf === undefined || other === undefined) return bytes;
  const [whole, name, attributes, content] = leaf as unknown as [string, string, string, string];
  const put = (at: number, length: number, text: string) =>
    Buffer.from(source.slice(0, at) + text + source.slice(at + length));
  const values = ["", " ", "0", "-1", "1.234", "abc", "2026-11-03", "x".repeat(20), "<box/>", other[0]];
  switch (random(4)) {
    case 0:
      return put(leaf.index, whole.length, "");
    case 1:
      return put(other.index, 0, whole);
    case 2:
      return put(leaf.index, whole.length, whole.replaceAll(name, (other[1] as string) + (random(2) === 0 ? "" : "s")));
    default:
      return put(
        leaf.index,
        whole.length,
        `<${name}${attributes}>${content.slice(0, random(3))}${values[random(values.length)]}</${name}>`,
      );
  }
}

function mutate(bytes: Buffer, random: (below: number) => number): Buffer {
  let mutated = bytes;
  const change = random(3) === 0 ? mutateBytes : mutateElements;
  for (let times = 1 + random(3); times > 0; times--) mutated = change(mutated, random);
  return mutated;
}

type Verdict = "valid" | "XSD" | "XML";

/** The result of the library's public interface; it reads the same bytes without any code of this folder. */
function createOracle(): (bytes: Buffer) => Verdict {
  const validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(xsd));
  return (bytes) => {
    let document: XmlDocument;
    try {
      document = XmlDocument.fromBuffer(bytes);
    } catch {
      return "XML";
    }
    try {
      validator.validate(document);
      return "valid";
    } catch (error) {
      assert.ok(error instanceof XmlValidateError, String(error));
      return "XSD";
    } finally {
      document.dispose();
    }
  };
}

test("the verdict on mutated documents is that of the library's public interface", () => {
  const oracle = createOracle();
  const random = seeded(20_261_103);
  const seen = { valid: 0, XSD: 0, XML: 0 };
  // The oracle continues after an undeclared prefix; this parser refuses the document one step earlier.
  const isNamespaceFault = (words: string) =>
    /namespace prefix|not a valid name|appears twice in one element/.test(words);
  for (let round = 0; round < 600; round++) {
    const bytes = mutate(shelf, random);
    const result = engine.read(bytes, { schema, shape });
    const verdict: Verdict = result.ok ? "valid" : result.fault.kind;
    const expected = oracle(bytes);
    seen[expected]++;
    if (verdict === "XML" && expected === "XSD" && !result.ok) {
      assert.ok(isNamespaceFault(result.fault.problems[0]?.text ?? ""), `${result.fault.problems[0]?.text}\n${bytes}`);
      continue;
    }
    assert.equal(verdict, expected, bytes.toString());
    if (result.ok) continue;
    assert.ok(result.fault.problems.length > 0 && result.fault.problems.length <= 100);
    for (const problem of result.fault.problems) assert.match(problem.text, /^(Line \d+|The )[^\n]+$/);
  }
  assert.ok(seen.valid > 30 && seen.XSD > 200 && seen.XML > 100, JSON.stringify(seen));
});

/** A box that holds the tags of others in every kind of section. */
const hidden = "<!-- </box><box> --><box><label><![CDATA[</box>]]></label></box><?x </box> ?>\n";

/** The content that `readPieces` reads, as one document; undefined where it does not read the document to its end. */
function readInPieces(bytes: Buffer, pieceBytes: number) {
  const pieces: ValueOf<typeof shape>[] = [];
  const isRead = engine.readPieces(bytes, { schema, shape, item: "box", pieceBytes }, (piece) => pieces.push(piece));
  return isRead ? { ...pieces[0], box: pieces.flatMap(({ box }) => box) } : undefined;
}

test("a list gives the same in pieces as in one, and no document that is not valid can be read in pieces", () => {
  const random = seeded(20_261_123);
  const list = Buffer.from(shelfText(`${boxText("b1")}${hidden}${boxText("b2")}`.repeat(4)));
  assert.equal(readInPieces(list, 10)?.box.length, 12);
  let count = 0;
  for (let round = 0; round < 600; round++) {
    const bytes = mutate(list, random);
    const whole = engine.read(bytes, { schema, shape });
    const inPieces = readInPieces(bytes, 1 + random(300));
    if (inPieces === undefined) continue;
    count++;
    assert.ok(whole.ok, bytes.toString());
    assert.deepEqual(inPieces, whole.value, bytes.toString());
  }
  assert.ok(count > 30, `${count} mutated documents were read in pieces`);
});

test("a list in pieces needs a small part of the memory that the whole document needs", async () => {
  const list = Buffer.from(shelfText(boxText("b").repeat(60_000)));
  const fresh = await createXmlEngine();
  const options = { schema: fresh.compile(xsd), shape, item: "box" };
  const grownBytes = (work: () => void) => {
    const before = fresh.heapBytes();
    work();
    return fresh.heapBytes() - before;
  };
  let boxes = 0;
  const inPieces = grownBytes(() => fresh.readPieces(list, options, ({ box }) => (boxes += box.length)));
  assert.equal(boxes, 60_000);
  const whole = grownBytes(() => assert.ok(fresh.read(list, options).ok));
  assert.ok(inPieces * 5 < whole, `${inPieces} bytes for pieces, then ${whole} bytes for the whole document`);
});

test("a document is read whole again after any refused one", () => {
  const whole = engine.read(shelf, { schema, shape });
  const random = seeded(7);
  for (let round = 0; round < 100; round++) {
    engine.read(mutate(shelf, random), { schema, shape });
    assert.deepEqual(engine.read(shelf, { schema, shape }), whole);
  }
  assert.deepEqual(whole, {
    ok: true,
    value: {
      id: "S 1",
      at: "2026-11-03T08:00:00Z",
      box: ["b1", "b2"].map((label) => ({
        label,
        marks: [
          { name: "A", text: "é" },
          { name: "B", text: "<x>" },
        ],
      })),
    },
  });
});

test("memory stays the same over thousands of valid, invalid and broken documents with names never seen before", async () => {
  const newEngine = await createXmlEngine();
  const ownSchema = newEngine.compile(xsd);
  const read = (document: string) => newEngine.read(Buffer.from(document), { schema: ownSchema, shape });
  const round = (from: number) => {
    for (let i = from; i < from + 1500; i++) {
      assert.ok(read(shelfText(boxText(`b${i}`))).ok);
      assert.ok(!read(shelfText(`<n${i} a${i}="1"/>${boxText("b")}${"<box/>".repeat(3)}`)).ok);
      assert.ok(!read(`<m${i}><n${i}>`).ok);
    }
  };
  round(0);
  const settled = newEngine.heapBytes();
  round(10_000);
  round(20_000);
  assert.equal(newEngine.heapBytes(), settled);
});

test("a large document makes memory grow under way and is read whole", async () => {
  const newEngine = await createXmlEngine();
  const ownSchema = newEngine.compile(xsd);
  const before = newEngine.heapBytes();
  const boxes = 20_000;
  const large = Buffer.from(shelfText(Array.from({ length: boxes }, (_value, index) => boxText(`b${index}`)).join("")));
  const result = newEngine.read(large, { schema: ownSchema, shape });
  assert.ok(result.ok, result.ok ? "" : JSON.stringify(result.fault));
  assert.equal(result.value.box.length, boxes);
  assert.deepEqual(result.value.box.at(-1)?.label, `b${boxes - 1}`);
  assert.ok(newEngine.heapBytes() > before);
});

test("a large document with an error in every item is validated in time linear in its size", () => {
  const check = (boxes: number) => {
    const document = Buffer.from(shelfText("<box><labell>b</labell><weight>x</weight></box>\n".repeat(boxes)));
    // Other load on the machine makes some of the runs slow, and none fast.
    const times = Array.from({ length: 3 }, () => {
      const started = process.cpuUsage();
      const result = engine.read(document, { schema, shape });
      assert.ok(!result.ok);
      // Only a second validation can find the weights after the unknown elements, and a full list skips it.
      assert.deepEqual([result.fault.problems.length, result.fault.omitted], [100, boxes * 2 - 100]);
      return process.cpuUsage(started).user;
    });
    return Math.min(...times);
  };
  check(2000);
  const small = check(5000);
  assert.ok(check(20_000) < 12 * small + 100_000);
});

test("schema locations are ignored in any place", () => {
  const folder = mkdtempSync(join(tmpdir(), "schema location "));
  try {
    const file = join(folder, "lax.xsd");
    const global = '<xs:element name="box" type="xs:string"/><xs:element name="extra" type="xs:string"/>';
    writeFileSync(file, `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${global}</xs:schema>`);
    const location = ` xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:noNamespaceSchemaLocation="${pathToFileURL(file).href}" i:schemaLocation="urn:x ${file}"`;
    const located = (document: string) =>
      Buffer.from(document.replace("<shelf>", `<shelf${location}>`).replace("<label>", `<label${location}>`));
    assert.ok(engine.read(located(shelfText(boxText("b"))), { schema, shape }).ok);
    const extra = engine.read(located("<shelf><id>S</id><box><label>b</label></box><extra/></shelf>"), {
      schema,
      shape,
    });
    assert.deepEqual(extra.ok ? [] : extra.fault.problems.map((problem) => problem.text), [
      "Line 1: extra: element 'extra' is not allowed here; allowed: id, at, box",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an XInclude includes nothing", () => {
  const include = '<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="file:///etc/hostname" parse="text"/>';
  const result = engine.read(Buffer.from(`<shelf><id>S</id><box><label>b</label></box>${include}</shelf>`), {
    schema,
    shape,
  });
  assert.deepEqual(result.ok ? [] : result.fault.problems.map((problem) => problem.text), [
    "Line 1: include: element 'include' of namespace 'http://www.w3.org/2001/XInclude' is not allowed here; allowed: id, at, box",
  ]);
});

test("a schema serves only the engine that compiled it", async () => {
  const other = await createXmlEngine();
  assert.throws(() => other.read(shelf, { schema, shape }), /a schema is used by the engine that compiled it/);
  assert.throws(
    () => engine.read(shelf, { schema: { rootElements: ["shelf"] }, shape }),
    /a schema is used by the engine/,
  );
});
