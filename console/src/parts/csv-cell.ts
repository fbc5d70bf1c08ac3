/** As spreadsheets see them: behind blanks and invisible characters, in any width. A separator may begin a cell as well. */
const formula = /(?<=^|[;\t\r\n])(?=[\s\p{C}]*[=+@\u2212-])|^(?=[\t\r\n])/gu;
const plainNumber = /^-\d+(\.\d+)?$/;

/** A cell that a spreadsheet would take for a formula, or a part of it where it splits lines elsewhere, gets an apostrophe. */
export function quoted(text: string): string {
  const safe = plainNumber.test(text) ? text : withApostrophes(text);
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The full-width and small signs are those of NFKC; each of them is one character before and after. */
function withApostrophes(text: string): string {
  const plain = text.replace(/[\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]/g, (sign) => sign.normalize("NFKC"));
  const places = [...plain.matchAll(formula)].map(({ index }) => index);
  return places.reduceRight((safe, place) => `${safe.slice(0, place)}'${safe.slice(place)}`, text);
}
