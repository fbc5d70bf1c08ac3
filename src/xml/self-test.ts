import type { Library } from "./library.ts";
import type { Parser } from "./parser.ts";
import { compileSchema, validate } from "./schema.ts";

const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:simpleType name="count"><xs:annotation><xs:documentation>count: above 0</xs:documentation></xs:annotation>
<xs:restriction base="xs:int"><xs:minExclusive value="0"/></xs:restriction></xs:simpleType>
<xs:element name="r"><xs:complexType><xs:sequence><xs:element name="n" type="count" maxOccurs="unbounded"/></xs:sequence>
<xs:attribute name="v"/></xs:complexType></xs:element></xs:schema>`;

/**
 * Reads a document whose every part is known, through each offset into libxml2's structs that this folder relies on.
 *
 * @throws when an answer is not the known one: the library is another than the pinned one, and would be misread.
 */
export function selfTest(library: Library, parser: Parser): void {
  const { raw, nodes } = library;
  const found: string[] = [];
  const document = parser.parse(
    Buffer.from(`<a x="1" y="ü"><b>t<!--c--><![CDATA[u]]></b><c xmlns="urn:d"/>${"\n".repeat(66_000)}<e>v</e></a>`),
  );
  if (document.ok) {
    const root = raw._xmlDocGetRootElement(document.value);
    nodes.refresh();
    const [b, c, blank] = follow(root, nodes.firstChild(root));
    const e = nodes.next(blank);
    found.push(
      nodes.name(root),
      String(nodes.attribute(root, "x")),
      String(nodes.attribute(root, "y")),
      nodes.text(b),
      nodes.name(c),
    );
    found.push(
      nodes.namespace(c),
      String(nodes.hasNamespace(b)),
      String(nodes.isText(blank)),
      nodes.text(e),
      String(nodes.line(b)),
    );
    found.push(
      String(nodes.line(e)),
      nodes.name(nodes.parent(e)),
      String(nodes.previous(c) === b),
      String(nodes.isElement(b)),
    );
    raw._xmlFreeDoc(document.value);
  }
  const broken = parser.parse(Buffer.from("<a>\n<b></c></a>"));
  found.push(broken.ok ? "" : (broken.fault.problems[0]?.text ?? ""));
  const compiled = compileSchema(library, parser, Buffer.from(schema));
  const invalid = parser.parse(Buffer.from("<r>\n<n>1</n><n>0</n></r>"));
  if (invalid.ok) {
    const verdict = validate(library, compiled, invalid.value);
    found.push(verdict.isValid ? "" : (verdict.list.problems[0]?.text ?? ""));
    raw._xmlFreeDoc(invalid.value);
  }
  const at = expected.findIndex((answer, index) => answer !== found[index]);
  if (at < 0 && found.length === expected.length) return;
  throw new Error(
    `libxml2-wasm is not the version that src/xml was written for (0.7.2): answer ${at + 1} of the self-test is '${found[at]}', expected '${expected[at]}'`,
  );

  function follow(_parent: number, first: number): [number, number, number] {
    const second = nodes.next(first);
    return [first, second, nodes.next(second)];
  }
}

const expected = [
  ...["a", "1", "ü", "tu", "c"],
  ...["urn:d", "false", "true", "v", "1"],
  ...["66001", "a", "true", "true"],
  "Line 2, column 8: the element 'b' opened in line 2 is not closed: '</c>' found",
  "Line 2: n[2]: '0' is not a valid count: above 0",
];
