/**
 * Start of a formula for spreadsheets: after blanks and invisible characters, in any character width, also after a
 * separator.
 */
const formula = /(?<=^|[;\t\r\n])(?=[\s\p{C}]*[=+@\u2212-])|^(?=[\t\r\n])/gu;
const plainNumber = /^-\d+(\.\d+)?$/;

/**
 * Prefixes a cell with an apostrophe if a spreadsheet takes it, or a part of it after another separator, for a formula.
 */
export function quoted(text: string): string {
  const safe = plainNumber.test(text) ? text : withApostrophes(text);
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The full-width and small signs come from NFKC; each is one character before and after. */
function withApostrophes(text: string): string {
  const plain = text.replace(/[\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]/g, (sign) => sign.normalize("NFKC"));
  const places = [...plain.matchAll(formula)].map(({ index }) => index);
  return places.reduceRight((safe, place) => `${safe.slice(0, place)}'${safe.slice(place)}`, text);
}
