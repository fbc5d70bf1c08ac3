import { a4, contentWidth, type Piece } from "#/modules/documents/papers/pages.ts";
import type { Sheet } from "#/modules/documents/papers/sheet.ts";
import { printable, widthOf, wrap } from "#/modules/documents/papers/text.ts";

const gap = 6;

export interface Fact {
  readonly label: string;
  readonly value: string | undefined;
}

/** Facts with a small label above each, in columns; facts without a value are left out. */
export function factRows(facts: readonly Fact[], columns: number): Piece[] {
  const known = facts.filter((fact): fact is Fact & { readonly value: string } => Boolean(fact.value?.trim()));
  const width = contentWidth / columns;
  const rows: Piece[] = [];
  for (let from = 0; from < known.length; from += columns) {
    const row = known.slice(from, from + columns).map(({ label, value }) => ({
      label,
      lines: wrap(printable(value), "regular", (width - gap) / 9),
    }));
    const count = Math.max(...row.map(({ lines }) => lines.length));
    rows.push({
      height: 16 + count * 11 + 3,
      draw(sheet, y) {
        row.forEach(({ label, lines }, i) => {
          const x = a4.margin + i * width;
          sheet.text(label, { x, y: y + 8, size: 7, isGrey: true, widthMax: width - gap });
          lines.forEach((line, at) => {
            sheet.text(line, { x, y: y + 19 + at * 11, size: 9 });
          });
        });
      },
    });
  }
  return rows;
}

export interface Block {
  readonly label: string;
  readonly lines: readonly string[];
}

const blockLinesLeading = 1.3;

/**
 * Addresses side by side. Long ones use a smaller font size, down to six points; beyond that the block grows, up to a
 * page.
 */
export function blockRow(blocks: readonly Block[]): Piece {
  const width = contentWidth / blocks.length;
  const paragraphs = blocks.map(({ lines }) => lines.map((line) => printable(line)));
  const setAt = (size: number) =>
    paragraphs.map((lines) =>
      lines.flatMap((line, i) =>
        wrap(line, i === 0 ? "bold" : "regular", (width - 2 * gap) / size).map((text) => ({ text, isFirst: i === 0 })),
      ),
    );
  let size = 9.5;
  let set = setAt(size);
  const blockHeight = () => Math.max(...set.map((lines) => lines.length)) * size * blockLinesLeading;
  const isHighEnough = () => blockHeight() <= 130 || (size <= 6 && blockHeight() <= a4.height - 300) || size <= 3;
  while (!isHighEnough()) {
    size -= 0.5;
    set = setAt(size);
  }
  const height = 14 + blockHeight() + 12;
  return {
    height,
    draw(sheet, y) {
      set.forEach((wrapped, i) => {
        const x = a4.margin + i * width;
        sheet.text(blocks[i]?.label ?? "", { x, y: y + 8, size: 7, isGrey: true, widthMax: width - gap });
        wrapped.forEach(({ text, isFirst }, at) => {
          const face = isFirst ? "bold" : "regular";
          sheet.text(text, { x, y: y + 10 + (at + 0.95) * size * blockLinesLeading, size, face });
        });
      });
    },
  };
}

/** Amounts below the table, right-aligned: label and amount, the last in bold. */
export function totalsPiece(rows: readonly { readonly label: string; readonly amount: string }[]): Piece {
  const leading = 13;
  const width = 230;
  return {
    height: rows.length * leading + 16,
    draw(sheet, y) {
      rows.forEach(({ label, amount }, i) => {
        const isLast = i === rows.length - 1;
        const place = {
          y: y + 14 + i * leading + (isLast ? 4 : 0),
          size: isLast ? 10 : 9,
          face: isLast ? "bold" : "regular",
        } as const;
        if (isLast) sheet.rule(a4.width - a4.margin - width, place.y - 12, width, 0.5);
        const right = a4.width - a4.margin - gap / 2;
        const wide = Math.min(widthOf(printable(amount), place.face) * place.size, width * 0.6);
        sheet.text(label, { ...place, x: a4.width - a4.margin - width, widthMax: width - wide - 2 * gap });
        sheet.text(amount, { ...place, x: right, align: "right", widthMax: width * 0.6 });
      });
    },
  };
}

/** Running text below a label, one piece for each line: it may continue on the next page. */
export function textPieces(label: string, paragraphs: readonly string[]): Piece[] {
  const size = 9.5;
  const leading = 13.5;
  const lines = paragraphs.flatMap((paragraph) => {
    const text = printable(paragraph);
    return text === "" ? [""] : wrap(text, "regular", (contentWidth - 14) / size);
  });
  const bar = (sheet: Sheet, y: number, height: number) => sheet.fill(a4.margin, y, 2.5, height, 0.55);
  return [
    {
      height: 26,
      staysWithNext: true,
      draw(sheet, y) {
        bar(sheet, y + 10, 16);
        sheet.text(label, { x: a4.margin + 10, y: y + 20, size: 9, face: "bold" });
      },
    },
    ...lines.map((line) => ({
      height: leading,
      draw(sheet: Sheet, y: number) {
        bar(sheet, y, leading);
        sheet.text(line, { x: a4.margin + 10, y: y + 10, size });
      },
    })),
  ];
}
