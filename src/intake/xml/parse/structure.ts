import { ProblemList, schemaProblem } from "#/intake/xml/problem.ts";
import type { Library } from "#/intake/xml/validation/library.ts";
import { type ElementOutline, pathOf, type SchemaOutline, type TypeOutline } from "#/intake/xml/validation/outline.ts";
import type { Nodes } from "./nodes.ts";

const standInsMax = 100;

export interface StructureReport {
  readonly list: ProblemList;
  /** Elements that the repair has inserted; reports of libxml2 about them are ignored. */
  readonly standIns: ReadonlySet<number>;
}

/**
 * Finds every element that is missing, unknown or surplus, and, if requested, repairs the tree at the same time. The
 * children of a sequence are in its order already (`rewrite.ts`). Without the repair, libxml2 stops at the first fault
 * among a parent's children; after it, libxml2 checks all values. The check stores nothing per element: a hostile
 * document has millions.
 */
export function checkStructure(
  library: Library,
  outline: SchemaOutline,
  document: number,
  root: number,
  { isRepairing }: { readonly isRepairing: boolean },
): StructureReport {
  const check = new StructureCheck(library, document, isRepairing);
  const declared = outline.roots.get(library.nodes.name(root));
  if (declared !== undefined) check.check(root, declared.type);
  return check;
}

/** Whether this module checks the children of such a parent, and libxml2's own reports are not used. */
export function isRepairable(type: TypeOutline | undefined): boolean {
  return type?.compositor === "ALL" || type?.compositor === "SEQUENCE";
}

const required = new WeakMap<TypeOutline, readonly ElementOutline[]>();

/** Cached, because it is needed for each element of a document, and few of a type's children are required. */
function requiredOf(type: TypeOutline): readonly ElementOutline[] {
  let found = required.get(type);
  if (!found) {
    found = [...type.children.values()].filter(({ min }) => min > 0);
    required.set(type, found);
  }
  return found;
}

type Counts = Map<ElementOutline, number>;

class StructureCheck implements StructureReport {
  readonly list = new ProblemList();
  readonly standIns = new Set<number>();
  readonly #library: Library;
  readonly #nodes: Nodes;
  readonly #document: number;
  readonly #isRepairing: boolean;

  constructor(library: Library, document: number, isRepairing: boolean) {
    this.#library = library;
    this.#nodes = library.nodes;
    this.#document = document;
    this.#isRepairing = isRepairing;
  }

  /** The parser's limit on depth bounds the recursion. */
  check(parent: number, type: TypeOutline): void {
    if (type.compositor === "NONE") return;
    if (isRepairable(type)) this.#checkChildren(parent, type);
    for (let node = this.#firstElement(parent); node !== 0; node = this.#nextElement(node)) {
      const declared = this.#declared(node, type);
      if (declared !== undefined && !this.standIns.has(node)) this.check(node, declared.type);
    }
  }

  #checkChildren(parent: number, type: TypeOutline): void {
    const counts: Counts = new Map();
    let isSurplus = false;
    for (let node = this.#firstElement(parent); node !== 0; node = this.#nextElement(node)) {
      const words = this.#faultOf(node, type, counts);
      if (words === undefined) continue;
      this.#add(node, words);
      isSurplus = true;
    }
    const isLeftOut = type.isOptional && counts.size === 0;
    const missing = isLeftOut ? [] : requiredOf(type).filter((declared) => (counts.get(declared) ?? 0) < declared.min);
    for (const declared of missing) this.#add(parent, () => `element '${declared.name}' is missing`);
    if (!this.#isRepairing) return;
    // The sentence about a sibling contains its number among elements of the same name, so the tree is changed only
    // after all sentences are written.
    if (isSurplus) this.#removeSurplus(parent, type);
    if (type.compositor === "SEQUENCE" && missing.length > 0) {
      for (const declared of missing) this.#addStandIns(parent, declared, counts.get(declared) ?? 0);
      this.#sort(parent, type);
    }
  }

  /** Counts a child, and returns why it is not allowed at this place. */
  #faultOf(node: number, type: TypeOutline, counts: Counts): (() => string) | undefined {
    const declared = this.#declared(node, type);
    if (declared === undefined) return () => notAllowedWords(this.#nodes, node, type);
    const count = (counts.get(declared) ?? 0) + 1;
    counts.set(declared, count);
    if (count <= declared.max) return undefined;
    return () =>
      `element '${declared.name}' appears more than ${declared.max === 1 ? "once" : `${declared.max} times`}`;
  }

  #add(node: number, words: () => string): void {
    this.list.add(() => schemaProblem(this.#nodes.line(node), pathOf(this.#nodes, node), words()));
  }

  #removeSurplus(parent: number, type: TypeOutline): void {
    const counts: Counts = new Map();
    for (let node = this.#firstElement(parent); node !== 0; ) {
      const next = this.#nextElement(node);
      if (this.#faultOf(node, type, counts) !== undefined) {
        this.#library.raw._xmlUnlinkNode(node);
        this.#library.raw._xmlFreeNode(node);
      }
      node = next;
    }
  }

  /** Inserts empty elements where some are missing; otherwise libxml2 checks no further. */
  #addStandIns(parent: number, declared: ElementOutline, present: number): void {
    const { raw } = this.#library;
    for (let count = present; count < Math.min(declared.min, standInsMax); count++) {
      const node = this.#library.withBytes(Buffer.from(declared.name), (name) =>
        raw._xmlNewDocNode(this.#document, 0, name, 0),
      );
      if (node === 0) throw new Error("libxml2 has no memory left for an element");
      this.standIns.add(node);
      raw._xmlAddChild(parent, node);
    }
    this.#nodes.refresh();
  }

  /** Sorts the children into the order of the sequence; elements of the same name keep their order. */
  #sort(parent: number, type: TypeOutline): void {
    const { raw } = this.#library;
    const places: number[][] = Array.from(type.children, () => []);
    for (let node = this.#firstElement(parent); node !== 0; node = this.#nextElement(node)) {
      const declared = this.#declared(node, type);
      if (declared !== undefined) places[declared.index]?.push(node);
    }
    for (const node of places.flat()) {
      raw._xmlUnlinkNode(node);
      raw._xmlAddChild(parent, node);
    }
  }

  #declared(node: number, type: TypeOutline): ElementOutline | undefined {
    return this.#nodes.hasNamespace(node) ? undefined : type.children.get(this.#nodes.name(node));
  }

  #firstElement(parent: number): number {
    const child = this.#nodes.firstChild(parent);
    return child === 0 || this.#nodes.isElement(child) ? child : this.#nextElement(child);
  }

  #nextElement(node: number): number {
    let next = this.#nodes.next(node);
    while (next !== 0 && !this.#nodes.isElement(next)) next = this.#nodes.next(next);
    return next;
  }
}

function notAllowedWords(nodes: Nodes, node: number, type: TypeOutline): string {
  const namespace = nodes.namespace(node);
  const of = namespace === "" ? "" : ` of namespace '${namespace.slice(0, 60)}'`;
  return `element '${nodes.name(node).slice(0, 60)}'${of} is not allowed here; allowed: ${[...type.children.keys()].join(", ")}`;
}
