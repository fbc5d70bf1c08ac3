import type { Parser } from "#/xml/parse/parser.ts";
import type { Library } from "./library.ts";
import { compileSchema, validate } from "./schema.ts";

const wellFormed = `<a x="1" y="ü"><b>t<!--c--><![CDATA[u]]></b><c xmlns="urn:d"/>${"\n".repeat(66_000)}<e>v</e></a>`;
const broken = "<a>\n<b></c></a>";
const invalid = "<r>\n<n>1</n><n>0</n></r>";
const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:simpleType name="count"><xs:annotation><xs:documentation>count: above 0</xs:documentation></xs:annotation>
<xs:restriction base="xs:int"><xs:minExclusive value="0"/></xs:restriction></xs:simpleType>
<xs:element name="r"><xs:complexType><xs:sequence><xs:element name="n" type="count" maxOccurs="unbounded"/></xs:sequence>
</xs:complexType></xs:element></xs:schema>`;

/**
 * Reads documents with known content, through each offset into libxml2's structs that this folder uses.
 *
 * @throws when an answer is unexpected: the library is not the pinned one, and its memory is misread.
 */
export function selfTest(library: Library, parser: Parser): void {
  const answers: readonly (readonly [question: string, expected: unknown, found: unknown])[] = [
    ...nodeAnswers(library, parser),
    [
      "a parser's report",
      "Line 2, column 8: the element 'b' opened in line 2 is not closed: '</c>' found",
      parserReport(parser),
    ],
    ["a validator's report", "Line 2: n[2]: '0' is not a valid count: above 0", validatorReport(library, parser)],
  ];
  for (const [question, expected, found] of answers) {
    if (found === expected) continue;
    throw new Error(
      `libxml2-wasm is not the version that src/xml was written for (0.7.2): ${question} is '${found}' instead of '${expected}'`,
    );
  }
}

function nodeAnswers({ raw, nodes }: Library, parser: Parser): (readonly [string, unknown, unknown])[] {
  const parsed = parser.parse(Buffer.from(wellFormed));
  if (!parsed.ok) return [["a well-formed document's report", undefined, parsed.fault.problems[0]?.text]];
  const root = raw._xmlDocGetRootElement(parsed.value);
  nodes.refresh();
  const b = nodes.firstChild(root);
  const c = nodes.next(b);
  const blank = nodes.next(c);
  const e = nodes.next(blank);
  const answers: (readonly [string, unknown, unknown])[] = [
    ["a name", "a", nodes.name(root)],
    ["an attribute", "1", nodes.attribute(root, "x")],
    ["a second attribute", "ü", nodes.attribute(root, "y")],
    ["a text", "tu", nodes.text(b)],
    ["a type of node", "true false", `${nodes.isElement(b)} ${nodes.isText(b)}`],
    ["a line", 1, nodes.line(b)],
    ["a sibling", "c", nodes.name(c)],
    ["the sibling before", b, nodes.previous(c)],
    ["a namespace", "urn:d", nodes.namespace(c)],
    ["no namespace", false, nodes.hasNamespace(b)],
    ["a blank", true, nodes.isText(blank)],
    ["a high line", 66_001, nodes.line(e)],
    ["a parent", root, nodes.parent(e)],
  ];
  raw._xmlFreeDoc(parsed.value);
  return answers;
}

function parserReport(parser: Parser): string | undefined {
  const parsed = parser.parse(Buffer.from(broken));
  return parsed.ok ? undefined : parsed.fault.problems[0]?.text;
}

function validatorReport(library: Library, parser: Parser): string | undefined {
  const compiled = compileSchema(library, parser, Buffer.from(schema));
  const parsed = parser.parse(Buffer.from(invalid));
  if (!parsed.ok) return parsed.fault.problems[0]?.text;
  const verdict = validate(library, compiled, parsed.value);
  library.raw._xmlFreeDoc(parsed.value);
  return verdict.isValid ? undefined : verdict.list.problems[0]?.text;
}
