/**
 * SQL forms that Citus rejects in a statement over several clients. A statement with a client is sent unchanged to that
 * client's node and may use any SQL. A statement over several clients is split into a part for each shard, which some
 * forms do not allow.
 *
 * A correlated subquery may also use any SQL if the outer row belongs to a client: the subquery runs on the same shard.
 * If the outer row comes from a reference table, a function or an intermediate result, every shard has that row. A
 * subquery that must see all rows of its result (a limit, a sum) then sees only a shard's rows.
 */
import type { Schema } from "../plan-rules.ts";

/** Location of an alias's rows: with the other rows of their client, or on every shard alike. */
type Place = "client" | "everywhere";

/** A subquery in brackets; the root is the statement. */
interface Block {
  /** Text of the block, with `§n` in place of its n-th subquery. */
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
  if (/\bfrom\s*\(\s*select\s+from\b/i.test(text) && reachesClients) refused.push("a subquery without columns");
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
    // It is a value or a condition, not a join: it is evaluated for each row, and every shard has the row.
    if (!block.isLateral) return isOfNoClient || this.#isInRowsOfNoClient(block.outer);
    return (
      (isOfNoClient && /^\s*left\b/i.test(joinOf(block))) || (places.includes("everywhere") && needsAllRows(block))
    );
  }

  /** Whether a subquery reads no table of clients in its FROM, and uses columns of the statement around it. */
  #isInRowsOfNoClient(block: Block | undefined): boolean {
    if (block?.outer === undefined) return false;
    const sources = [...sourcesOf(block).values()];
    const isOfClients = (source: string | Block) =>
      typeof source === "string" ? this.#isOfClients(source) : this.#reachesClients(source);
    return sources.length > 0 && !sources.some(isOfClients) && this.#placesNeeded(block).includes("client");
  }

  /** Locations of the outer rows whose columns it uses. */
  #placesNeeded(block: Block): Place[] {
    const sources = new Set(blocksOf(block).flatMap((part) => [...sourcesOf(part).keys()]));
    const named = blocksOf(block).flatMap(({ own }) =>
      [...own.matchAll(/(?<![\w.'])([a-z_]\w*)\.[a-z_]\w*/gi)].map(([, name = ""]) => name),
    );
    return [...new Set(named)]
      .filter((name) => !sources.has(name))
      .flatMap((name) => this.#placeOf(name, block.outer) ?? []);
  }

  #placeOf(alias: string, block: Block | undefined): Place | undefined {
    if (block === undefined) return undefined;
    const source = sourcesOf(block).get(alias);
    if (source === undefined) return this.#placeOf(alias, block.outer);
    if (typeof source === "string") return this.#isOfClients(source) ? "client" : "everywhere";
    // A subquery without outer columns that must see all rows becomes an intermediate result first.
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

/** A function in a join becomes a subquery, whose columns all get the type of the first. */
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

/** Whether a query must see all rows before it returns any, unless all rows of a result belong to one client. */
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
  /** For each open bracket, the block that continues after it, if the bracket opens one. */
  const open: (Block | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === "'") {
      const end = text.indexOf("'", at + 1);
      block.own += "''";
      at = end < 0 ? text.length : end;
    } else if (letter === "(" && /^\s*\(*\s*select\b/i.test(text.slice(at + 1))) {
      // The parts of a union join like the union.
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

/** Text before the block in the outer block, from the join on. */
function joinOf(block: Block): string {
  const { outer } = block;
  if (outer === undefined) return "";
  const before = outer.own.slice(0, outer.own.indexOf(`§${outer.inner.indexOf(block)}`));
  return /\b(?:left|right|full|inner|cross)?\s*(?:outer\s+)?join\s+lateral\s*$/i.exec(before)?.[0] ?? "";
}

const words =
  /^(?:set|where|join|cross|left|on|using|order|limit|group|values|select|union|returning|for|inner|lateral|with)$/i;

/** The aliases that the block defines, each with its table, its subquery, or `""` for a function. */
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
