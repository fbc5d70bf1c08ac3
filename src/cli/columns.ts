import { stripVTControlCharacters } from "node:util";

/** Formats rows as lines with aligned columns, two blanks apart. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, shownLength(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - shownLength(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** Formats rows under a heading; returns a sentence where there are none. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[], none: string): string[] {
  return rows.length === 0 ? [none] : columns([heading, ...rows]);
}

function shownLength(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
