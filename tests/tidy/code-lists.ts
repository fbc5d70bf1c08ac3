import path from "node:path";
import { type Expression, parseSync, type SpreadElement, Visitor } from "oxc-parser";

/** Three or more different codes in one place, such as the states of an object; sorted, because a set has no order. */
export interface CodeList {
  readonly codes: readonly string[];
  readonly line: number;
}

const code = /^[A-Z][A-Z0-9_]*$/;
const listOfSql = /\(\s*'[A-Z0-9_]+'(?:\s*,\s*'[A-Z0-9_]+')+\s*\)|\[\s*'[A-Z0-9_]+'(?:\s*,\s*'[A-Z0-9_]+')+\s*\]/g;

/** The lists of codes in arrays, arguments, types and SQL. */
export function codeListsOf(text: string, file: string): readonly CodeList[] {
  const found: CodeList[] = [];
  const add = (values: readonly unknown[], at: number) => {
    const codes = [...new Set(values)];
    if (codes.length < 3 || !codes.every((value) => typeof value === "string" && code.test(value))) return;
    found.push({ codes: (codes as string[]).toSorted(), line: text.slice(0, at).split("\n").length });
  };
  const literalOf = (node: Expression | SpreadElement | null) => (node?.type === "Literal" ? node.value : undefined);
  new Visitor({
    ArrayExpression: ({ elements, start }) => add(elements.map(literalOf), start),
    CallExpression: ({ arguments: values, start }) => add(values.map(literalOf), start),
    TSUnionType({ types, start }) {
      const values = types.flatMap((type) =>
        type.type === "TSLiteralType" ? [literalOf(type.literal as Expression)] : [],
      );
      add(values, start);
    },
    TemplateElement({ value: { raw }, start }) {
      for (const list of raw.matchAll(listOfSql)) add(list[0].match(/[A-Z0-9_]+/g) ?? [], start + list.index);
    },
  }).visit(parseSync(path.basename(file), text).program);
  return found;
}
