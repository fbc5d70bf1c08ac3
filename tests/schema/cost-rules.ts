/**
 * The limits on what an execution may read, as functions of its `explain (analyze, buffers)`. Each returns the faults.
 */
import type { Statement } from "#/store/db/sql.ts";

/** The examined fields of a node in `explain (analyze, buffers, format json)`. */
export interface ExecutedNode {
  readonly "Node Type": string;
  readonly "Parent Relationship"?: string;
  readonly "Join Type"?: string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly ExecutedNode[];
}

export interface Cost {
  readonly buffers: number;
  /** Number of rows that the statement may read, derived from its input and its result. */
  readonly bound: number;
  /** Maximum number of rows read by one node. */
  readonly examined: number;
  readonly faults: readonly string[];
}

const buffersOfOneRow = 12;
const buffersOfStatement = 40;
const rowsReadForOne = 10;
/** Some ten pages. A node that reads at most this many rows is not a fault, whatever it returns. */
const rowsReadMin = 400;

export function costOf(statement: Statement, root: ExecutedNode): Cost {
  const buffers = root["Shared Hit Blocks"] + root["Shared Read Blocks"];
  const bound = buffersOfOneRow * (rowsAsked(statement) + rowsDone(root)) + buffersOfStatement;
  const faults = buffers > bound ? [`reads ${buffers} buffers, more than ${bound}`] : [];
  let examined = 0;
  const visit = (node: ExecutedNode) => {
    const loops = node["Actual Loops"];
    const passed = Math.round(node["Actual Rows"] * loops);
    const removed =
      (node["Rows Removed by Filter"] ?? 0) +
      (node["Rows Removed by Join Filter"] ?? 0) +
      (node["Rows Removed by Index Recheck"] ?? 0);
    const read = passed + removed * loops;
    examined = Math.max(examined, read);
    if (read > rowsReadMin && read > passed * rowsReadForOne) {
      const where = node["Index Name"] ?? node["Relation Name"] ?? node["Join Type"] ?? "";
      faults.push(`${node["Node Type"]} ${where} reads ${read} rows and passes ${passed} on`);
    }
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(root);
  return { buffers, bound, examined, faults };
}

/** Bytes of a large value that PostgreSQL stores in one separate row. */
const bytesOfPiece = 2_000;

/**
 * Number of keys or rows in the input: the length of its longest list, the pieces of a large value, or the number of
 * combined look-ups; at least one.
 */
function rowsAsked({ text, values }: Statement): number {
  return Math.max(text.split(/\bunion all\b/).length, ...values.map(lengthOf));
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : value;
  if (value instanceof Uint8Array && !/^\[/.test(text as string)) return Math.ceil(value.length / bytesOfPiece);
  if (typeof text !== "string" || !/^\[[{"\]]/.test(text)) return 0;
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.length : 0;
}

/** Rows that are returned, written, or passed to a limit of the statement, which caps their number. */
function rowsDone(node: ExecutedNode): number {
  const isCut = ["ModifyTable", "Limit"].includes(node["Node Type"]);
  const input = isCut ? node.Plans?.find((child) => child["Parent Relationship"] === "Outer") : undefined;
  const rows = Math.max(node["Actual Rows"], input?.["Actual Rows"] ?? 0);
  return Math.max(isCut || node["Parent Relationship"] === undefined ? rows : 0, ...(node.Plans ?? []).map(rowsDone));
}
