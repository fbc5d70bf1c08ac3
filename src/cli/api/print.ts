/** An answer of the API as lines for a person: a list as a table, an object as its fields. */
import { printable } from "#/cli/ack-report.ts";
import { columns, table } from "#/cli/columns.ts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Cells of a table are cut at this length: `--json` has all of a text. */
const cellMax = 60;

export function linesOf(answer: unknown): string[] {
  if (Array.isArray(answer)) return tableOf(answer);
  if (!isFields(answer)) return [String(answer)];
  if (Array.isArray(answer.items)) return tableOf(answer.items);
  const flat = flattened(answer);
  const lists = Object.entries(flat).filter(([, value]) => isList(value) && value.length > 0);
  const facts = Object.entries(flat).filter(([, value]) => !isList(value) && !isEmpty(value));
  return [
    ...columns(facts.map(([name, value]) => [name, textOf(value)])),
    ...lists.flatMap(([name, rows]) => ["", `${name}:`, ...tableOf(rows as readonly Fields[])]),
  ];
}

const isList = (value: unknown): value is readonly Fields[] => Array.isArray(value) && value.every(isFields);

/** The fields of inner objects by their path: `shipToAddress.city`. */
function flattened(fields: Fields, prefix = ""): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(fields).map(([name, value]) =>
      isFields(value) ? flattened(value, `${prefix}${name}.`) : { [prefix + name]: value },
    ),
  );
}

/** Columns that are empty, zero or false in every row, and lists inside rows, are left out: `--json` has them. */
function tableOf(items: readonly unknown[]): string[] {
  const rows = items.map((item) => (isFields(item) ? flattened(item) : { value: item }));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => !isEmpty(row[name]) && row[name] !== 0 && row[name] !== false && !isList(row[name])),
  );
  return table(
    names,
    rows.map((row) => names.map((name) => (isList(row[name]) ? "" : short(textOf(row[name]))))),
    "There is nothing.",
  );
}

function textOf(value: unknown): string {
  if (isEmpty(value)) return "-";
  return printable(Array.isArray(value) ? value.map(String).join(", ") : String(value));
}

const short = (text: string) => (text.length > cellMax ? `${text.slice(0, cellMax - 1)}…` : text);
