import type { Face } from "#/modules/documents/papers/fonts.ts";
import { a4, contentWidth, type Piece } from "#/modules/documents/papers/pages.ts";
import type { Sheet } from "#/modules/documents/papers/sheet.ts";
import { printable, sizeFor, wrap } from "#/modules/documents/papers/text.ts";

export interface Paragraph {
  readonly text: string;
  readonly face?: Face;
  readonly size?: number;
  readonly isGrey?: boolean;
}

export interface Column {
  readonly title: string;
  readonly width: number;
  readonly isRight?: boolean;
  /** True for a number: if it is too wide, it uses a smaller font size instead of a line break. */
  readonly isNumber?: boolean;
}

const cellSize = 8.5;
const cellLeading = 11.5;
const gap = 6;

/** The heads of columns: as many lines as the longest head needs, aligned at the bottom. */
export function columnHeads(columns: readonly Column[]): Piece {
  const size = 7.5;
  const heads = columns.map(({ title, width }) => wrap(printable(title), "bold", (width - gap) / size));
  const lines = Math.max(...heads.map((head) => head.length));
  const height = lines * 9 + 8;
  return {
    height,
    draw(sheet, y) {
      sheet.fill(a4.margin, y, contentWidth, height - 2, 0.08);
      forEachColumn(columns, (column, x, i) => {
        const head = heads[i] as string[];
        head.forEach((line, at) => {
          const place = { y: y + 10 + (lines - head.length + at) * 9, size, face: "bold" as const };
          sheet.text(line, { ...place, ...cellPlace(column, x), widthMax: column.width - gap });
        });
      });
    },
  };
}

function forEachColumn(columns: readonly Column[], work: (column: Column, x: number, i: number) => void): void {
  let x: number = a4.margin;
  columns.forEach((column, i) => {
    work(column, x, i);
    x += column.width;
  });
}

function cellPlace(column: Column, x: number) {
  return column.isRight
    ? ({ x: x + column.width - gap / 2, align: "right" } as const)
    : ({ x: x + gap / 2, align: "left" } as const);
}

/**
 * A row of a table: one piece if it is at most a third of a page high, else one piece for each of its lines.
 *
 * @param cells the paragraphs in each column.
 */
export function tableRow(columns: readonly Column[], cells: readonly (readonly Paragraph[])[]): Piece[] {
  const set = columns.map((column, i) => (cells[i] ?? []).flatMap((paragraph) => linesOf(column, paragraph)));
  const count = Math.max(1, ...set.map((lines) => lines.length));
  const drawLine = (sheet: Sheet, line: number, y: number) =>
    forEachColumn(columns, (column, x, i) => {
      const paragraph = set[i]?.[line];
      if (paragraph === undefined) return;
      const { text, face = "regular", size = cellSize, isGrey = false } = paragraph;
      sheet.text(text, { ...cellPlace(column, x), y: y + 9, size, face, isGrey });
    });
  const rule = (sheet: Sheet, y: number) => sheet.rule(a4.margin, y, contentWidth, 0.25);
  const padding = 5;
  if (count * cellLeading <= a4.height / 3) {
    const height = count * cellLeading + padding;
    return [
      {
        height,
        isRow: true,
        draw(sheet, y) {
          for (let line = 0; line < count; line++) drawLine(sheet, line, y + 1 + line * cellLeading);
          rule(sheet, y + height - 1);
        },
      },
    ];
  }
  return Array.from({ length: count }, (_, line) => ({
    height: cellLeading + (line === count - 1 ? padding : 0),
    isRow: true,
    draw(sheet: Sheet, y: number) {
      drawLine(sheet, line, y + 1);
      if (line === count - 1) rule(sheet, y + cellLeading + padding - 1);
    },
  }));
}

function linesOf(column: Column, paragraph: Paragraph): Paragraph[] {
  const { face = "regular", size = cellSize } = paragraph;
  const text = printable(paragraph.text);
  const width = column.width - gap;
  if (column.isNumber) return [{ ...paragraph, text, size: sizeFor(text, face, size, width) }];
  return wrap(text, face, width / size).map((line) => ({ ...paragraph, text: line }));
}
