/** The rules for statements with a client, as functions of their text and of their plan. Each returns the faults. */
import type { TableClass } from "#/store/db/citus/catalogue.ts";
import { coarseColumns } from "../support/postgres/copied-rows.ts";
import { smallTables } from "./grown-tables.ts";

export interface Schema {
  readonly classOf: ReadonlyMap<string, TableClass>;
  /** The parent table of a monthly partition; other names are returned unchanged. */
  tableOf(name: string): string;
  /** Months with too few rows for statistics, of tables that have more in other months. */
  readonly newMonths: ReadonlySet<string>;
  /** Columns of an index in order, and whether it holds only a small part of the table's rows. */
  readonly indexes: ReadonlyMap<string, { readonly columns: readonly string[]; readonly holdsFew: boolean }>;
}

const withoutStrings = (text: string) => text.replace(/'(?:[^']|'')*'/g, "''");

/** Functions that return a different value each time. */
export const volatile =
  /\b(?:now|random|gen_random_uuid|uuidv[47]|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|nextval|setval)\s*\(|\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/i;

/** Times, ids and random values come from the application, and the client is a separate parameter. */
const deniedInText: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a volatile or time-dependent function", volatile],
  ["a notice or a setting", /\b(?:pg_notify|current_setting|set_config)\s*\(/i],
  [
    "a data-modifying CTE",
    /\bwith\b[\s\S]*\bas\s+(?:(?:not\s+)?materialized\s+)?\(\s*(?:insert|update|delete|merge)\b/i,
  ],
  ["a list of clients", /\bclient_id\s*(?:=\s*(?:any|all|some)\b|in\b|<|>)/i],
  ["select *", /\bselect\s+(?:\w+\.)?\*/i],
];

export function faultsOfText(statement: string, schema: Schema): string[] {
  const text = withoutStrings(statement);
  const faults = deniedInText.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
  faults.push(...faultsOfMentions(text, schema));
  if (/\bon\s+conflict\b/i.test(text)) {
    if (!/\breturning\b/i.test(text)) faults.push("on conflict without returning");
    const set = /\bdo\s+update\s+set\b([\s\S]*?)(?:\bwhere\b|\breturning\b|$)/i.exec(text)?.[1] ?? "";
    if (/\w\s*\(/.test(set)) faults.push("on conflict do update calls a function");
  }
  if (/^\s*(?:select|with)\b/i.test(text) && !/\blimit\b/i.test(text)) faults.push("a list without a limit");
  return faults;
}

/**
 * Every mention of a distributed table has its own `client_id = $1`: equality through a join alone reaches every node.
 */
function faultsOfMentions(text: string, { classOf }: Schema): string[] {
  const faults: string[] = [];
  const needed = new Map<string, number>();
  const mentions = text.matchAll(
    /(insert\s+into|delete\s+from|from|join|update|using)\s+(\w+)\b(?:\s+(?:as\s+)?(?!(?:set|where|join|cross|left|on|using|order|limit|group|values|select|union|returning|for|inner)\b)(\w+))?/gi,
  );
  for (const [, how = "", table = "", alias = ""] of mentions) {
    const tableClass = classOf.get(table);
    if (tableClass === undefined) continue;
    const isInsert = /^insert/i.test(how);
    if (tableClass !== "distributed") faults.push(`${table} is ${tableClass}: it is not joined with a client's rows`);
    else if (!isInsert) needed.set(alias, (needed.get(alias) ?? 0) + 1);
    else if (!isInsertOfClient(text, table)) faults.push(`the insert into ${table} takes its client from elsewhere`);
  }
  for (const [alias, count] of needed) {
    const pattern = new RegExp(`(?<![\\w.])${alias && `${alias}\\.`}client_id\\s*=\\s*\\$1(?!\\d)`, "gi");
    const found = text.match(pattern)?.length ?? 0;
    if (found < count) faults.push(`${count} mentions as '${alias}', ${found} of them with client_id = $1`);
  }
  return faults;
}

/** `(client_id, …) values ($1, …)`, a set of parameters alone, or the root form. */
function isInsertOfClient(text: string, table: string): boolean {
  const columns = `insert\\s+into\\s+${table}(?:\\s+as\\s+\\w+)?\\s*\\(\\s*client_id\\b[^)]*\\)\\s*`;
  return (
    new RegExp(`${columns}values\\s*\\(\\s*\\$1\\b`, "i").test(text) ||
    // Citus copies such a set. It refuses nothing that follows, but takes further steps for it.
    new RegExp(
      `${columns}select\\s+\\$1::text\\b[\\s\\S]*\\bfrom\\s+json_to_recordset\\(\\$\\d+::json\\)\\s+as\\s+given\\([^)]*\\)\\s*$`,
      "i",
    ).test(text) ||
    // From a table of the same client: the alias that supplies the client is restricted to it.
    new RegExp(`${columns}select\\s+(\\w+)\\.client_id\\b[\\s\\S]*\\b\\1\\.client_id\\s*=\\s*\\$1\\b`, "i").test(
      text,
    ) ||
    new RegExp(
      `${columns}select\\s+t\\.client_id\\b[\\s\\S]*\\bfrom\\s+tenant\\s+t\\b[\\s\\S]*\\bt\\.client_id\\s*=\\s*\\$1\\b`,
      "i",
    ).test(text)
  );
}

/** The examined fields of a node in `explain (format json)`. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Filter?: string;
  readonly "One-Time Filter"?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Every scan of a distributed table uses an index that finds this client's rows, and fewer than all of them: by a
 * further column of its key, by an index of few rows, or in index order up to a limit. The plan of a month with hardly
 * any rows proves nothing, because PostgreSQL before 18 uses `= any` as a filter there. It is replanned when statistics
 * are taken.
 */
export function faultsOfPlan(plan: PlanNode, schema: Schema): string[] {
  const faults: string[] = [];
  const visit = (node: PlanNode, isLimited: boolean, heap: PlanNode | undefined) => {
    const relation = node["Relation Name"] ?? heap?.["Relation Name"];
    const isScan = / Scan$/.test(node["Node Type"]) && relation !== undefined;
    const isBitmapHeap = node["Node Type"] === "Bitmap Heap Scan";
    const isNew = relation !== undefined && schema.newMonths.has(relation);
    if (isScan && !isNew && !isBitmapHeap && schema.classOf.get(schema.tableOf(relation)) === "distributed") {
      faults.push(
        ...faultsOfScan(node, heap, schema, schema.tableOf(relation), isLimited).map(
          (fault) => `${fault} (${relation})`,
        ),
      );
    }
    const isStreaming = [
      "Limit",
      "LockRows",
      "Append",
      "Merge Append",
      "Incremental Sort",
      "Subquery Scan",
      "Result",
    ].includes(node["Node Type"]);
    const isLimitedBelow = node["Node Type"] === "Limit" || (isLimited && isStreaming);
    for (const child of node.Plans ?? [])
      visit(child, isLimitedBelow, isBitmapHeap ? node : isBitmapPart(node) ? heap : undefined);
  };
  visit(plan, false, undefined);
  return faults;
}

/**
 * For a statement over several clients, no scan reads a whole distributed table, except small ones. It uses the first
 * column of an index, or an index that holds only the wanted rows.
 */
export function faultsOfSharedPlan(plan: PlanNode, { classOf, tableOf, indexes }: Schema): string[] {
  const faults: string[] = [];
  const visit = (node: PlanNode, heap: PlanNode | undefined) => {
    const relation = node["Relation Name"] ?? heap?.["Relation Name"];
    const isBitmapHeap = node["Node Type"] === "Bitmap Heap Scan";
    if (/ Scan$/.test(node["Node Type"]) && relation !== undefined && !isBitmapHeap) {
      const table = tableOf(relation);
      const isOfClients = ["distributed", "keyed"].includes(classOf.get(table) ?? "") && !smallTables.has(table);
      const index = indexes.get(node["Index Name"] ?? "");
      const first = new RegExp(`\\b${index?.columns[0]}"? `);
      if (isOfClients && !index?.holdsFew && !(index && first.test(node["Index Cond"] ?? "")))
        faults.push(
          `${node["Index Name"] ?? relation} is read from end to end: ${node["Index Cond"] ?? ""} (${relation})`,
        );
    }
    for (const child of node.Plans ?? []) visit(child, isBitmapHeap ? node : isBitmapPart(node) ? heap : undefined);
  };
  visit(plan, undefined);
  return faults;
}

/**
 * Citus on PostgreSQL 15 and 16 refuses a condition that reads no column in a statement with an outer join.
 * @param plan of a statement over several clients
 */
export function faultsOfOuterJoin(text: string, plan: PlanNode): string[] {
  if (!/\b(?:left|right|full)\s+(?:outer\s+)?join\b/i.test(text)) return [];
  const conditionsOf = (node: PlanNode): string[] => [
    ...(node["One-Time Filter"] === undefined ? [] : [node["One-Time Filter"]]),
    ...(node.Plans ?? []).flatMap(conditionsOf),
  ];
  // A lateral subquery may compare a column of the row around it.
  const isWithoutColumn = (condition: string) => !/\b[a-z_]\w*\.[a-z_]/i.test(withoutStrings(condition));
  return conditionsOf(plan)
    .filter(isWithoutColumn)
    .map((condition) => `a condition without a column beside an outer join: ${condition}`);
}

const isBitmapPart = (node: PlanNode) => /^Bitmap(And|Or)$/.test(node["Node Type"]);

function faultsOfScan(
  node: PlanNode,
  heap: PlanNode | undefined,
  { indexes }: Schema,
  table: string,
  isLimited: boolean,
): string[] {
  const condition = node["Index Cond"] ?? "";
  const index = indexes.get(node["Index Name"] ?? "");
  // Rows by their places, which a subquery of the same client has found.
  const isByPlace = node["Node Type"] === "Tid Scan" && /\bclient_id = \$1(?!\d)/.test(node.Filter ?? "");
  if (isByPlace) return [];
  if (!index) return ["reads the whole table"];
  const conditions = [condition, node.Filter, heap?.Filter, heap?.["Recheck Cond"]].join(" ");
  if (!/\bclient_id = \$1(?!\d)/.test(conditions)) return [`${node["Index Name"]} is read without client_id = $1`];
  // A condition on a later column, with an earlier column unrestricted, is evaluated by scanning on; PostgreSQL before
  // 18 scans everything. A condition on a column of a handful of values is hardly selective.
  const isEqual = (column: string) => new RegExp(`\\b${column}"? = `).test(condition);
  const next = index.columns.slice(1).find((column) => !(coarseColumns.has(column) && isEqual(column)));
  const isFound = next !== undefined && !coarseColumns.has(next) && (isEqual(next) || isBounded(next));
  if (isFound || index.columns[0] !== "client_id" || index.holdsFew || isLimited || smallTables.has(table)) return [];
  return [`${node["Index Name"]} gives all rows of the client: ${condition}`];

  /** A half-open range is as good as an equality only if none of the found rows is filtered out afterwards. */
  function isBounded(column: string): boolean {
    // A comparison with a constant does not count: it repeats the index's own condition and excludes no rows.
    const ends = condition.match(new RegExp(`\\b${column}"? (?:>|<)=? (?!['(\\d])`, "g")) ?? [];
    return ends.length > 1 || (ends.length === 1 && !node.Filter && !heap?.Filter);
  }
}

/** The months of each partitioned table that a plan reads. */
export function monthsRead(plan: PlanNode, schema: Schema): Map<string, Set<string>> {
  const months = new Map<string, Set<string>>();
  const visit = (node: PlanNode) => {
    const relation = node["Relation Name"];
    if (relation !== undefined && schema.tableOf(relation) !== relation && / Scan$/.test(node["Node Type"])) {
      const table = schema.tableOf(relation);
      months.set(table, (months.get(table) ?? new Set()).add(relation));
    }
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(plan);
  return months;
}
