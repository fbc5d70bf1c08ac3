import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "./source.ts";

/** A text of a source: a string, a template, a sum of both, or a text of JSX. */
export interface Text {
  /** With one blank for each white space, and `{name}` for an expression. */
  readonly text: string;
  readonly line: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** The texts of a file in their order, without those of imports, types and SQL. */
export function textsOf(file: string, source = readFileSync(path.join(root, file), "utf8")): Text[] {
  const texts: Text[] = [];
  const add = ({ start }: Node, text: string) => {
    const line = source.slice(0, start).split("\n").length;
    texts.push({ text: text.replace(/\s+/g, " ").trim(), line });
  };
  const nameOf = ({ start, end }: Node) => `{${/([A-Za-z]\w*)[^A-Za-z]*$/.exec(source.slice(start, end))?.[1] ?? "…"}}`;

  /** The text of a string, a template or a sum; the nodes of its expressions go to `holes`. */
  function flatten(node: Node, holes: Node[]): string {
    if (isText(node)) return node.value as string;
    if (node.type === "TemplateLiteral") {
      const expressions = node.expressions as Node[];
      const quasis = node.quasis as { value: { cooked: string } }[];
      return quasis.map(({ value }, i) => value.cooked + (expressions[i] ? hole(expressions[i], holes) : "")).join("");
    }
    if (isSum(node)) return flatten(node.left as Node, holes) + flatten(node.right as Node, holes);
    return hole(node, holes);
  }

  function hole(node: Node, holes: Node[]): string {
    holes.push(node);
    return nameOf(node);
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const element of value) visit(element);
    } else if (isNode(value)) visitNode(value);
  }

  function visitNode(node: Node): void {
    if (/^(?:ImportDeclaration|ExportAllDeclaration|TSLiteralType)$/.test(node.type)) return;
    if (node.type === "TaggedTemplateExpression" && /^sql/.test(nameOf(node.tag as Node).slice(1))) {
      visit((node.quasi as Node).expressions);
    } else if (node.type === "JSXText") add(node, node.value as string);
    else if (isSum(node) || node.type === "TemplateLiteral" || isText(node)) {
      const holes: Node[] = [];
      const text = flatten(node, holes);
      if (text.replace(/\{\w+\}|\s/g, "") !== "") add(node, text);
      visit(holes);
    } else {
      for (const field of Object.values(node)) visit(field);
    }
  }

  visit(parseSync(file, source).program as unknown);
  return texts;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const isText = ({ type, value }: Node) => type === "Literal" && typeof value === "string";
const isSum = ({ type, operator }: Node) => type === "BinaryExpression" && operator === "+";
