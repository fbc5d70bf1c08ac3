// Comma-separated values as RFC 4180 has them, and as spreadsheets write them where the comma is the decimal sign.

export interface CsvLine {
  /** Where it begins in the file, from 1 on. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly separator: "," | ";";
  readonly lines: readonly CsvLine[];
  /** The line whose quotation mark is never closed. */
  readonly unclosedLine: number | undefined;
}

/** Reads every line that is not empty. The separator is the one that comes first in the first line. */
export function readCsv(text: string): CsvTable {
  const plain = text.replace(/^\uFEFF/, "");
  const separator = /[;,\n]/.exec(plain)?.[0] === ";" ? ";" : ",";
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = 1;
  let start = 1;
  const endLine = () => {
    cells.push(cell);
    if (cells.length > 1 || cell.trim() !== "") lines.push({ line: start, cells: cells.map(textOf) });
    cells = [];
    cell = "";
  };
  for (let i = 0; i < plain.length; i++) {
    const char = plain[i] as string;
    if (char === "\n") line++;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (plain[i + 1] === '"') cell += plain[++i];
      else isQuoted = false;
    } else if (char === '"' && cell.trim() === "") {
      isQuoted = true;
      cell = "";
    } else if (char === separator) {
      cells.push(cell);
      cell = "";
    } else if (char === "\n") {
      endLine();
      start = line;
    } else if (char !== "\r") cell += char;
  }
  endLine();
  return { separator, lines, unclosedLine: isQuoted ? start : undefined };
}

/** Spreadsheets take it for a formula; behind an apostrophe it is a text, which reading takes away again. */
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
