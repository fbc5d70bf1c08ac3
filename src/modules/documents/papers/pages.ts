import { type OpenSheet, openSheet, type Sheet, type SheetOptions } from "#/modules/documents/papers/sheet.ts";
import { type Frame, fit, printable } from "#/modules/documents/papers/text.ts";

/** A4, in points. */
export const a4 = { width: 595.28, height: 841.89, margin: 45 } as const;
export const contentWidth = a4.width - 2 * a4.margin;

const bottom = a4.height - a4.margin - 18;

/** An unbreakable block: it is printed on one page. */
export interface Piece {
  readonly height: number;
  /** True for a row of the table, whose column heads are repeated on each page. */
  readonly isRow?: boolean;
  /** Stays on the page of the next piece. */
  readonly staysWithNext?: boolean;
  /** @param y of the upper edge */
  draw(sheet: Sheet, y: number): void;
}

export interface PaperFrame {
  /** Draws the head of every page but the first. */
  drawHead(sheet: Sheet, y: number): void;
  /** The heads of the table's columns. */
  readonly columnHeads: Piece;
  /** The text in the foot of each page. */
  foot(page: number, pages: number): string;
  /** The text on the left of the foot. */
  readonly footLeft: string;
}

/** Arranges pieces vertically on as many pages as necessary, and draws them. */
export function printPages(
  options: Omit<SheetOptions, "width" | "height">,
  frame: PaperFrame,
  pieces: readonly Piece[],
  open: OpenSheet = openSheet,
): Uint8Array {
  const sheet = open({ ...options, width: a4.width, height: a4.height });
  const headHeight = 40;
  const pages: { piece: Piece; y: number }[][] = [[]];
  let y: number = a4.margin;
  pieces.forEach((piece, i) => {
    const next = piece.staysWithNext ? (pieces[i + 1]?.height ?? 0) : 0;
    const isFirstRow = piece.isRow && !pieces[i - 1]?.isRow;
    const heads = isFirstRow ? frame.columnHeads.height : 0;
    if (y + heads + piece.height + next > bottom) {
      pages.push([]);
      y = a4.margin + headHeight;
    }
    const page = pages.at(-1) as { piece: Piece; y: number }[];
    if (piece.isRow && !page.at(-1)?.piece.isRow) {
      page.push({ piece: { ...frame.columnHeads, isRow: true }, y });
      y += frame.columnHeads.height;
    }
    page.push({ piece, y });
    y += piece.height;
  });
  pages.forEach((page, i) => {
    if (i > 0) {
      sheet.addPage();
      frame.drawHead(sheet, a4.margin);
    }
    for (const placed of page) placed.piece.draw(sheet, placed.y);
    const foot = { y: a4.height - a4.margin, size: 7.5, isGrey: true };
    sheet.rule(a4.margin, foot.y - 12, contentWidth, 0.5);
    sheet.text(frame.footLeft, { ...foot, x: a4.margin, widthMax: contentWidth - 90 });
    sheet.text(frame.foot(i + 1, pages.length), { ...foot, x: a4.width - a4.margin, align: "right" });
  });
  return sheet.finish();
}

/** Empty height. */
export function space(height: number): Piece {
  return { height, draw() {} };
}

/** The head of the first page: the title on the left, the sender on the right. */
export function headPiece(title: string, seller: string): Piece {
  return {
    height: 46,
    draw(sheet, y) {
      sheet.text(title, { x: a4.margin, y: y + 22, size: 20, face: "bold", widthMax: contentWidth / 2 });
      drawAtRight(sheet, seller, { width: contentWidth / 2 - 10, height: 26, sizeMax: 12, leading: 1.2 }, y + 22);
      sheet.rule(a4.margin, y + 32, contentWidth, 1);
    },
  };
}

/** The head of the pages after the first. */
export function drawSmallHead(sheet: Sheet, y: number, title: string, seller: string): void {
  sheet.text(title, { x: a4.margin, y: y + 10, size: 9, face: "bold", widthMax: contentWidth * 0.58 });
  drawAtRight(sheet, seller, { width: contentWidth * 0.38, height: 22, sizeMax: 9, leading: 1.2 }, y + 10);
  sheet.rule(a4.margin, y + 18, contentWidth, 0.5);
}

/** Sets text in a frame whose last line has the baseline `y`. */
function drawAtRight(sheet: Sheet, text: string, frame: Frame, y: number): void {
  const { size, lines } = fit([printable(text)], "regular", frame);
  lines.forEach((line, i) => {
    const above = (lines.length - 1 - i) * size * frame.leading;
    sheet.text(line, { x: a4.width - a4.margin, y: y - above, size, align: "right" });
  });
}
