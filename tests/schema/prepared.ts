import type { Statement } from "#/store/db/sql.ts";

/** `explain` accepts the values of a prepared statement as literals only. */
export function prepareText({ text }: Statement, name = "explained"): string {
  return `prepare ${name} as ${text}`;
}

export function explainText({ values }: Statement, options: string, name = "explained"): string {
  const list = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
  return `explain (${options}) execute ${name}${list}`;
}

function literal(value: unknown): string {
  return value === null || value === undefined ? "null" : quoted(textOf(value));
}

function textOf(value: unknown): string {
  // Rows are sent as the bytes of a JSON list; all other bytes are payloads.
  if (value instanceof Uint8Array && value[0] === "[".charCodeAt(0)) return Buffer.from(value).toString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map(elementOf).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  return value === null || value === undefined ? "null" : `"${textOf(value).replace(/["\\]/g, "\\$&")}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
