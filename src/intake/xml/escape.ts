/**
 * Escapes text for XML 1.0 (§2.2, §2.4). Characters that XML cannot represent become U+FFFD, so that an answer can
 * quote the sender's text and stay readable.
 */

const textSpecials = /[&<>\r]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const attributeSpecials = /[&<>"'\t\n\r]|[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const replacements: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/**
 * A string as the text of an element. A carriage return becomes a character reference; otherwise the reader sees a line
 * feed.
 */
export function escapeText(text: string): string {
  return text.replace(textSpecials, replacement);
}

/**
 * A string as the value of an attribute in either kind of quotes; white space other than blanks is kept as character
 * references.
 */
export function escapeAttribute(text: string): string {
  return text.replace(attributeSpecials, replacement);
}

function replacement(character: string): string {
  return replacements[character] ?? "\ufffd";
}
