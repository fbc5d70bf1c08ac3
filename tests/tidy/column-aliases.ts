// Finds column aliases of one to three letters that are not words of the schema: `x.xr`, `as n`.
import { readMigrationTexts, withoutComments } from "../schema/migrations.ts";

/** Short complete words. */
const words = ["age", "day", "due", "got", "id", "lot"];

/** These words, and the real names of columns, such as sku and qty. */
function columnNames(): Set<string> {
  const texts = readMigrationTexts().map(({ text }) => withoutComments(text));
  const declared = texts.flatMap((text) => [...text.matchAll(/(?:^|add column |\()\s*"?(\w+)"? [a-z]/gm)]);
  return new Set([...declared.map(([, name = ""]) => name), ...words]);
}

const known = columnNames();
const isShort = (name: string) => /^[a-z]\w{0,2}$/i.test(name) && !known.has(name);

/** The short aliases of columns in the text of a statement. */
export function shortAliasesIn(statement: string): string[] {
  const text = statement.replace(/'(?:[^']|'')*'/g, "''");
  // Columns of a function or a list: `as x(o text, n integer)`, `as q(a, b)`.
  const lists = [...text.matchAll(/\)\s*(?:as\s+)?\w+\s*\(([a-z_"][^()]*(?:\(\d[^()]*\)[^()]*)*)\)/gi)]
    .filter(([whole]) => !/\b(?:over|filter|values|in|on|using|select|and|or|as)\s*\(/i.test(whole))
    .flatMap(([, columns = ""]) => columns.split(",").map((column) => /^\s*"?(\w+)/.exec(column)?.[1] ?? ""));
  // The alias of an expression. The alias of a table, a function or a subquery follows from, join and the like.
  const tables = /\b(?:from|join|into|update|using|lateral|only)\s+(?:\w+|\([^()]*\)|\w+\([^()]*\))\s+as\s+\w+/gi;
  const names = [...text.replace(tables, "").matchAll(/\bas\s+"?([a-z]\w*)"?(?!\s*\(|\w)/gi)]
    .filter((match) => !/\bcast\s*\([^()]*$/i.test(text.slice(0, match.index)))
    .map(([, name = ""]) => name);
  return [...lists, ...names].filter(isShort);
}
