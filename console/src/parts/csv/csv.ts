import type { Column } from "../list/list-types.ts";
import { quoted } from "./csv-cell.ts";

/** Downloads rows as a CSV file (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need). */
export function saveCsv<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const lines = [
    columns.map(({ header, exported = header }) => exported),
    ...rows.map((row) => columns.map((column) => textOf(column, row))),
  ];
  const text = lines.map((cells) => cells.map(quoted).join(",")).join("\r\n");
  saveFile(name, new Blob([`\ufeff${text}\r\n`], { type: "text/csv;charset=utf-8" }));
}

/** Downloads a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function textOf<Row>(column: Column<Row>, row: Row): string {
  if (column.text) return column.text(row);
  const value = (row as Readonly<Record<string, unknown>>)[column.key];
  return value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}
