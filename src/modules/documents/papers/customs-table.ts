// The table of goods and the declaration on a customs paper of the size A4.
import { identifiersText } from "#/kernel/values/customs-rules.ts";
import * as blocks from "#/modules/documents/papers/blocks.ts";
import {
  type DeclaredLine,
  kilogramsText,
  named,
  netWeightOf,
  notGiven,
  valueOfLine,
} from "#/modules/documents/papers/customs-goods.ts";
import { formatAmount, formatThousandths } from "#/modules/documents/papers/notation.ts";
import { a4, contentWidth, type Piece } from "#/modules/documents/papers/pages.ts";
import * as table from "#/modules/documents/papers/table.ts";

const columns: readonly table.Column[] = [
  { title: "No.", width: 32, isNumber: true },
  { title: "Description of goods", width: 0 },
  { title: "HS code", width: 58 },
  { title: "Origin", width: 62 },
  { title: "Quantity", width: 54, isRight: true, isNumber: true },
  { title: "Net weight", width: 56, isRight: true, isNumber: true },
  { title: "Unit value", width: 58, isRight: true, isNumber: true },
  { title: "Total value", width: 62, isRight: true, isNumber: true },
];

const taken = columns.reduce((sum, { width }) => sum + width, 0);
const widened = columns.map((column) => (column.width === 0 ? { ...column, width: contentWidth - taken } : column));

export const goodsHeads = () => table.columnHeads(widened);

/** A row for each line; a missing value is printed as not given. */
export function goodsRows(lines: readonly DeclaredLine[], currency: string): Piece[] {
  return lines.flatMap((line) => table.tableRow(widened, cellsOf(line, valueOfLine(line, currency), currency)));
}

function cellsOf(
  line: DeclaredLine,
  value: string | undefined,
  currency: string,
): readonly (readonly table.Paragraph[])[] {
  const net = netWeightOf(line);
  const amount = (text: string | undefined) => [
    { text: text === undefined ? notGiven : formatAmount(text, currency, "en") },
  ];
  return [
    [{ text: String(line.lineNumber) }],
    [
      { text: line.description, face: "bold" },
      { text: line.identifiers ? identifiersText(line.identifiers) : line.sku },
    ],
    [{ text: line.hsCode?.trim() || notGiven }],
    [{ text: line.countryOfOrigin?.trim() ? named(line.countryOfOrigin.trim()) : notGiven }],
    [{ text: `${formatThousandths(line.qty, "en")} ${line.uom}` }],
    [{ text: net === undefined ? notGiven : kilogramsText(net) }],
    amount(line.unitValue),
    amount(value),
  ];
}

/** The declaration of an A4 paper, with lines for place, name and signature below it. */
export function declarationPieces(declaration: string): Piece[] {
  const lines = ["Place and date", "Name and position", "Signature"];
  const width = contentWidth / lines.length;
  const signature: Piece = {
    height: 52,
    draw(sheet, y) {
      lines.forEach((line, i) => {
        const x = a4.margin + i * width;
        sheet.rule(x, y + 38, width - 14, 0.5);
        sheet.text(line, { x, y: y + 47, size: 7, isGrey: true });
      });
    },
  };
  return blocks
    .textPieces("Declaration", [declaration])
    .concat(signature)
    .map((piece, i, all) => (i === all.length - 1 ? piece : { ...piece, staysWithNext: true }));
}
