/**
 * Scans the content before the root element, before any parser runs. A document type declaration is refused without
 * parsing, so that no entity is ever declared. An empty body gets its own sentence.
 */

export type Prolog =
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
