/**
 * What Citus refuses in a statement that goes to the rows of several clients. One that names a client is sent to that
 * client's node as it is, and may say anything; these are taken apart, a part for each shard, and not everything can be.
 *
 * A subquery for each row may say anything as well, where the row is a client's: it is looked up beside it. Where the row
 * is of a reference table, a function or a result that was brought together before, all shards have it, and what has to
 * see all rows of its answer (a limit, a sum) would see a shard's.
 */
import type { Schema } from "../plan-rules.ts";

/** Where a row of an alias is: beside the other rows of its client, or on every shard alike. */
type Place = "client" | "everywhere";

/** A text between brackets that is a query of its own; the root is the statement. */
interface Block {
  /** With `§n` in the place of the n-th block in it. */
  own: string;
  readonly inner: Block[];
  readonly outer: Block | undefined;
  readonly isLateral: boolean;
}

/** @param text of a statement over several clients */
export function formsRefused(text: string, schema: Pick<Schema, "classOf">): string[] {
  const refused: string[] = [];
  const tables = tablesIn(text);
  const classes = new Set(tables.map((name) => schema.classOf.get(name)));
  const reachesClients = classes.has("distributed") || classes.has("keyed");
  if (/\bgrouping\s+sets\b|\b(?:rollup|cube)\s*\(/i.test(text)) refused.push("grouping sets");
  if (/\bwith\s+recursive\b/i.test(text)) refused.push("a recursive CTE");
  if (/\bfor\s+(?:no\s+key\s+)?(?:update|share)\b/i.test(text) && reachesClients) refused.push("a lock");
  if (classes.has("distributed") && classes.has("keyed")) refused.push("a join of two keys");
  const blocks = blocksOf(parse(text));
  if (reachesClients && blocks.some(mixesArrays)) refused.push("arrays of several types beside a table");
  const reader = new Reader(schema.classOf);
  for (const block of blocks) if (reader.isRefused(block)) refused.push(`a subquery of each row: ${shown(block)}`);
  return refused;
}

class Reader {
  readonly #classOf: Schema["classOf"];

  constructor(classOf: Schema["classOf"]) {
    this.#classOf = classOf;
  }

  isRefused(block: Block): boolean {
    if (!this.#reachesClients(block)) return false;
    const places = this.#placesNeeded(block);
    const isOfNoClient = places.length > 0 && places.every((place) => place === "everywhere");
    // Not of a join, but of a value or a condition: it is looked up for each row, and every shard has the row.
    if (!block.isLateral) return isOfNoClient;
    return (
      (isOfNoClient && /^\s*left\b/i.test(joinOf(block))) || (places.includes("everywhere") && needsAllRows(block))
    );
  }

  /** Of the rows around it that it takes columns of. */
  #placesNeeded(block: Block): Place[] {
    const given = new Set(blocksOf(block).flatMap((each) => [...sourcesOf(each).keys()]));
    const named = blocksOf(block).flatMap(({ own }) =>
      [...own.matchAll(/(?<![\w.'])([a-z_]\w*)\.[a-z_]\w*/gi)].map(([, name = ""]) => name),
    );
    return [...new Set(named)]
      .filter((name) => !given.has(name))
      .flatMap((name) => this.#placeOf(name, block.outer) ?? []);
  }

  #placeOf(alias: string, block: Block | undefined): Place | undefined {
    if (block === undefined) return undefined;
    const source = sourcesOf(block).get(alias);
    if (source === undefined) return this.#placeOf(alias, block.outer);
    if (typeof source === "string") return this.#isOfClients(source) ? "client" : "everywhere";
    // What needs nothing from around it and has to see all rows is brought together first.
    const isBroughtTogether = needsAllRows(source) && this.#placesNeeded(source).length === 0;
    return this.#reachesClients(source) && !isBroughtTogether ? "client" : "everywhere";
  }

  #reachesClients(block: Block): boolean {
    return blocksOf(block).some(({ own }) => tablesIn(own).some((name) => this.#isOfClients(name)));
  }

  #isOfClients(table: string): boolean {
    return ["distributed", "keyed"].includes(this.#classOf.get(table) ?? "");
  }
}

/** A function in a join is put into a subquery, of which all columns have the type of the first. */
function mixesArrays(block: Block): boolean {
  const [, arrays = ""] = /\bunnest\s*\(([^()]*)\)/i.exec(block.own) ?? [];
  const types = new Set([...arrays.matchAll(/::\s*(\w+)\[\]/g)].map(([, type]) => type));
  return types.size > 1 && sourcesOf(block).size > 1;
}

const shown = (block: Block): string =>
  block.own
    .replace(/§(\d+)/g, "…")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 100);

const tablesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:from|join)\s+(\w+)\b(?!\s*\()/gi)].map(([, name = ""]) => name);

const blocksOf = (block: Block): Block[] => [block, ...block.inner.flatMap(blocksOf)];

/** What has to see all rows before it can answer, unless all of one answer are one client's. */
function needsAllRows({ own }: Block): boolean {
  if (/\b(?:limit|offset)\b/i.test(own)) return true;
  const grouping = /\bgroup\s+by\b([\s\S]*?)(?:\border\s+by\b|\bhaving\b|$)/i.exec(own)?.[1];
  if (grouping !== undefined) return !/\bclient_id\b/i.test(grouping);
  const distinct = /\bdistinct\b([\s\S]*?)\bfrom\b/i.exec(own)?.[1];
  if (distinct !== undefined) return !/\bclient_id\b/i.test(distinct);
  return /\b(?:count|sum|min|max|avg|bool_or|bool_and|percentile_\w+|\w+_agg)\s*\(/i.test(own);
}

function parse(text: string): Block {
  const root: Block = { own: "", inner: [], outer: undefined, isLateral: false };
  let block = root;
  /** Of each open bracket, the block that goes on behind it, if it opens one. */
  const open: (Block | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === "'") {
      const end = text.indexOf("'", at + 1);
      block.own += "''";
      at = end < 0 ? text.length : end;
    } else if (letter === "(" && /^\s*\(*\s*select\b/i.test(text.slice(at + 1))) {
      // The parts of a union are joined as the union is.
      const isLateral =
        /\blateral\s*$/i.test(block.own) ||
        (block.isLateral && /^\s*(?:§\d+\s+union\s+(?:all\s+)?)*$/i.test(block.own));
      const inner: Block = { own: "", inner: [], outer: block, isLateral };
      block.own += `§${block.inner.push(inner) - 1}`;
      open.push(block);
      block = inner;
    } else if (letter === "(") {
      open.push(undefined);
      block.own += letter;
    } else if (letter === ")") {
      const behind = open.pop();
      if (behind === undefined) block.own += letter;
      else block = behind;
    } else block.own += letter;
  }
  return root;
}

/** What stands before it in the block around it, from the join on. */
function joinOf(block: Block): string {
  const { outer } = block;
  if (outer === undefined) return "";
  const before = outer.own.slice(0, outer.own.indexOf(`§${outer.inner.indexOf(block)}`));
  return /\b(?:left|right|full|inner|cross)?\s*(?:outer\s+)?join\s+lateral\s*$/i.exec(before)?.[0] ?? "";
}

const words =
  /^(?:set|where|join|cross|left|on|using|order|limit|group|values|select|union|returning|for|inner|lateral|with)$/i;

/** The aliases that it gives, each with its table, its subquery, or `""` of a function. */
function sourcesOf({ own, inner }: Block): Map<string, string | Block> {
  const sources = new Map<string, string | Block>();
  for (const [, table = "", alias = ""] of own.matchAll(
    /\b(?:from|join|using|update)\s+(\w+)\b(?!\s*\()(?:\s+(?:as\s+)?(\w+))?/gi,
  )) {
    if (words.test(table)) continue;
    sources.set(alias === "" || words.test(alias) ? table : alias, table);
  }
  for (const [, alias = ""] of own.matchAll(/\)\s+(?:as\s+)?(\w+)\s*\(\s*\w+/gi))
    if (!words.test(alias)) sources.set(alias, "");
  for (const [, n = "", alias = ""] of own.matchAll(/§(\d+)\s*\)*\s+(?:as\s+)?(\w+)/gi)) {
    const block = inner[Number(n)];
    if (block !== undefined && !words.test(alias)) sources.set(alias, block);
  }
  return sources;
}
