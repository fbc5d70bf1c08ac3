import type { Nodes } from "#/intake/xml/parse/nodes.ts";

// Facts that libxml2's reports omit: the allowed children and attributes of a parent, and the name of each type. Read
// from the XSD when it is compiled, and used for sentences only: libxml2 decides whether a document is valid.

export interface ElementOutline {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Index in the parent's sequence, from 0. */
  readonly index: number;
  readonly type: TypeOutline;
}

export interface TypeOutline {
  /** A description of the type's values, `decimal: above 0`, from its xs:documentation; otherwise the type's name. */
  noun: string;
  /** The names of the simple types that a value may have: of a union its members, of a derived type its base too. */
  names: string[];
  /** `OPAQUE`: wildcards, choices and nested groups, whose faults are reported in libxml2's own words. */
  compositor: "ALL" | "SEQUENCE" | "NONE" | "OPAQUE";
  /** Whether all children may be absent together, whatever the declaration of each child requires. */
  isOptional: boolean;
  readonly children: Map<string, ElementOutline>;
  readonly attributes: Map<string, TypeOutline>;
}

export interface SchemaOutline {
  readonly roots: ReadonlyMap<string, ElementOutline>;
  /** The fields of each xs:unique and xs:key by its name, as `@name` or `sku`. */
  readonly uniqueFields: ReadonlyMap<string, readonly string[]>;
}

/** @param root the xs:schema element. */
export function readOutline(nodes: Nodes, root: number): SchemaOutline {
  return new OutlineReader(nodes, root).read();
}

class OutlineReader {
  readonly #nodes: Nodes;
  readonly #root: number;
  readonly #globals = new Map<string, number>();
  readonly #types = new Map<string, TypeOutline>();

  constructor(nodes: Nodes, root: number) {
    this.#nodes = nodes;
    this.#root = root;
    for (const child of this.#childrenOf(root)) {
      const name = nodes.attribute(child, "name");
      if (name !== undefined) this.#globals.set(`${this.#kind(child)} ${name}`, child);
    }
  }

  read(): SchemaOutline {
    const roots = new Map<string, ElementOutline>();
    for (const child of this.#childrenOf(this.#root, "element")) {
      const element = this.#element(child, 0);
      roots.set(element.name, element);
    }
    const uniqueFields = new Map<string, readonly string[]>();
    this.#readConstraints(this.#root, uniqueFields);
    return { roots, uniqueFields };
  }

  #element(node: number, index: number): ElementOutline {
    const nodes = this.#nodes;
    const target = this.#global("element", nodes.attribute(node, "ref")) ?? node;
    const typeName = nodes.attribute(target, "type");
    const inline = this.#first(target, "complexType") ?? this.#first(target, "simpleType");
    const max = nodes.attribute(node, "maxOccurs") ?? "1";
    return {
      name: nodes.attribute(target, "name") ?? "",
      min: Number(nodes.attribute(node, "minOccurs") ?? "1"),
      max: max === "unbounded" ? Number.POSITIVE_INFINITY : Number(max),
      index,
      type:
        typeName !== undefined
          ? this.#namedType(typeName)
          : inline !== undefined
            ? this.#type(inline, blankType("value"))
            : blankType("value"),
    };
  }

  #namedType(qualified: string): TypeOutline {
    const name = localName(qualified);
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const type = blankType(name);
    type.names.push(name);
    this.#types.set(name, type); // before its content is read: a type may contain itself
    const node = this.#global("complexType", qualified) ?? this.#global("simpleType", qualified);
    return node === undefined ? type : this.#type(node, type);
  }

  /** Fills a type from its definition. */
  #type(node: number, type: TypeOutline): TypeOutline {
    const documentation = this.#documentation(node);
    if (documentation !== undefined && this.#kind(node) === "simpleType") type.noun = documentation;
    else if (this.#kind(node) === "simpleType" && type.noun === "value") type.noun = this.#baseNoun(node);
    if (this.#kind(node) === "simpleType") type.names.push(...this.#memberNames(node));
    if (this.#kind(node) === "complexType") {
      if (this.#nodes.attribute(node, "mixed") === "true") type.compositor = "OPAQUE";
      this.#content(node, type);
    }
    return type;
  }

  #baseNoun(simpleType: number): string {
    const restriction = this.#first(simpleType, "restriction");
    const base = restriction === undefined ? undefined : this.#nodes.attribute(restriction, "base");
    return base === undefined ? "value" : this.#namedType(base).noun;
  }

  #memberNames(simpleType: number): string[] {
    const union = this.#first(simpleType, "union");
    const members = union === undefined ? undefined : this.#nodes.attribute(union, "memberTypes");
    return members?.split(/\s+/).flatMap((member) => this.#namedType(member).names) ?? [];
  }

  #content(node: number, type: TypeOutline): void {
    for (const child of this.#childrenOf(node)) {
      switch (this.#kind(child)) {
        case "all":
          this.#group(child, type, "ALL");
          break;
        case "sequence":
          this.#group(child, type, "SEQUENCE");
          break;
        case "choice":
        case "group":
          type.compositor = "OPAQUE";
          break;
        case "attribute":
          this.#attribute(child, type);
          break;
        case "attributeGroup":
        case "simpleContent":
        case "complexContent":
          this.#content(this.#global("attributeGroup", this.#nodes.attribute(child, "ref")) ?? child, type);
          break;
        case "extension":
        case "restriction":
          this.#derived(child, type);
          break;
      }
    }
  }

  #derived(node: number, type: TypeOutline): void {
    const base = this.#namedType(this.#nodes.attribute(node, "base") ?? "");
    if (base.children.size > 0) type.compositor = "OPAQUE";
    for (const [name, attribute] of base.attributes) type.attributes.set(name, attribute);
    type.noun = base.noun;
    type.names.push(...base.names);
    this.#content(node, type);
  }

  #group(node: number, type: TypeOutline, compositor: "ALL" | "SEQUENCE"): void {
    const isOnce = (this.#nodes.attribute(node, "maxOccurs") ?? "1") === "1";
    let isFlat = type.compositor === "NONE" && isOnce;
    type.isOptional = this.#nodes.attribute(node, "minOccurs") === "0";
    for (const child of this.#childrenOf(node)) {
      if (this.#kind(child) === "annotation") continue;
      if (this.#kind(child) === "element") {
        const element = this.#element(child, type.children.size);
        if (!type.children.has(element.name)) {
          type.children.set(element.name, element);
          continue;
        }
      }
      isFlat = false;
    }
    type.compositor = isFlat ? compositor : "OPAQUE";
  }

  #attribute(node: number, type: TypeOutline): void {
    const target = this.#global("attribute", this.#nodes.attribute(node, "ref")) ?? node;
    const name = this.#nodes.attribute(target, "name");
    if (name === undefined || this.#nodes.attribute(node, "use") === "prohibited") return;
    const typeName = this.#nodes.attribute(target, "type");
    const inline = this.#first(target, "simpleType");
    const named = typeName === undefined ? blankType("value") : this.#namedType(typeName);
    type.attributes.set(name, inline === undefined ? named : this.#type(inline, named));
  }

  #readConstraints(node: number, fields: Map<string, readonly string[]>): void {
    const kind = this.#kind(node);
    const name = this.#nodes.attribute(node, "name");
    if (name !== undefined && (kind === "unique" || kind === "key")) {
      fields.set(
        name,
        this.#childrenOf(node, "field").map((field) => this.#nodes.attribute(field, "xpath") ?? "."),
      );
      return;
    }
    for (const child of this.#childrenOf(node)) this.#readConstraints(child, fields);
  }

  #documentation(node: number): string | undefined {
    const annotation = this.#first(node, "annotation");
    const documentation = annotation === undefined ? undefined : this.#first(annotation, "documentation");
    if (documentation === undefined) return undefined;
    return this.#nodes.text(documentation).replace(/\s+/g, " ").trim() || undefined;
  }

  #global(kind: string, qualified: string | undefined): number | undefined {
    return qualified === undefined ? undefined : this.#globals.get(`${kind} ${localName(qualified)}`);
  }

  #first(node: number, kind: string): number | undefined {
    return this.#childrenOf(node, kind)[0];
  }

  #childrenOf(node: number, kind?: string): number[] {
    const children: number[] = [];
    for (let child = this.#nodes.firstChild(node); child !== 0; child = this.#nodes.next(child)) {
      if (this.#nodes.isElement(child) && (kind === undefined || this.#kind(child) === kind)) children.push(child);
    }
    return children;
  }

  #kind(node: number): string {
    return this.#nodes.name(node);
  }
}

function blankType(noun: string): TypeOutline {
  return { noun, names: [], compositor: "NONE", isOptional: false, children: new Map(), attributes: new Map() };
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(":") + 1);
}

/** The position of an element: from below the root, `lines/line[3]/qty`; for the root its own name. */
export function pathOf(nodes: Nodes, element: number): string {
  const steps: string[] = [];
  let node = element;
  for (let parent = nodes.parent(node); nodes.isElement(parent); parent = nodes.parent(node)) {
    steps.push(stepOf(nodes, node));
    node = parent;
  }
  return steps.length === 0 ? nodes.name(element) : steps.reverse().join("/");
}

/** The name, with a number only where there are several elements of the name. */
function stepOf(nodes: Nodes, element: number): string {
  const name = nodes.name(element);
  let before = 0;
  for (let node = nodes.previous(element); node !== 0; node = nodes.previous(node)) {
    if (nodes.isElement(node) && nodes.haveOneName(node, element)) before++;
  }
  if (before > 0) return `${name}[${before + 1}]`;
  for (let node = nodes.next(element); node !== 0; node = nodes.next(node)) {
    if (nodes.isElement(node) && nodes.haveOneName(node, element)) return `${name}[1]`;
  }
  return name;
}

/** The declaration of an element in the schema, found by the names from the root down. */
export function outlineOf(nodes: Nodes, outline: SchemaOutline, element: number): ElementOutline | undefined {
  const parent = nodes.parent(element);
  if (!nodes.isElement(parent)) return outline.roots.get(nodes.name(element));
  return outlineOf(nodes, outline, parent)?.type.children.get(nodes.name(element));
}
