import { ProblemList, unreadable, type XmlFailure } from "#/intake/xml/problem.ts";
import { errorLevel, type Library, type LibraryError } from "#/intake/xml/validation/library.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

// Parses bytes to a libxml2 document, within bounds: no document type declaration, at most 64 levels, no network
// access.

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

// Scans the content before the root element, before any parser runs. A document type declaration is refused without
// parsing, so that no entity is ever declared. An empty body gets its own sentence.

type Prolog =
  | { readonly kind: "ELEMENT" }
  | { readonly kind: "EMPTY" }
  | { readonly kind: "DOCTYPE"; readonly line: number };

const doctype = Buffer.from("<!DOCTYPE", "latin1");

/**
 * @param bytes UTF-8 without byte order mark. A prolog that is not well formed counts as `ELEMENT`: the parser reports
 * it.
 */
export function scanProlog(bytes: Uint8Array): Prolog {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let onlyBlanks = true;
  for (;;) {
    while (isBlank(buffer[at])) at++;
    if (at >= buffer.length) return { kind: onlyBlanks ? "EMPTY" : "ELEMENT" };
    if (buffer[at] !== 0x3c) return { kind: "ELEMENT" };
    const end = endOfMisc(buffer, at);
    if (end > 0) {
      at = end;
      onlyBlanks = false;
      continue;
    }
    const isDoctype = buffer.subarray(at, at + doctype.length).equals(doctype);
    return isDoctype ? { kind: "DOCTYPE", line: lineAt(buffer, at) } : { kind: "ELEMENT" };
  }
}

/** The end of the comment or processing instruction that starts here; 0 when none starts here, or it never ends. */
function endOfMisc(buffer: Buffer, at: number): number {
  if (buffer[at + 1] === 0x3f) return endOf(buffer, "?>", at + 2);
  if (buffer[at + 1] === 0x21 && buffer[at + 2] === 0x2d && buffer[at + 3] === 0x2d)
    return endOf(buffer, "-->", at + 4);
  return 0;
}

function endOf(buffer: Buffer, mark: string, from: number): number {
  const found = buffer.indexOf(mark, from, "latin1");
  return found < 0 ? 0 : found + mark.length;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function lineAt(buffer: Buffer, end: number): number {
  let line = 1;
  for (let at = buffer.indexOf(0x0a); at >= 0 && at < end; at = buffer.indexOf(0x0a, at + 1)) line++;
  return line;
}

const tooLong = "a text, an attribute or a comment is longer than 10 000 000 bytes without an element in between";

/**
 * Translates libxml2's reports on documents that are not well formed, by its error codes (xmlerror.h), into readable
 * sentences.
 */
const wordsByCode: Readonly<Record<number, (error: LibraryError) => string>> = {
  4: () => "the root element is missing: '<' expected",
  5: () => "there is content after the end of the root element",
  9: (error) => `the character U+${error.number.toString(16).toUpperCase().padStart(4, "0")} is not allowed in XML`,
  23: () => "a reference that begins with '&' does not end with ';' ('&' itself is written &amp;)",
  26: (error) => `the entity '&${error.text1};' is not defined; only &amp; &lt; &gt; &quot; &apos; are`,
  38: () => "'<' within an attribute value must be written &lt;",
  39: () => "an attribute value must be in quotes",
  40: () => "an attribute value is not closed by its quote",
  41: (error) => `the attribute '${error.text1}' has no value`,
  42: (error) => `the attribute '${error.text1}' appears twice in one element`,
  45: (error) => (error.message.includes("too big") ? tooLong : "a comment is not closed by '-->'"),
  46: () => "'<?' is not followed by a name",
  47: () => "a processing instruction is not closed by '?>'",
  62: () => "']]>' is not allowed in text: write ]]&gt;",
  63: () => "a CDATA section is not closed by ']]>'",
  64: () => "an XML declaration may stand only at the very start of the document",
  65: blankMissing,
  68: (error) =>
    error.message.includes("EntityRef")
      ? "'&' must be written &amp;"
      : "'<' is not followed by the name of an element: write &lt;",
  73: (error) =>
    error.text1 === ""
      ? "a start tag is not closed by '>'"
      : `the start tag of the element '${error.text1}' in line ${error.number} is not closed by '>'`,
  76: (error) => `the element '${error.text1}' opened in line ${error.number} is not closed: '</${error.text2}>' found`,
  77: (error) => `the element '${error.text1}' opened in line ${error.number} is not closed: the document ends`,
  80: () => "'--' is not allowed within a comment",
  // With the default options, XML_MAX_NAME_LENGTH and XML_MAX_TEXT_LENGTH apply (parserInternals.h).
  110: () => "a name is longer than 50 000 bytes",
  114: () => tooLong,
  201: (error) => `the namespace prefix '${error.text1}' is not declared`,
  202: (error) => `'${error.text1}' is not a valid name`,
  203: (error) => `the attribute '${error.text1}' appears twice in one element`,
};

function blankMissing(error: LibraryError): string {
  if (error.message.startsWith("attributes")) return "a blank or '>' is missing after an attribute";
  if (error.text1 !== "") return `a blank is missing after '<?${error.text1}'`;
  return "a blank is missing";
}

/** The sentence for one report, with line and column. */
function parserWords(error: LibraryError): string {
  const words = wordsByCode[error.code]?.(error) ?? cleaned(error);
  return `Line ${error.line}, column ${error.column}: ${words}`;
}

/** libxml2's own message without the name of its function and its line breaks. */
function cleaned(error: LibraryError): string {
  const message = error.message
    .replace(/^(?:xml)?[A-Z]\w*: /, "")
    .replace(/^xmlParse\w*: /, "")
    .replace(/\s+/g, " ")
    .trim();
  return message === "" ? "the document is not well formed" : message.charAt(0).toLowerCase() + message.slice(1);
}
