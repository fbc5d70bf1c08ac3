import type { Nodes } from "#/xml/parse/nodes.ts";
import type { ElementOutline, SchemaOutline } from "./outline.ts";

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
