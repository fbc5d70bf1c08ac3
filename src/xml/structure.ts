import type { Library } from "./library.ts";
import type { Nodes } from "./nodes.ts";
import type { ElementOutline, SchemaOutline, TypeOutline } from "./outline.ts";
import { pathOf } from "./path.ts";
import { ProblemList, schemaProblem } from "./problem.ts";

/**
 * Finds every element that is missing, unknown, surplus or out of order, and repairs the tree as it goes. libxml2 stops
 * looking at a parent's children after the first fault among them; after the repair it looks at all values.
 */
export interface StructureReport {
  readonly list: ProblemList;
  /** Parents whose children are dealt with here: libxml2's own reports on their content are superseded. */
  readonly parents: ReadonlySet<number>;
  /** Elements that the repair put in; what libxml2 says of them is of no interest. */
  readonly standIns: ReadonlySet<number>;
}

export function repairStructure(
  library: Library,
  outline: SchemaOutline,
  document: number,
  root: number,
): StructureReport {
  const repair = new StructureRepair(library, document);
  const declared = outline.roots.get(library.nodes.name(root));
  if (declared !== undefined) repair.check(root, declared.type);
  return repair;
}

/** A child element and what the schema says of it. */
interface Child {
  readonly node: number;
  readonly declared: ElementOutline;
}

class StructureRepair implements StructureReport {
  readonly list = new ProblemList();
  readonly parents = new Set<number>();
  readonly standIns = new Set<number>();
  readonly #library: Library;
  readonly #nodes: Nodes;
  readonly #document: number;

  constructor(library: Library, document: number) {
    this.#library = library;
    this.#nodes = library.nodes;
    this.#document = document;
  }

  /** Recursion is bounded by the parser's limit on depth. */
  check(parent: number, type: TypeOutline): void {
    if (type.compositor === "NONE") return;
    const children =
      type.compositor === "OPAQUE" ? this.#known(parent, type) : this.#checkChildren(parent, type, type.compositor);
    for (const child of children) this.check(child.node, child.declared.type);
  }

  #known(parent: number, type: TypeOutline): Child[] {
    return this.#elementsOf(parent).flatMap((node) => {
      const declared = this.#declared(node, type);
      return declared === undefined ? [] : [{ node, declared }];
    });
  }

  #checkChildren(parent: number, type: TypeOutline, compositor: "ALL" | "SEQUENCE"): Child[] {
    const kept: Child[] = [];
    const removed: number[] = [];
    const counts = new Map<ElementOutline, number>();
    for (const node of this.#elementsOf(parent)) {
      const declared = this.#declared(node, type);
      if (declared === undefined) {
        this.#add(parent, node, () => notAllowedWords(this.#nodes, node, type));
        removed.push(node);
        continue;
      }
      const count = (counts.get(declared) ?? 0) + 1;
      counts.set(declared, count);
      if (count <= declared.max) {
        kept.push({ node, declared });
        continue;
      }
      const times = declared.max === 1 ? "once" : `${declared.max} times`;
      this.#add(parent, node, () => `element '${declared.name}' appears more than ${times}`);
      removed.push(node);
    }
    const isLeftOut = type.isOptional && counts.size === 0;
    const missing = isLeftOut
      ? []
      : [...type.children.values()].filter((declared) => (counts.get(declared) ?? 0) < declared.min);
    for (const declared of missing) this.#add(parent, parent, () => `element '${declared.name}' is missing`);
    const isOutOfOrder = compositor === "SEQUENCE" && this.#checkOrder(parent, type, kept);
    for (const node of removed) this.#remove(node);
    if (compositor === "SEQUENCE" && (isOutOfOrder || missing.length > 0)) this.#reorder(parent, kept, missing, counts);
    return kept;
  }

  /** Names the elements that stand before or after one that ought to come first; each pair of places once. */
  #checkOrder(parent: number, type: TypeOutline, kept: readonly Child[]): boolean {
    const sequence = [...type.children.values()];
    const present = new Set(kept.map((child) => child.declared));
    const passed = new Set<ElementOutline>();
    const told = new Set<ElementOutline>();
    let place = 0;
    for (const { node, declared } of kept) {
      const due = sequence
        .slice(place, declared.index)
        .filter((other) => other.min > 0 && present.has(other) && !passed.has(other) && !told.has(other));
      const expected = declared.index < place && !told.has(declared) ? sequence[place] : due[0];
      if (expected !== undefined) {
        this.#add(parent, node, () => `element '${declared.name}' is out of order; expected '${expected.name}'`);
        for (const other of declared.index < place ? [declared] : due) told.add(other);
      }
      passed.add(declared);
      place = Math.max(place, declared.index);
    }
    return told.size > 0;
  }

  #add(parent: number, node: number, words: () => string): void {
    this.parents.add(parent);
    this.list.add(() => schemaProblem(this.#nodes.line(node), pathOf(this.#nodes, node), words()));
  }

  #remove(node: number): void {
    this.#library.raw._xmlUnlinkNode(node);
    this.#library.raw._xmlFreeNode(node);
  }

  /** Puts the children into the order of the sequence, with stand-ins for what is missing. */
  #reorder(
    parent: number,
    kept: readonly Child[],
    missing: readonly ElementOutline[],
    counts: Map<ElementOutline, number>,
  ): void {
    const { raw, nodes } = this.#library;
    const children = [...kept];
    for (const declared of missing) {
      for (let count = counts.get(declared) ?? 0; count < Math.min(declared.min, 100); count++) {
        const node = this.#library.withBytes(Buffer.from(declared.name), (name) =>
          raw._xmlNewDocNode(this.#document, 0, name, 0),
        );
        if (node === 0) throw new Error("libxml2 has no memory left for an element");
        this.standIns.add(node);
        children.push({ node, declared });
      }
    }
    children.sort((a, b) => a.declared.index - b.declared.index);
    for (const { node } of children) {
      raw._xmlUnlinkNode(node);
      raw._xmlAddChild(parent, node);
    }
    nodes.refresh();
  }

  #declared(node: number, type: TypeOutline): ElementOutline | undefined {
    return this.#nodes.hasNamespace(node) ? undefined : type.children.get(this.#nodes.name(node));
  }

  #elementsOf(parent: number): number[] {
    const elements: number[] = [];
    for (let node = this.#nodes.firstChild(parent); node !== 0; node = this.#nodes.next(node)) {
      if (this.#nodes.isElement(node)) elements.push(node);
    }
    return elements;
  }
}

function notAllowedWords(nodes: Nodes, node: number, type: TypeOutline): string {
  const namespace = nodes.namespace(node);
  const of = namespace === "" ? "" : ` of namespace '${namespace.slice(0, 60)}'`;
  return `element '${nodes.name(node).slice(0, 60)}'${of} is not allowed here; allowed: ${[...type.children.keys()].join(", ")}`;
}
