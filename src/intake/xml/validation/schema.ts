import type { Nodes } from "#/intake/xml/parse/nodes.ts";
import type { Parser } from "#/intake/xml/parse/parser.ts";
import { checkStructure, isRepairable } from "#/intake/xml/parse/structure.ts";
import { mergeByLine, ProblemList, schemaProblem, shown, type XmlProblem } from "#/intake/xml/problem.ts";
import { errorLevel, type Library, type LibraryError } from "./library.ts";
import { outlineOf, pathOf, readOutline, type SchemaOutline, type TypeOutline } from "./outline.ts";
import type { Readings } from "./rewrite.ts";

/** A compiled XSD; the engine that uses it must also create it. */
export interface Schema {
  /** The global elements: the roots that a document may have. */
  readonly rootElements: readonly string[];
}

export class CompiledSchema implements Schema {
  readonly library: Library;
  readonly outline: SchemaOutline;
  readonly rootElements: readonly string[];
  readonly schema: number;
  readonly readings: Readings | undefined;
  /** The validation context; it is reused, one document at a time. */
  validator = 0;

  constructor(library: Library, schema: number, outline: SchemaOutline, readings?: Readings) {
    this.library = library;
    this.readings = readings;
    this.schema = schema;
    this.outline = outline;
    this.rootElements = [...outline.roots.keys()];
    this.renewValidator();
  }

  renewValidator(): void {
    const { raw, errorFunction } = this.library;
    if (this.validator !== 0) raw._xmlSchemaFreeValidCtxt(this.validator);
    this.validator = raw._xmlSchemaNewValidCtxt(this.schema);
    if (this.validator === 0) throw new Error("libxml2 has no memory left for a validator");
    raw._xmlSchemaSetValidStructuredErrors(this.validator, errorFunction, 0);
  }
}

/**
 * @param xsd an XSD 1.0 in one file. It lives as long as the engine.
 * @throws when the XSD has errors or warnings: a failed import, for example, is only a warning in libxml2 and leaves
 * gaps.
 */
export function compileSchema(library: Library, parser: Parser, xsd: Uint8Array, readings?: Readings): CompiledSchema {
  const { raw, nodes } = library;
  const parsed = parser.parse(xsd);
  if (!parsed.ok)
    throw new Error(`the XSD cannot be read: ${parsed.fault.problems.map((problem) => problem.text).join("; ")}`);
  const outline = readOutline(nodes, raw._xmlDocGetRootElement(parsed.value));
  const reports: string[] = [];
  const schema = library.collect(
    (error) => {
      if (reports.length < 20) reports.push(`line ${error.line}: ${error.message}`);
    },
    () => {
      // The document is not freed: parts of the schema point into it.
      const context = raw._xmlSchemaNewDocParserCtxt(parsed.value);
      raw._xmlSchemaSetParserStructuredErrors(context, library.errorFunction, 0);
      const compiled = raw._xmlSchemaParse(context);
      raw._xmlSchemaFreeParserCtxt(context);
      return compiled;
    },
  );
  if (schema === 0 || reports.length > 0)
    throw new Error(`the XSD does not compile: ${reports.join("; ") || "no reason given"}`);
  return new CompiledSchema(library, schema, outline, readings);
}

/** Whether the document is valid: only libxml2's verdict decides. */
type Verdict = { readonly isValid: true } | ({ readonly isValid: false } & Problems);

interface Problems {
  readonly list: ProblemList;
  /** The problems that do not concern the structure, such as values. */
  readonly others: ProblemList;
  readonly hasContentFault: boolean;
}

/** @returns the verdict, with the problems that libxml2 finds in its first pass. */
export function validate(library: Library, schema: CompiledSchema, document: number): Verdict {
  const { list, others, hasContentFault, code } = run(library, schema, document, new Set());
  if (code === 0) return { isValid: true };
  if (code < 0 || list.problems.length === 0) {
    schema.renewValidator(); // an internal fault may have left it half way
    if (list.problems.length === 0)
      list.add(() => ({ kind: "XSD", text: "The document could not be checked against its XSD" }));
  }
  return { isValid: false, list, others, hasContentFault };
}

/**
 * All problems of a document that `validate` found invalid. The function repairs the tree: read from the tree before,
 * not after. Where the first pass already found more problems than can be listed, the second pass over the values is skipped.
 */
export function allProblems(library: Library, schema: CompiledSchema, document: number, first: Problems): ProblemList {
  if (!first.hasContentFault) return first.list;
  const root = library.raw._xmlDocGetRootElement(document);
  const isFull = first.list.omitted > 0;
  const structure = checkStructure(library, schema.outline, document, root, { isRepairing: !isFull });
  if (structure.list.problems.length === 0) return first.list;
  const values = isFull ? first : run(library, schema, document, structure.standIns);
  return mergeByLine(structure.list, values.others);
}

/** Whether a report concerns the children of a parent whose structure is checked here. */
function isStructural({ nodes }: Library, outline: SchemaOutline, error: LibraryError): boolean {
  // An unexpected child is reported at the child, a missing one at its parent.
  const parent = error.message.includes("Missing child") ? error.node : nodes.parent(error.node);
  return isRepairable(outlineOf(nodes, outline, parent)?.type);
}

/** @param standIns elements without any report */
function run(library: Library, schema: CompiledSchema, document: number, standIns: ReadonlySet<number>) {
  const list = new ProblemList();
  const others = new ProblemList();
  let hasContentFault = false;
  let lastCause: string | undefined;
  const code = library.collect(
    (error) => {
      if (error.level < errorLevel || isEcho(error) || standIns.has(error.node)) return;
      hasContentFault ||= error.code === contentCode;
      const cause = causeOf(error);
      if (cause !== undefined && cause === lastCause) return;
      lastCause = cause;
      let problem: XmlProblem | undefined;
      const word = () => (problem ??= schemaWords(library.nodes, schema.outline, error));
      list.add(word);
      // The messages of omitted reports are not read: ten thousand of them cost more than the whole validation.
      const isReportedElsewhere =
        error.code === contentCode && (list.omitted > 0 || isStructural(library, schema.outline, error));
      if (!isReportedElsewhere) others.add(word);
    },
    () => library.raw._xmlSchemaValidateDoc(schema.validator, document),
  );
  return { list, others, hasContentFault, code };
}

// Translates libxml2's reports on schema violations, by its error codes (xmlerror.h), into readable sentences.

const contentCode = 1871; // XML_SCHEMAV_ELEMENT_CONTENT: a child missing, unknown, surplus or out of order
const rootCode = 1845; // XML_SCHEMAV_CVC_ELT_1
const attributeUnknownCodes: readonly number[] = [1827, 1866];
const attributeMissingCode = 1868;
const emptyCode = 1841; // XML_SCHEMAV_CVC_COMPLEX_TYPE_2_1
const textCode = 1843; // XML_SCHEMAV_CVC_COMPLEX_TYPE_2_3
const elementsInSimpleCodes: readonly number[] = [1828, 1842];
const duplicateCode = 1877;
const nilCode = 1847; // XML_SCHEMAV_CVC_ELT_3_1

/**
 * The value that a report concerns, if it concerns one: successive reports on one value are one problem to the sender.
 * Several facets may fail. An element whose text cannot be checked, because it contains elements or xsi:nil, is also
 * checked as empty text.
 */
function causeOf(error: LibraryError): string | undefined {
  const { code, node } = error;
  const isAboutValue = isValueCode(code) || elementsInSimpleCodes.includes(code) || code === nilCode;
  return isAboutValue ? `${node} ${attributeOf(error) ?? ""}` : undefined;
}

/** The check for uniqueness also reports values that were already reported as invalid. */
function isEcho(error: LibraryError): boolean {
  return error.code === duplicateCode && !error.message.includes("Duplicate key-sequence");
}

/** A value that violates its type (1824–1826), or one of its facets (1829–1840). */
function isValueCode(code: number): boolean {
  return (code >= 1824 && code <= 1826) || (code >= 1829 && code <= 1840);
}

/** The attribute that a report concerns: libxml2 gives the element's node and names the attribute in its message. */
function attributeOf(error: LibraryError): string | undefined {
  return /^Element '[^']*', attribute '([^']*)'/.exec(error.message)?.[1];
}

/** The sentence for one report; to be called while libxml2 makes the report. */
function schemaWords(nodes: Nodes, outline: SchemaOutline, error: LibraryError): XmlProblem {
  const { code, node } = error;
  if (node === 0 || !nodes.isElement(node))
    return { kind: "XSD", line: error.line, text: `Line ${error.line}: ${cleaned(error)}` };
  const line = nodes.line(node);
  if (code === rootCode) return rootProblem(nodes, outline, node, line);
  const path = pathOf(nodes, node);
  const declared = outlineOf(nodes, outline, node)?.type;
  const attribute = attributeOf(error);
  if (isValueCode(code)) return valueProblem(nodes, error, { line, path, attribute, declared });
  if (attributeUnknownCodes.includes(code)) {
    const name = localName(attribute ?? error.text1);
    return schemaProblem(
      line,
      `${path}/@${name}`,
      `attribute '${name}' is not allowed here; ${allowedAttributes(declared)}`,
    );
  }
  if (code === attributeMissingCode) return schemaProblem(line, path, `attribute '${error.text1}' is missing`);
  if (code === textCode || code === emptyCode) return textProblem(nodes, error, line, path);
  if (elementsInSimpleCodes.includes(code)) return schemaProblem(line, path, "only text is allowed here, no elements");
  if (code === duplicateCode) return duplicateProblem(nodes, outline, error, line, path);
  if (code === contentCode) return schemaProblem(line, path, contentWords(nodes, error));
  return schemaProblem(line, attribute === undefined ? path : `${path}/@${localName(attribute)}`, cleaned(error));
}

function rootProblem(nodes: Nodes, outline: SchemaOutline, root: number, line: number): XmlProblem {
  const name = shown(nodes.name(root));
  const namespace = nodes.namespace(root);
  const found = namespace === "" ? `'${name}'` : `'${name}' of namespace '${shown(namespace)}'`;
  const expected = [...outline.roots.keys()].map((root) => `'${root}'`).join(" or ");
  const suffix = namespace === "" ? "" : " without namespace";
  return {
    kind: "XSD",
    line,
    path: name,
    text: `Line ${line}: the root element is ${found}; expected ${expected}${suffix}`,
  };
}

interface ValuePlace {
  readonly line: number;
  readonly path: string;
  readonly attribute: string | undefined;
  readonly declared: TypeOutline | undefined;
}

function valueProblem(nodes: Nodes, error: LibraryError, { line, path, attribute, declared }: ValuePlace): XmlProblem {
  const type = attribute === undefined ? declared : declared?.attributes.get(attribute);
  const noun = type?.noun ?? localName(/ type '([^']*)'/.exec(error.message)?.[1] ?? "value");
  const text =
    attribute === undefined ? nodes.text(error.node) : (nodes.attribute(error.node, attribute) ?? error.text1);
  const value = shown(text);
  const where = attribute === undefined ? path : `${path}/@${localName(attribute)}`;
  return schemaProblem(line, where, `'${value}' is not a valid ${noun}`, value);
}

/** Text where only elements are allowed, or any content where none is allowed. */
function textProblem(nodes: Nodes, error: LibraryError, line: number, path: string): XmlProblem {
  if (error.message.includes("Element content")) return schemaProblem(line, path, "no elements are allowed here");
  const value = shown(error.code === textCode ? nodes.text(error.node).trim() : nodes.text(error.node));
  const suffix = error.code === textCode ? ", only elements are" : ": the element must be empty";
  return schemaProblem(line, path, `text '${value}' is not allowed here${suffix}`, value);
}

function allowedAttributes(declared: TypeOutline | undefined): string {
  const names = declared === undefined ? [] : [...declared.attributes.keys()];
  return names.length === 0 ? "no attribute is" : `allowed: ${names.join(", ")}`;
}

/** xs:unique and xs:key: "Duplicate key-sequence ['A'] in unique identity-constraint 'u'". */
function duplicateProblem(
  nodes: Nodes,
  outline: SchemaOutline,
  error: LibraryError,
  line: number,
  path: string,
): XmlProblem {
  const value = shown(error.text1.replace(/^\['?/, "").replace(/'?\]$/, ""));
  const constraint = /'([^']*)'$/.exec(error.text2)?.[1] ?? "";
  const fields = (outline.uniqueFields.get(constraint) ?? [])
    .map((field) => field.replace(/^@/, ""))
    .filter((field) => field !== ".");
  const what = [nodes.name(error.node), fields.join(", ")].join(" ").trim();
  return schemaProblem(line, path, `${what} '${value}' appears twice`, value);
}

/**
 * The content of a parent that the outline does not support (a choice, a nested group): libxml2's expectation as a
 * sentence.
 */
function contentWords(nodes: Nodes, error: LibraryError): string {
  const list = / Expected is (?:one of )?\( (.*?) \)/.exec(error.message)?.[1];
  const names = list?.split(", ").map((name) => `'${name}'`) ?? [];
  const choice = names.length > 1 ? `one of ${names.join(", ")}` : names[0];
  if (error.message.includes("Missing child"))
    return choice === undefined
      ? "an element is missing"
      : `${names.length > 1 ? choice : `element ${choice}`} is missing`;
  const name = shown(nodes.name(error.node));
  return choice === undefined
    ? `element '${name}' is not allowed here`
    : `element '${name}' is not allowed here; expected ${choice}`;
}

/** libxml2's own message without the position, which the sentence already contains. */
function cleaned(error: LibraryError): string {
  const words = error.message
    .replace(/^Element '[^']*'(?:, attribute '[^']*')?: /, "")
    .replace(/\s+/g, " ")
    .replace(/\.$/, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** The last part of `xs:dateTime` and of `{http://…}lang`. */
function localName(name: string): string {
  return name.replace(/^\{.*\}/, "").replace(/^\w+:/, "");
}
