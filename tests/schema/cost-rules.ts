/** What an execution may read, as functions of what `explain (analyze, buffers)` says of it: each answers what is wrong. */
import type { Statement } from "#/db/sql.ts";

/** A node of `explain (analyze, buffers, format json)`, as far as it is looked at. */
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
  /** What the statement may read for what it was asked for and what it answered or wrote. */
  readonly bound: number;
  /** Rows that one node has read, the most. */
  readonly examined: number;
  readonly faults: readonly string[];
}

const buffersOfOneRow = 12;
const buffersOfStatement = 40;
const rowsReadForOne = 10;
/** Some ten pages: a node that reads no more rows is no fault, whatever it passes on. */
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

/** Bytes of a large value that PostgreSQL keeps in one row of their own. */
const bytesOfPiece = 2_000;

/**
 * How many keys or rows the statement is given: of its longest list, pieces of a large value, or look-ups that are put side
 * by side; one without any.
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

/** Rows that are returned or written, or that come to a limit of the statement: it counts no more than that says. */
function rowsDone(node: ExecutedNode): number {
  const isCut = ["ModifyTable", "Limit"].includes(node["Node Type"]);
  const given = isCut ? node.Plans?.find((child) => child["Parent Relationship"] === "Outer") : undefined;
  const own = Math.max(node["Actual Rows"], given?.["Actual Rows"] ?? 0);
  return Math.max(isCut || node["Parent Relationship"] === undefined ? own : 0, ...(node.Plans ?? []).map(rowsDone));
}
