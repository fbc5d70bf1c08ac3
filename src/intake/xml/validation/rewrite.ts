import type { Nodes } from "#/intake/xml/parse/nodes.ts";
import { shown } from "#/intake/xml/problem.ts";
import { trimmed } from "#/intake/xml/shape.ts";
import type { Library } from "./library.ts";
import { type ElementOutline, pathOf, type SchemaOutline, type TypeOutline } from "./outline.ts";

// Other forms of a value that mean the same as one that the XSD allows. A document that its XSD refuses is rewritten to
// the forms of the XSD and validated again, so a document in the published form pays nothing for the others
// (docs/decisions/0051-other-forms.md).

/** The value in the form of the XSD; undefined where it is none. A note tells what a value has lost. */
export interface ReadForm {
  readonly text: string;
  /** Follows the value in a sentence: `'1.23456' has more than 4 fraction digits; 1.2346 is taken`. */
  readonly note?: string;
}

/** By the name of a simple type of the XSD. The text has no white space at its ends and is not empty. */
export type Readings = ReadonlyMap<string, (text: string) => ReadForm | undefined>;

export interface Rewriting {
  /** Whether the document is another one now. */
  readonly isChanged: boolean;
  /** At most one hundred sentences about values that are not taken as sent. */
  readonly notes: readonly string[];
}

const notesMax = 100;
const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";

/** Rewrites white space around values, xsi:nil of empty elements, the order of a root's children, and other forms. */
export function rewrite(
  library: Library,
  outline: SchemaOutline,
  readings: Readings,
  document: number,
  root: number,
): Rewriting {
  const rewriter = new Rewriter(library, readings, document);
  const declared = outline.roots.get(library.nodes.name(root));
  if (declared !== undefined && !library.nodes.hasNamespace(root)) rewriter.rewrite(root, declared.type);
  library.nodes.refresh();
  return rewriter;
}

class Rewriter implements Rewriting {
  isChanged = false;
  readonly notes: string[] = [];
  readonly #library: Library;
  readonly #nodes: Nodes;
  readonly #readings: Readings;
  readonly #document: number;

  constructor(library: Library, readings: Readings, document: number) {
    this.#library = library;
    this.#nodes = library.nodes;
    this.#readings = readings;
    this.#document = document;
  }

  /** The parser's limit on depth bounds the recursion. */
  rewrite(element: number, type: TypeOutline): void {
    const nodes = this.#nodes;
    let hasElements = false;
    for (let child = nodes.firstChild(element); child !== 0; child = nodes.next(child)) {
      if (!nodes.isElement(child)) continue;
      hasElements = true;
      const declared = nodes.hasNamespace(child) ? undefined : type.children.get(nodes.name(child));
      if (declared !== undefined) this.rewrite(child, declared.type);
    }
    this.#rewriteAttributes(element, type, hasElements);
    if (hasElements) this.#orderChildren(element, type);
    else if (type.compositor === "NONE") this.#rewriteText(element, type);
  }

  #rewriteText(element: number, type: TypeOutline): void {
    const sent = this.#nodes.text(element);
    const read = this.#read(sent, type, () => pathOf(this.#nodes, element), element);
    if (read === sent) return;
    const { raw } = this.#library;
    for (let child = this.#nodes.firstChild(element); child !== 0; child = this.#nodes.firstChild(element)) {
      raw._xmlUnlinkNode(child);
      raw._xmlFreeNode(child);
    }
    const bytes = Buffer.from(read);
    const node = this.#library.withBytes(bytes, (text) => raw._xmlNewDocTextLen(this.#document, text, bytes.length));
    this.#appended(raw._xmlAddChild(element, node));
  }

  #rewriteAttributes(element: number, type: TypeOutline, hasElements: boolean): void {
    const nodes = this.#nodes;
    for (let attribute = nodes.firstAttribute(element); attribute !== 0; ) {
      const next = nodes.next(attribute);
      const name = nodes.name(attribute);
      if (nodes.hasNamespace(attribute)) {
        if (name === "nil" && nodes.namespace(attribute) === instanceNamespace)
          this.#dropNil(element, attribute, hasElements);
      } else {
        const declared = type.attributes.get(name);
        if (declared !== undefined) this.#rewriteAttribute(element, attribute, name, declared);
      }
      attribute = next;
    }
  }

  #rewriteAttribute(element: number, attribute: number, name: string, type: TypeOutline): void {
    const sent = this.#nodes.text(attribute);
    const read = this.#read(sent, type, () => `${pathOf(this.#nodes, element)}/@${name}`, element);
    if (read === sent) return;
    const set = this.#library.withBytes(Buffer.from(name), (nameBytes) =>
      this.#library.withBytes(Buffer.from(read), (text) =>
        this.#library.raw._xmlSetNsProp(element, 0, nameBytes, text),
      ),
    );
    this.#appended(set);
  }

  /** `xsi:nil` says of an empty element that it is absent, which an empty element is anyway. */
  #dropNil(element: number, attribute: number, hasElements: boolean): void {
    const isNil = ["true", "1"].includes(trimmed(this.#nodes.text(attribute)));
    if (isNil && (hasElements || trimmed(this.#nodes.text(element)) !== "")) return;
    this.#library.raw._xmlRemoveProp(attribute);
    this.isChanged = true;
  }

  /** Moves the children that occur once before those that repeat at the end, each in its place. */
  #orderChildren(parent: number, type: TypeOutline): void {
    const nodes = this.#nodes;
    const declarations = [...type.children.values()];
    if (type.compositor !== "SEQUENCE" || declarations.slice(0, -1).some(({ max }) => max !== 1)) return;
    const [single, places]: [number[], ElementOutline[]] = [[], []];
    let repeated = 0;
    let isOrdered = true;
    for (let child = nodes.firstChild(parent); child !== 0; child = nodes.next(child)) {
      const declared =
        nodes.isElement(child) && !nodes.hasNamespace(child) ? type.children.get(nodes.name(child)) : undefined;
      if (declared === undefined) continue;
      if (declared.max === 1) {
        isOrdered &&= repeated === 0 && declared.index >= (places.at(-1)?.index ?? 0);
        single.push(child);
        places.push(declared);
      } else repeated ||= child;
    }
    if (isOrdered || repeated === 0) return;
    const order = single.map((node, i) => ({ node, index: places[i]?.index ?? 0 }));
    for (const { node } of order.sort((left, right) => left.index - right.index)) {
      this.#library.raw._xmlUnlinkNode(node);
      this.#library.raw._xmlAddPrevSibling(repeated, node);
    }
    this.isChanged = true;
  }

  /** The value in the form of the XSD. */
  #read(sent: string, { names }: TypeOutline, path: () => string, element: number): string {
    const text = trimmed(sent);
    const reading = text === "" ? undefined : names.map((name) => this.#readings.get(name)).find((found) => found);
    const read = reading?.(text);
    if (read?.note !== undefined && this.notes.length < notesMax)
      this.notes.push(`Line ${this.#nodes.line(element)}: ${path()}: '${shown(text)}' ${read.note}`);
    return read?.text ?? text;
  }

  #appended(node: number): void {
    if (node === 0) throw new Error("libxml2 has no memory left for a value");
    this.#nodes.refresh();
    this.isChanged = true;
  }
}
