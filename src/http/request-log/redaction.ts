// Secrets that a sender puts into an address or a body do not reach the request log. Names decide, after they are decoded.
import { redacted } from "#/kernel/telemetry/log.ts";

/** Parts of folded names: `X-Api-Key`, `apikey`, `client_secret`, `accessToken`. */
const secretPart = /key|secret|token|passw|passphrase|authorization|credential|signature|cookie|jwt|bearer|cardnumber/;
const secretNames: ReadonlySet<string> = new Set(["auth", "pass", "pwd", "pin", "sig", "sid", "session", "sessionid"]);

function isSecret(name: string): boolean {
  const folded = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return secretPart.test(folded) || secretNames.has(folded);
}

/** An address in a parameter is encoded once more, and one in that again. */
const decodingsMax = 4;

/** Where percent codes are not valid, what is left of them. */
function decoded(text: string): string {
  let plain = text.replaceAll("+", " ");
  for (let i = 0; i < decodingsMax && plain.includes("%"); i++) {
    const next = plain.replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
      Buffer.from(codes.replaceAll("%", ""), "hex").toString(),
    );
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Whether a value has parameters, as an address does, and one of them has the name of a secret. */
function holdsSecret(value: string): boolean {
  return decoded(value)
    .split(/[?&;#]/)
    .some((part) => part.includes("=") && isSecret(part.slice(0, part.indexOf("="))));
}

/** The text after the question mark; parameters are separated by `&` or `;`. */
export function redactQuery(query: string): string {
  return query
    .split(/([&;])/)
    .map((part) => {
      const at = part.indexOf("=");
      // An encoded `=` belongs to the name for this server, and is one for another.
      if (at === -1) return holdsSecret(part) ? redacted : part;
      const [name, value] = [part.slice(0, at), part.slice(at + 1)];
      return isSecret(decoded(name)) || holdsSecret(value) ? `${name}=${redacted}` : part;
    })
    .join("");
}

/** A path may have parameters after a semicolon. */
export function redactPath(path: string): string {
  const at = path.search(/;|%3b/i);
  if (at === -1) return path;
  return path.slice(0, at) + redactQuery(path.slice(at));
}

/**
 * JSON with the values of secret fields replaced, at any depth. The text may be cut at its end, or not be JSON: what looks
 * like a field is one. Linear in the text.
 */
export function redactBody(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    if (text[at] !== '"') {
      at++;
      continue;
    }
    const end = endOfString(text, at);
    const name = unescaped(text.slice(at + 1, end - 1));
    at = end;
    const colon = skipBlanks(text, end);
    if (text[colon] !== ":" || !isSecret(name)) continue;
    const value = skipBlanks(text, colon + 1);
    kept.push(text.slice(from, value), JSON.stringify(redacted));
    at = endOfValue(text, value);
    from = at;
  }
  kept.push(text.slice(from));
  return kept.join("");
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] as string)) at++;
  return at;
}

/** The place after the closing quotation mark of the string that begins here. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return Math.min(text.length, at + 1);
}

function endOfValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  while (at < text.length) {
    const sign = text[at] as string;
    if (sign === '"') at = endOfString(text, at);
    else if ((sign === "," || sign === "}" || sign === "]") && depth === 0) return at;
    else {
      if (sign === "{" || sign === "[") depth++;
      if (sign === "}" || sign === "]") depth--;
      at++;
    }
    if (depth === 0 && (sign === '"' || sign === "}" || sign === "]")) return at;
  }
  return at;
}

/** A name may have escapes, such as `\u0070assword`. */
function unescaped(name: string): string {
  return name.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
