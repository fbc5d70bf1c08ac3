import { toUtf8 } from "#/intake/xml/parse/encoding.ts";
import { createParser, type Parser } from "#/intake/xml/parse/parser.ts";
import { piecesOf } from "#/intake/xml/parse/pieces.ts";
import { unreadable, type XmlFailure } from "#/intake/xml/problem.ts";
import type { Shape } from "#/intake/xml/shape.ts";
import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type Library, loadLibrary } from "./library.ts";
import { type Readings, rewrite } from "./rewrite.ts";
import { allProblems, CompiledSchema, compileSchema, type Schema, validate } from "./schema.ts";

/** Reads XML documents within bounds: encoding, prolog, parse, validate, read, free, in one synchronous pass. */
export interface XmlEngine {
  /**
   * @param readings other forms of values that documents of this schema may have; without them only the forms of the XSD
   * are read.
   * @throws when the schema has errors or warnings.
   */
  compile(xsd: Uint8Array, readings?: Readings): Schema;
  /**
   * @param options.charset the charset parameter of the content type, if there was one.
   * @param options.schema from `compile` of the same engine.
   * @param options.shape the shape of the document's root element.
   * @param options.onNote receives a sentence about each value that is not taken as sent.
   */
  read<T>(bytes: Uint8Array, options: ReadOptions<T>): Result<T, XmlFailure<T>>;
  /**
   * Reads a long list piece by piece, so that libxml2 holds a piece at a time.
   *
   * @param options.item the element that repeats at the end of the root; the XSD has no rule over all of them
   * @param options.pieceBytes the least bytes of items in a piece
   * @param take receives each piece as a document: the root with all that comes before the items, and some of the items
   * @returns false where the document is too short, or a piece is not valid: `read` then says what is wrong
   */
  readPieces<T>(
    bytes: Uint8Array,
    options: ReadOptions<T> & { readonly item: string; readonly pieceBytes?: number },
    take: (piece: T) => void,
  ): boolean;
  /** Size of libxml2's memory. It never shrinks, so the owner replaces an engine's thread when it is too large. */
  heapBytes(): number;
}

interface ReadOptions<T> {
  readonly charset?: string | undefined;
  readonly schema: Schema;
  readonly shape: Shape<T>;
  readonly onNote?: (note: string) => void;
}

/** Whether the form of a document is known to be another than that of its XSD: then it is rewritten before validation. */
interface FormState {
  isOther: boolean;
}

/** @throws when the memory layout of the installed libxml2-wasm is not the one that this code expects. */
export async function createXmlEngine(): Promise<XmlEngine> {
  const library = await loadLibrary();
  const parser = createParser(library);
  selfTest(library, parser);
  const { raw, nodes } = library;

  function readUtf8<T>(
    utf8: Uint8Array,
    { schema, shape, onNote }: ReadOptions<T>,
    form: FormState,
  ): Result<T, XmlFailure<T>> {
    assert(
      schema instanceof CompiledSchema && schema.library === library,
      "a schema is used by the engine that compiled it",
    );
    const parsed = parser.parse(utf8);
    if (!parsed.ok) return parsed;
    const document = parsed.value;
    try {
      const root = raw._xmlDocGetRootElement(document);
      dropSchemaLocations(library, utf8, root);
      const rewritten = () => {
        if (!schema.readings) return false;
        const { isChanged, notes } = rewrite(library, schema.outline, schema.readings, document, root);
        if (onNote) notes.forEach(onNote);
        form.isOther ||= isChanged;
        return isChanged;
      };
      const wasRewritten = form.isOther && rewritten();
      let verdict = validate(library, schema, document);
      if (!verdict.isValid && !wasRewritten && rewritten()) verdict = validate(library, schema, document);
      if (verdict.isValid) return ok(shape.read(nodes, root));
      const isExpectedRoot = schema.rootElements.includes(nodes.name(root)) && !nodes.hasNamespace(root);
      const partial = isExpectedRoot ? shape.read(nodes, root) : undefined;
      const { problems, omitted } = allProblems(library, schema, document, verdict);
      return refused({ kind: "XSD", problems, omitted, partial });
    } finally {
      raw._xmlFreeDoc(document);
    }
  }

  return {
    compile: (xsd, readings) => compileSchema(library, parser, xsd, readings),
    read(bytes, options) {
      const utf8 = toUtf8(bytes, options.charset);
      return utf8.ok ? readUtf8(utf8.value, options, { isOther: false }) : refused(unreadable(utf8.fault));
    },
    readPieces(bytes, { item, pieceBytes, ...options }, take) {
      const utf8 = toUtf8(bytes, options.charset);
      const [root] = options.schema.rootElements;
      const form: FormState = { isOther: false };
      const pieces = utf8.ok && root !== undefined ? piecesOf(utf8.value, { root, item }, pieceBytes) : undefined;
      if (!pieces) return false;
      for (const piece of pieces) {
        const read = readUtf8(piece, options, form);
        if (!read.ok) return false;
        take(read.value);
      }
      return true;
    },
    heapBytes: () => raw.HEAPU8.length,
  };
}

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
const attributeNames = ["schemaLocation", "noNamespaceSchemaLocation"];
const mark = Buffer.from("chemaLocation", "latin1");

/**
 * Removes every xsi:schemaLocation and xsi:noNamespaceSchemaLocation from a document before its validation: libxml2
 * searches for the schemas that they name, and records each failed search in the compiled schema.
 *
 * @param utf8 the document's bytes: almost no document contains the word, and a search of the bytes costs less than one
 * of the tree.
 */
function dropSchemaLocations(library: Library, utf8: Uint8Array, root: number): void {
  if (!Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).includes(mark)) return;
  const { raw, nodes } = library;
  const pending = [root];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    for (let attribute = nodes.firstAttribute(element); attribute !== 0; ) {
      const next = nodes.next(attribute);
      if (attributeNames.includes(nodes.name(attribute)) && nodes.namespace(attribute) === instanceNamespace)
        raw._xmlRemoveProp(attribute);
      attribute = next;
    }
    for (let child = nodes.firstChild(element); child !== 0; child = nodes.next(child)) {
      if (nodes.isElement(child)) pending.push(child);
    }
  }
}

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
function selfTest(library: Library, parser: Parser): void {
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
      `libxml2-wasm is not the version that src/intake/xml was written for (0.7.2): ${question} is '${found}' instead of '${expected}'`,
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
