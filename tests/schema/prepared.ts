import type { Statement } from "#/db/sql.ts";

/** `explain` takes a prepared statement's values as literals only. */
export function prepareText({ text }: Statement): string {
  return `prepare explained as ${text}`;
}

export function explainText({ values }: Statement, options: string): string {
  const list = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
  return `explain (${options}) execute explained${list}`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  // Rows travel as the bytes of a JSON list; everything else in bytes is a payload.
  if (value instanceof Uint8Array && value[0] === "[".charCodeAt(0)) return quoted(Buffer.from(value).toString());
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'`;
  if (Array.isArray(value)) return quoted(`{${value.map((item) => JSON.stringify(String(item))).join(",")}}`);
  return quoted(typeof value === "object" ? JSON.stringify(value) : String(value));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
