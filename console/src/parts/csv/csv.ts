import type { ListColumn } from "../list/columns.tsx";
import { quoted } from "./csv-cell.ts";

/** Downloads rows as a CSV file (RFC 4180, UTF-8 with a byte order mark, which spreadsheets need). */
export function saveCsv<Row>(name: string, columns: readonly ListColumn<Row>[], rows: readonly Row[]): void {
  const lines = [
    columns.map(({ header, exported = header }) => exported),
    ...rows.map((row) => columns.map((column) => column.text(row))),
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
