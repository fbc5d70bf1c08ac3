import { ok, type Result, refused } from "#/kernel/result.ts";
import { ProblemList, unreadable, type XmlFailure } from "#/xml/problem.ts";
import { errorLevel, type Library } from "#/xml/validation/library.ts";
import { parserWords } from "#/xml/validation/parser-words.ts";
import { scanProlog } from "./prolog.ts";

/**
 * Parses bytes to a libxml2 document, within bounds: no document type declaration, at most 64 levels, no network
 * access.
 */

const levelsMax = 64;
// The dictionary of a parser keeps every name that it has seen: a parser is replaced after this much work.
const parsesMax = 1000;
const parsedBytesMax = 8 * 1024 * 1024;

// XML_PARSE_* of libxml2. Never NOENT, DTDLOAD, DTDATTR, DTDVALID, XINCLUDE, HUGE or RECOVER.
const options = {
  noNetwork: 1 << 11,
  cdataAsText: 1 << 14,
  compact: 1 << 16,
  bigLines: 1 << 22,
  noExternalEntities: 1 << 23,
  noSystemCatalog: 1 << 25,
} as const;
const optionBits = Object.values(options).reduce((bits, bit) => bits | bit, 0);

const resourceLimit = 114; // XML_ERR_RESOURCE_LIMIT

export interface Parser {
  /** @returns a document, to be freed by the caller. */
  parse(utf8: Uint8Array): Result<number, XmlFailure<never>>;
}

export function createParser(library: Library): Parser {
  const { raw, nodes } = library;
  const encodingName = raw._malloc(6);
  raw.stringToUTF8("UTF-8", encodingName, 6);
  let context = 0;
  let parses = 0;
  let parsedBytes = 0;

  function renew(): void {
    if (context !== 0) raw._xmlFreeParserCtxt(context);
    context = raw._xmlNewParserCtxt();
    if (context === 0) throw new Error("libxml2 has no memory left for a parser");
    raw._xmlCtxtSetErrorHandler(context, library.errorFunction, 0);
    nodes.forgetNames();
    parses = 0;
    parsedBytes = 0;
  }

  function read(utf8: Uint8Array): Result<number, XmlFailure<never>> {
    const list = new ProblemList();
    let lastPlace = "";
    const document = library.collect(
      (error) => {
        if (error.level < errorLevel) return;
        // At one place the first report is the cause and the others are its consequences.
        const place = `${error.line}:${error.column}`;
        if (place === lastPlace) return;
        lastPlace = place;
        list.add(() => {
          const tooDeep = error.code === resourceLimit && error.message.includes("depth");
          return { kind: "XML", line: error.line, text: tooDeep ? tooDeepWords(error.line) : parserWords(error) };
        });
      },
      () =>
        library.withBytes(utf8, (bytes) =>
          raw._xmlCtxtReadMemory(context, bytes, utf8.length, 0, encodingName, optionBits),
        ),
    );
    if (document !== 0 && lastPlace === "") return ok(document);
    if (document !== 0) raw._xmlFreeDoc(document);
    if (lastPlace === "") return refused(unreadable({ text: "The document is not well formed" }));
    return refused({ kind: "XML", problems: list.problems, omitted: list.omitted, partial: undefined });
  }

  /** The first element below level 64, or 0. Iterative, because its input may be too deep for recursion. */
  function firstTooDeep(root: number): number {
    let level = 1;
    let node = root;
    for (;;) {
      if (nodes.isElement(node)) {
        if (level > levelsMax) return node;
        const child = nodes.firstChild(node);
        if (child !== 0) {
          node = child;
          level++;
          continue;
        }
      }
      while (nodes.next(node) === 0 || level === 1) {
        if (level === 1) return 0;
        node = nodes.parent(node);
        level--;
      }
      node = nodes.next(node);
    }
  }

  function faultOf(document: number): XmlFailure<never> | undefined {
    // The prolog scan has refused it already; if the two ever disagree, libxml2's own result counts.
    if (raw._xmlGetIntSubset(document) !== 0) return doctypeFailure(undefined);
    const root = raw._xmlDocGetRootElement(document);
    nodes.refresh();
    const deep = firstTooDeep(root);
    if (deep === 0) return undefined;
    const line = nodes.line(deep);
    return unreadable({ line, text: tooDeepWords(line) });
  }

  renew();
  return {
    parse(utf8) {
      const prolog = scanProlog(utf8);
      if (prolog.kind === "EMPTY") return refused(unreadable({ text: "The document is empty" }));
      if (prolog.kind === "DOCTYPE") return refused(doctypeFailure(prolog.line));
      if (parses >= parsesMax || parsedBytes > parsedBytesMax) renew();
      parses++;
      parsedBytes += utf8.length;
      const parsed = read(utf8);
      if (!parsed.ok) return parsed;
      const fault = faultOf(parsed.value);
      if (fault === undefined) return parsed;
      raw._xmlFreeDoc(parsed.value);
      return refused(fault);
    },
  };
}

function tooDeepWords(line: number): string {
  return `nesting over ${levelsMax} at line ${line}`;
}

function doctypeFailure(line: number | undefined): XmlFailure<never> {
  const words = "a document type declaration (DTD) is not allowed";
  return line === undefined
    ? unreadable({ text: `The document has ${words}` })
    : unreadable({ line, text: `Line ${line}: ${words}` });
}
