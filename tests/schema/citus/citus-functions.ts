/**
 * The functions that Citus refuses in an update or delete: one that is not immutable must not be called with a column,
 * and must not be in a CASE or COALESCE (`TargetlistAndFunctionsSupported` in Citus' multi_router_planner.c). The check
 * walks the tree that PostgreSQL has made of the statement, as Citus does, so that operators, casts and aggregates
 * count as functions.
 */
import type { Database } from "#/store/db/database.ts";
import type { Statement } from "#/store/db/sql.ts";

interface Node {
  readonly label: string;
  readonly fields: ReadonlyMap<string, readonly (Node | string)[]>;
}

/** The volatility of functions, and the input and output functions of types, by their oids. */
export interface Functions {
  readonly mutable: ReadonlyMap<string, string>;
  readonly ofType: ReadonlyMap<string, readonly string[]>;
}

const plain = <Row>(database: Pick<Database, "query">, text: string, ...values: readonly unknown[]) =>
  database.query<Row>({ text, name: "", values, isTenant: false });

export async function readFunctions(database: Database): Promise<Functions> {
  const functions = await plain<{ oid: string; name: string }>(
    database,
    "select oid::text, proname as name from pg_proc where provolatile <> 'i' limit 100000",
  );
  const types = await plain<{ oid: string; functions: string[] }>(
    database,
    "select oid::text, array[typinput::oid::text, typoutput::oid::text] as functions from pg_type limit 100000",
  );
  return {
    mutable: new Map(functions.map(({ oid, name }) => [oid, name])),
    ofType: new Map(types.map(({ oid, functions: ofType }) => [oid, ofType])),
  };
}

/** Returns the faults of an update or delete. Other statements have none. */
export async function functionsRefused(
  database: Database,
  { text }: Pick<Statement, "text">,
  functions: Functions,
): Promise<string[]> {
  if (!/^\s*(?:update|delete)\b/i.test(text)) return [];
  const body = await database.transaction(async (tx) => {
    await plain(tx, `prepare typed as ${text}`);
    const [types] = await plain<{ list: string }>(
      tx,
      "select array_to_string(parameter_types, ',') as list from pg_prepared_statements where name = 'typed'",
    );
    await plain(tx, "deallocate typed");
    const parameters = types?.list ?? "";
    await plain(
      tx,
      `create function pg_temp.parsed(${parameters}) returns void language sql begin atomic ${text}; select; end`,
    );
    const [row] = await plain<{ body: string }>(
      tx,
      "select prosqlbody::text as body from pg_proc where oid = (select max(oid) from pg_proc where proname = 'parsed')",
    );
    await plain(tx, `drop function pg_temp.parsed(${parameters})`);
    return row?.body ?? "";
  });
  const query = nodesIn(parse(body)).find(({ label }) => label === "QUERY") as Node;
  return [...new Set(faultsOfQuery(query, functions))];
}

function faultsOfQuery(query: Node, functions: Functions): string[] {
  const [tree] = nodesOf(query, "jointree");
  const checked = [...nodesOf(query, "targetList"), ...(tree === undefined ? [] : nodesOf(tree, "quals"))];
  const found = new Finder(functions);
  for (const node of checked) found.visit(node);
  for (const node of nodesOf(query, "returningList"))
    for (const name of found.mutableIn(node)) found.faults.push(`${name} is in RETURNING`);
  return found.faults;
}

class Finder {
  readonly faults: string[] = [];
  readonly #functions: Functions;

  constructor(functions: Functions) {
    this.#functions = functions;
  }

  /** Returns whether the expression contains a column. */
  visit(node: Node): boolean {
    if (node.label === "VAR") return true;
    if (node.label === "QUERY") return false;
    if (["CASEEXPR", "CASE", "COALESCEEXPR", "COALESCE"].includes(node.label)) {
      for (const name of this.mutableIn(node)) this.faults.push(`${name} is in CASE or COALESCE`);
      return false;
    }
    const hasColumn = childrenOf(node)
      .map((child) => this.visit(child))
      .includes(true);
    if (hasColumn) for (const name of this.#mutableOf(node)) this.faults.push(`${name} is called with a column`);
    return hasColumn;
  }

  mutableIn(node: Node): string[] {
    return [...this.#mutableOf(node), ...childrenOf(node).flatMap((child) => this.mutableIn(child))];
  }

  /** The functions that the node itself calls and that are not immutable. */
  #mutableOf(node: Node): string[] {
    const called = ["funcid", "opfuncid", "aggfnoid", "winfnoid"].flatMap((field) => valuesOf(node, field));
    if (node.label === "COERCEVIAIO") {
      const [argument] = nodesOf(node, "arg");
      called.push(this.#functions.ofType.get(valuesOf(node, "resulttype")[0] ?? "")?.[0] ?? "");
      called.push(this.#functions.ofType.get(argument === undefined ? "" : typeOf(argument))?.[1] ?? "");
    }
    return called.flatMap((oid) => this.#functions.mutable.get(oid) ?? []);
  }
}

const typeOf = (node: Node): string =>
  ["vartype", "consttype", "paramtype", "funcresulttype", "opresulttype", "resulttype", "aggtype"].flatMap((field) =>
    valuesOf(node, field),
  )[0] ?? "";

const isNode = (value: Node | string): value is Node => typeof value !== "string";
const nodesOf = (node: Node, field: string): Node[] => (node.fields.get(field) ?? []).filter(isNode);
const valuesOf = (node: Node, field: string): string[] =>
  (node.fields.get(field) ?? []).filter((value) => typeof value === "string");
const childrenOf = (node: Node): Node[] => [...node.fields.values()].flat().filter(isNode);
const nodesIn = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(nodesIn)];

/** Parses PostgreSQL's text of a tree: `{LABEL :field value …}`. Lists of nodes are flattened into their field. */
function parse(text: string): Node {
  const tokens = text.match(/[{}()]|(?:\\[\s\S]|[^\s{}()\\])+/g) ?? [];
  let at = 0;
  const readNode = (label: string): Node => {
    const fields = new Map<string, (Node | string)[]>();
    let values: (Node | string)[] = [];
    fields.set("", values);
    for (; at < tokens.length; at++) {
      const token = tokens[at] as string;
      if (token === "}") break;
      if (token === "{") {
        at += 2;
        values.push(readNode(tokens[at - 1] as string));
      } else if (token.startsWith(":")) {
        values = [];
        fields.set(token.slice(1), values);
      } else if (token !== "(" && token !== ")") values.push(token);
    }
    return { label, fields };
  };
  return readNode("");
}
