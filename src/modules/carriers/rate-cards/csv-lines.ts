// Comma-separated values by RFC 4180, and in the form of spreadsheets with a decimal comma.

export interface CsvLine {
  /** The number of its first line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvTable {
  readonly separator: "," | ";";
  readonly lines: readonly CsvLine[];
  /** The line with an unclosed quotation mark. */
  readonly unclosedLine: number | undefined;
}

/** Reads every non-empty line. The separator is the first one in the first line. */
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
