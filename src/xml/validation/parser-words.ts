import type { LibraryError } from "./library.ts";

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
export function parserWords(error: LibraryError): string {
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
