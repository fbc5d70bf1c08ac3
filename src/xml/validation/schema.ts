import type { Parser } from "#/xml/parse/parser.ts";
import { checkStructure, isRepairable } from "#/xml/parse/structure.ts";
import { mergeByLine, ProblemList, type XmlProblem } from "#/xml/problem.ts";
import { errorLevel, type Library, type LibraryError } from "./library.ts";
import { readOutline, type SchemaOutline } from "./outline.ts";
import { outlineOf } from "./path.ts";
import type { Readings } from "./rewrite.ts";
import { causeOf, contentCode, isEcho, schemaWords } from "./schema-words.ts";

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
export type Verdict = { readonly isValid: true } | ({ readonly isValid: false } & Problems);

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
