// The XML of feeds: documents as objects, and acknowledgements read. No package, so that it also runs in browsers.

/** An element that was read. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text directly in the element. */
  readonly text: string;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

/**
 * Writes a document. Of an object `@name` is an attribute, `#text` the text, any other name a child, and a list the same
 * child several times. Null and undefined are left out.
 * @throws {TypeError} names the path of a value that XML cannot carry: a control character, NaN, an invalid date.
 */
export function writeXml(root: string, value: object): string {
  return `${declaration}\n${elementOf(root, value, root)}\n`;
}

function elementOf(name: string, value: unknown, path: string): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((part, i) => elementOf(name, part, `${path}[${i}]`)).join("");
  if (typeof value !== "object" || value instanceof Date) return `<${name}>${textOf(value, path)}</${name}>`;
  const parts = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  const attributes = parts
    .filter(([key]) => key.startsWith("@"))
    .map(([key, part]) => ` ${key.slice(1)}="${textOf(part, `${path}/${key}`).replace(/"/g, "&quot;")}"`);
  const content = parts
    .filter(([key]) => !key.startsWith("@"))
    .map(([key, part]) => (key === "#text" ? textOf(part, path) : elementOf(key, part, `${path}/${key}`)));
  return `<${name}${attributes.join("")}>${content.join("")}</${name}>`;
}

/** Letters that XML 1.0 does not have: most controls, halves of surrogate pairs, U+FFFE and U+FFFF. */
const impossible = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function textOf(value: unknown, path: string): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new TypeError(`${path} is an invalid date`);
    return value.toISOString();
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${path} is ${value}, which is no number of a document`);
    // Without an exponent, which a decimal of XSD does not have.
    return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 18 });
  }
  if (typeof value !== "string" && typeof value !== "boolean") throw new TypeError(`${path} is not a text`);
  const text = String(value);
  const code = impossible.exec(text)?.[0]?.codePointAt(0);
  if (code !== undefined) {
    throw new TypeError(`${path} has the character U+${code.toString(16).padStart(4, "0")}, which XML cannot carry`);
  }
  // A reader turns a bare carriage return into a line feed, and in attributes line feeds and tabs into blanks.
  return text.replace(/[&<>\r\n\t]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/gy;

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: Open[];
  text: string;
}

/**
 * Reads a document that Crossdock wrote: an acknowledgement or an outbound feed.
 * @throws {SyntaxError} names the place at which the text is not XML.
 */
export function readXml(text: string): XmlElement {
  const top: Open = { name: "", attributes: {}, children: [], text: "" };
  const path: Open[] = [top];
  token.lastIndex = text.startsWith("\ufeff") ? 1 : 0;
  while (token.lastIndex < text.length) {
    const { lastIndex: at } = token;
    const found = token.exec(text);
    const open = path.at(-1) as Open;
    if (found === null) throw new SyntaxError(`not XML at character ${at}: ${text.slice(at, at + 40)}`);
    const [, cdata, closed, opened, attributes = "", isEmpty, plain] = found;
    if (cdata !== undefined) open.text += cdata;
    else if (plain !== undefined) open.text += decoded(plain);
    else if (closed !== undefined) {
      if (path.length === 1 || open.name !== closed)
        throw new SyntaxError(`</${closed}> at character ${at} closes nothing`);
      path.pop();
    } else if (opened !== undefined) {
      const element: Open = { name: opened, attributes: attributesOf(attributes), children: [], text: "" };
      open.children.push(element);
      if (isEmpty === "") path.push(element);
    }
  }
  const [root] = top.children;
  if (path.length !== 1 || top.children.length !== 1 || root === undefined || top.text.trim() !== "") {
    throw new SyntaxError("the text is not one whole element");
  }
  return root;
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = "", double, single = ""]) => [
      name,
      decoded(double ?? single),
    ]),
  );

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex?: string, decimal?: string, name = "") => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return entities[name as string] ?? whole;
  });

/** The text of a child; undefined where there is none. */
export const childText = ({ children }: XmlElement, name: string): string | undefined =>
  children.find((child) => child.name === name)?.text.trim();
