import type { LibXml2 } from "libxml2-wasm/lib/libxml2raw.mjs";

/**
 * libxml2's node tree, read directly from wasm memory. Nodes are pointers (0: none). The word offsets are those of
 * libxml2-wasm 0.7.2 on wasm32 and not a public contract: the self-test checks each at start-up.
 */
const nodeType = { element: 1, attribute: 2, text: 3, cdata: 4 } as const;

// 32-bit word offsets in struct _xmlNode; _xmlAttr shares all up to `namespace`.
const at = {
  type: 1,
  name: 2,
  children: 3,
  parent: 5,
  next: 6,
  previous: 7,
  namespace: 9,
  content: 10,
  attributes: 11,
  psvi: 13,
  line: 14,
} as const;
const namespaceHref = 2;
const lineUnknown = 65_535; // the line field has 16 bits; beyond, text nodes carry their line in `psvi` (XML_PARSE_BIG_LINES)

/**
 * The slice functions on which Node's decoders are built; `toString` with the name of an encoding costs twice as much
 * on short strings.
 */
interface SliceableBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

export class Nodes {
  readonly #library: LibXml2;
  #names = new Map<number, string>();
  #bytes: Uint8Array = new Uint8Array(0);
  #buffer = Buffer.alloc(0) as Buffer as SliceableBuffer;
  words: Int32Array = new Int32Array(0);

  constructor(library: LibXml2) {
    this.#library = library;
    this.refresh();
  }

  /** To be called after every call into libxml2: when its memory grows, the old views become invalid. */
  refresh(): void {
    if (this.#bytes === this.#library.HEAPU8) return;
    this.#bytes = this.#library.HEAPU8;
    this.words = this.#library.HEAP32;
    this.#buffer = Buffer.from(this.#bytes.buffer, 0, this.#bytes.length) as Buffer as SliceableBuffer;
  }

  /** To be called when the parser's dictionary is new: a pointer may refer to another name now. */
  forgetNames(): void {
    this.#names = new Map();
  }

  isElement(node: number): boolean {
    return this.words[(node >> 2) + at.type] === nodeType.element;
  }

  isText(node: number): boolean {
    const type = this.words[(node >> 2) + at.type];
    return type === nodeType.text || type === nodeType.cdata;
  }

  firstChild(node: number): number {
    return this.words[(node >> 2) + at.children] as number;
  }

  next(node: number): number {
    return this.words[(node >> 2) + at.next] as number;
  }

  previous(node: number): number {
    return this.words[(node >> 2) + at.previous] as number;
  }

  parent(node: number): number {
    return this.words[(node >> 2) + at.parent] as number;
  }

  /** The first attribute of an element; the others follow by `next`. */
  firstAttribute(element: number): number {
    return this.words[(element >> 2) + at.attributes] as number;
  }

  hasNamespace(node: number): boolean {
    return this.words[(node >> 2) + at.namespace] !== 0;
  }

  /** The namespace's name, or the empty string. */
  namespace(node: number): string {
    const namespace = this.words[(node >> 2) + at.namespace] as number;
    return namespace === 0 ? "" : this.string(this.words[(namespace >> 2) + namespaceHref] as number);
  }

  /** The local name. libxml2 keeps one copy of each name, so one string per pointer is enough. */
  name(node: number): string {
    const pointer = this.words[(node >> 2) + at.name] as number;
    let name = this.#names.get(pointer);
    if (name === undefined) {
      name = this.string(pointer);
      this.#names.set(pointer, name);
    }
    return name;
  }

  /** Whether two nodes of one document have the same name: the parser keeps each name once. */
  haveOneName(node: number, other: number): boolean {
    return this.words[(node >> 2) + at.name] === this.words[(other >> 2) + at.name];
  }

  /**
   * The literal text of an element, or the value of an attribute: CDATA is joined, comments and child elements are
   * omitted.
   */
  text(node: number): string {
    let text = "";
    for (let child = this.firstChild(node); child !== 0; child = this.next(child)) {
      if (this.isText(child)) text += this.string(this.words[(child >> 2) + at.content] as number);
    }
    return text;
  }

  /** The value of an attribute without namespace. */
  attribute(element: number, name: string): string | undefined {
    for (let attribute = this.firstAttribute(element); attribute !== 0; attribute = this.next(attribute)) {
      if (!this.hasNamespace(attribute) && this.name(attribute) === name) return this.text(attribute);
    }
    return undefined;
  }

  /** Whether an element is empty: no attribute, no element, no text but white space. */
  isBare(element: number): boolean {
    if (this.firstAttribute(element) !== 0) return false;
    for (let child = this.firstChild(element); child !== 0; child = this.next(child)) {
      if (this.isElement(child)) return false;
    }
    return this.firstChild(element) === 0 || this.text(element).trim() === "";
  }

  /**
   * The line on which the element's start tag ends, from 1. Exact up to 65,534; beyond that, derived from the text
   * around the element.
   */
  line(node: number): number {
    const line = this.#storedLine(node);
    if (line !== lineUnknown) return line;
    const before = this.previous(node);
    if (before !== 0 && this.isText(before)) return this.#bigLine(before);
    const inside = this.firstChild(node);
    if (inside !== 0 && this.isText(inside)) return this.#startOfText(inside);
    const after = this.next(node);
    if (inside === 0 && after !== 0 && this.isText(after)) return this.#startOfText(after);
    return this.parent(node) === 0 || !this.isElement(this.parent(node)) ? line : this.line(this.parent(node));
  }

  #storedLine(node: number): number {
    return (this.words[(node >> 2) + at.line] as number) & 0xffff;
  }

  /** The line on which a text ends. */
  #bigLine(text: number): number {
    return this.#storedLine(text) === lineUnknown
      ? (this.words[(text >> 2) + at.psvi] as number)
      : this.#storedLine(text);
  }

  #startOfText(text: number): number {
    const content = this.string(this.words[(text >> 2) + at.content] as number);
    return this.#bigLine(text) - (content.split("\n").length - 1);
  }

  /** A zero-terminated UTF-8 string of wasm memory. */
  string(pointer: number): string {
    const bytes = this.#bytes;
    let end = pointer;
    let bits = 0;
    for (let byte = bytes[end] as number; byte !== 0; byte = bytes[++end] as number) bits |= byte;
    return bits < 128 ? this.#buffer.latin1Slice(pointer, end) : this.#buffer.utf8Slice(pointer, end);
  }
}
