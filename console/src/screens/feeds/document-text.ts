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
