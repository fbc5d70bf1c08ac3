/** Text of a document as received, by the charset of its content type, or else of its XML declaration; default UTF-8. */
export function textOfDocument(bytes: ArrayBuffer, contentType: string): string {
  const begin = new TextDecoder("latin1").decode(bytes.slice(0, 200));
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(begin)?.[1];
  const named = /;\s*charset\s*=\s*"?([\w.-]+)/i.exec(contentType)?.[1];
  const mark = /^(?:\xff\xfe|\xfe\xff)/.exec(begin)?.[0];
  const marked = mark && (mark === "\xff\xfe" ? "utf-16le" : "utf-16be");
  return decoderOf(marked ?? named ?? declared ?? "utf-8").decode(bytes);
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/**
 * The text with the declaration of the charset in which the console sends it, so that a copy of it can be read as well.
 */
export const declaredUtf8 = (text: string): string =>
  text.replace(/^(<\?xml[^>]*\sencoding\s*=\s*)(["'])[\w.-]+\2/, "$1$2UTF-8$2");

/** A repeat of an order has its number with `-R1`, then `-R2`. */
export function repeatNumber(orderId: string): string {
  const [, begin = orderId, count = "0"] = /^(.*)-R(\d+)$/.exec(orderId) ?? [];
  return `${begin}-R${Number(count) + 1}`;
}

/** The text of an order document with another number of the order. */
export const renumbered = (text: string, from: string, to: string): string =>
  text.replace(/(<(?:[\w.-]+:)?orderId\s*>\s*)([^<]*?)(\s*<)/, (whole, begin: string, id: string, end: string) =>
    id === from ? `${begin}${to}${end}` : whole,
  );

/** The text of a sample with this client. */
export const withClient = (text: string, clientId: string): string =>
  text.replace(/(<(?:[\w.-]+:)?clientId\s*>)[^<]*/g, `$1${clientId}`);
