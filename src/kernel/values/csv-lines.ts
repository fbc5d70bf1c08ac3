// Comma-separated values by RFC 4180, and in the form of spreadsheets with a decimal comma.
import { CsvError, type Info, parse } from "csv-parse/sync";

export interface CsvLine {
  /** The number of its first line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly separator: "," | ";";
  readonly lines: readonly CsvLine[];
  /** Where reading ended before the end of the file, and why. */
  readonly fault: { readonly line: number; readonly message: string } | undefined;
}

/** Ends the parser. */
const enough = new Error("enough lines are read");

const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quotation mark is never closed",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "text follows a closing quotation mark",
};

/**
 * Reads every non-empty line. The separator is the first one in the first line.
 * @param linesMax no further line is read
 */
export function readCsv(text: string, linesMax = Number.MAX_SAFE_INTEGER): CsvTable {
  const separator = /[;,\n]/.exec(text)?.[0] === ";" ? ";" : ",";
  const plain = text.replaceAll("\r\n", "\n");
  const lines: CsvLine[] = [];
  let lastLine = 0;
  try {
    parse(plain, {
      bom: true,
      delimiter: separator,
      record_delimiter: "\n",
      info: true,
      raw: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      on_record(row: unknown) {
        // With the options `info` and `raw`.
        const { record, info, raw } = row as { record: readonly string[]; info: Info; raw: string };
        const isBlank = record.length === 1 && record[0] === "";
        lastLine = info.lines;
        // Blank lines before the record are part of `raw`.
        const line = lastLine - raw.trim().split("\n").length + 1;
        if (!isBlank) lines.push({ line, cells: record.map(textOf) });
        if (lines.length === linesMax) throw enough;
        return null;
      },
    });
  } catch (error) {
    if (error === enough) return { separator, lines, fault: undefined };
    if (!(error instanceof CsvError)) throw error;
    const following = plain.split("\n").slice(lastLine);
    const line = lastLine + following.findIndex((text) => text.trim() !== "") + 1;
    return { separator, lines, fault: { line, message: faults[error.code] ?? error.message } };
  }
  return { separator, lines, fault: undefined };
}

/** Spreadsheets treat such a cell as a formula. An apostrophe in front makes it a text; the reader removes it. */
const formula = /^'*[\s\p{C}]*[=+@\u2212\uff1d\uff0b\uff0d\uff20-]/u;

function textOf(cell: string): string {
  const text = cell.trim();
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

/** A line with its end (CRLF); cells with separators, quotation marks or line ends are quoted. */
export function writeCsvLine(cells: readonly string[]): string {
  const safe = cells.map((cell) => (formula.test(cell) ? `'${cell}` : cell));
  const quoted = safe.map((cell) => (/[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(",")}\r\n`;
}
