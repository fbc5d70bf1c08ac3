import type { Nodes } from "./parse/nodes.ts";

/**
 * How an element becomes a value: one pass over libxml2's nodes, without a tree in between. A shape reads the parts
 * that it knows and skips the rest, so that it can also read the usable parts of an invalid document.
 */
export interface Shape<out T> {
  /** @param element a pointer to an element of libxml2's tree. */
  read(nodes: Nodes, element: number): T;
  /** Whether an element without attributes, elements and text counts as absent; the `text` shape has its own rule. */
  readonly skipsBare: boolean;
  /** The same declaration as data, for JSON bodies that become documents (`intake/json`). */
  readonly form: Form;
}

/** The parts of an element, by their names in XML. */
export type Form =
  | { readonly kind: "text" }
  /** `<attribute name="…">…</attribute>`, each name once. */
  | { readonly kind: "attributes" }
  /** The element itself repeats. */
  | { readonly kind: "many"; readonly item: Form }
  /** A list in a separate element. */
  | { readonly kind: "wrapped"; readonly childName: string; readonly item: Form }
  | {
      readonly kind: "element";
      readonly attributes: readonly string[];
      readonly children: Readonly<Record<string, Form>>;
      /** The property for its text. */
      readonly content: string | undefined;
    };

/** A child that may occur several times directly under its parent. */
export interface RepeatedShape<out T> extends Shape<T[]> {
  readonly item: Shape<T>;
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;

type Children = Readonly<Record<string, Shape<unknown>>>;
type RepeatedNames<C extends Children> = { [K in keyof C]: C[K] extends RepeatedShape<unknown> ? K : never }[keyof C];
type Flat<T> = { [K in keyof T]: T[K] } & {};
type ElementValue<A extends string, C extends Children, N extends string> = Flat<
  { readonly [K in A]?: string | undefined } & { readonly [K in N]?: string | undefined } & {
    readonly [K in RepeatedNames<C>]: ValueOf<C[K]>;
  } & { readonly [K in Exclude<keyof C, RepeatedNames<C>>]?: ValueOf<C[K]> | undefined }
>;

/**
 * The text of an element without white space at its ends, which serialisers add around CDATA and long values: CDATA is
 * joined, comments are skipped; `undefined` when empty.
 */
export const text: Shape<string | undefined> = {
  skipsBare: false,
  form: { kind: "text" },
  read: (nodes, element) => trimmed(nodes.text(element)) || undefined,
};

/** @returns the text without the white space of XML at its ends; other blanks, such as U+00A0, belong to a value. */
export function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--;
  while (from < to && text.charCodeAt(from) <= 0x20) from++;
  return to - from === text.length ? text : text.slice(from, to);
}

/** Attribute elements with a `name` and a text, as pairs in document order; `undefined` when there is none. */
export const attributeList: Shape<(readonly [name: string, value: string])[] | undefined> = {
  skipsBare: true,
  form: { kind: "attributes" },
  read(nodes, element) {
    const pairs: (readonly [string, string])[] = [];
    for (let child = nodes.firstChild(element); child !== 0; child = nodes.next(child)) {
      if (!nodes.isElement(child)) continue;
      const name = nodes.attribute(child, "name");
      if (name !== undefined) pairs.push([name, trimmed(nodes.text(child))]);
    }
    return pairs.length === 0 ? undefined : pairs;
  },
};

/** A child that repeats directly under its parent, in document order; the empty list when there is none. */
export function many<T>(item: Shape<T>): RepeatedShape<T> {
  const form: Form = { kind: "many", item: item.form };
  return { item, skipsBare: false, form, read: (nodes, element) => [item.read(nodes, element)] };
}

/**
 * Converts a value as soon as it is read. In a long list the parts of each item become garbage before the next item is
 * read, instead of living until the document ends.
 */
export function mapped<T, U>(shape: Shape<T>, make: (value: T) => U): Shape<U> {
  const { skipsBare, form } = shape;
  return { skipsBare, form, read: (nodes, element) => make(shape.read(nodes, element)) };
}

/** A list in a separate element, `<lines><line/></lines>`; `undefined` when there is no item. */
export function wrapped<T>(childName: string, item: Shape<T>): Shape<T[] | undefined> {
  return {
    skipsBare: true,
    form: { kind: "wrapped", childName, item: item.form },
    read(nodes, element) {
      const items: T[] = [];
      for (let child = nodes.firstChild(element); child !== 0; child = nodes.next(child)) {
        if (nodes.isElement(child) && !nodes.hasNamespace(child) && nodes.name(child) === childName) {
          items.push(item.read(nodes, child));
        }
      }
      return items.length === 0 ? undefined : items;
    },
  };
}

/**
 * An element with several parts, as an object with a property for each part that is present. An empty optional part
 * counts as absent (contract feeds.md §3). Of a duplicate part, which only an invalid document has, the first one
 * counts.
 *
 * @param spec.attributes names of XML attributes, each a property.
 * @param spec.children child elements by name, each a property.
 * @param spec.content the property for the element's own text.
 */
export function element<
  const A extends readonly string[] = readonly [],
  const C extends Children = Record<never, never>,
  const N extends string = never,
>(spec: {
  readonly attributes?: A;
  readonly children?: C;
  readonly content?: N;
}): Shape<ElementValue<A[number], C, N>> {
  const attributes = new Set<string>(spec.attributes);
  const children = new Map<string, Shape<unknown>>(Object.entries(spec.children ?? {}));
  const repeated = new Map<string, RepeatedShape<unknown>>();
  for (const [name, shape] of children) if (isRepeated(shape)) repeated.set(name, shape);
  const content: string | undefined = spec.content;

  function read(nodes: Nodes, element: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const name of repeated.keys()) value[name] = [];
    if (attributes.size > 0) {
      for (let attribute = nodes.firstAttribute(element); attribute !== 0; attribute = nodes.next(attribute)) {
        const name = nodes.name(attribute);
        if (!attributes.has(name) || nodes.hasNamespace(attribute)) continue;
        const part = trimmed(nodes.text(attribute));
        if (part !== "") value[name] = part;
      }
    }
    if (content !== undefined) {
      const part = trimmed(nodes.text(element));
      if (part !== "") value[content] = part;
    }
    if (children.size === 0) return value;
    for (let child = nodes.firstChild(element); child !== 0; child = nodes.next(child)) {
      if (!nodes.isElement(child)) continue;
      const name = nodes.name(child);
      const shape = children.get(name);
      if (shape === undefined || nodes.hasNamespace(child)) continue;
      const list = repeated.get(name);
      if (list !== undefined) {
        (value[name] as unknown[]).push(list.item.read(nodes, child));
        continue;
      }
      if (value[name] !== undefined || (shape.skipsBare && nodes.isBare(child))) continue;
      const part = shape.read(nodes, child);
      if (part !== undefined) value[name] = part;
    }
    return value;
  }

  // The loop above builds the value whose type is computed from the same spec; the compiler cannot follow names that
  // are data.
  const form: Form = {
    kind: "element",
    attributes: [...attributes],
    children: Object.fromEntries([...children].map(([name, shape]) => [name, shape.form])),
    content,
  };
  return { skipsBare: true, form, read: read as (nodes: Nodes, element: number) => ElementValue<A[number], C, N> };
}

function isRepeated(shape: Shape<unknown>): shape is RepeatedShape<unknown> {
  return "item" in shape;
}
