import { identifiersText } from "#/kernel/values/customs-rules.ts";
import {
  type CustomsDeclaration,
  categoryBoxes,
  certification,
  type DeclaredLine,
  kilogramsText,
  named,
  netWeightOf,
  notGiven,
  partyLines,
  titles,
  valueOfGoods,
  valueOfLine,
  weightInKilograms,
} from "#/modules/documents/papers/customs-goods.ts";
import {
  caption,
  fact,
  framed,
  innerWidth,
  type LabelPart,
  labelSize,
  margin,
  rule,
} from "#/modules/documents/papers/label-parts.ts";
import { zplOf } from "#/modules/documents/papers/label-zpl.ts";
import { formatAmount, formatDate, formatMoney, formatThousandths } from "#/modules/documents/papers/notation.ts";
import type { OpenSheet } from "#/modules/documents/papers/sheet.ts";
import { drawLabel } from "#/modules/documents/papers/shipping-label.ts";

/** A declaration with more lines is a CN 23: the rows of a label would be too small to read. */
export const cn22LinesMax = 6;

/** Prints a CN 22 as PDF, 4 × 6 inches. The same declaration gives the same bytes. */
export function printCn22(declaration: CustomsDeclaration, open?: OpenSheet): Uint8Array {
  const { madeAt, itemNumber } = declaration;
  return drawLabel(layOut(declaration), { title: `CN 22 ${itemNumber}`, language: "en", madeAt }, open);
}

/** Prints a CN 22 as ZPL II: the same label as the PDF. */
export function printCn22Zpl(declaration: CustomsDeclaration): Uint8Array {
  return zplOf(layOut(declaration));
}

const weightAt = margin + 158;
const valueAt = margin + 206;
const right = labelSize.width - margin;

const head = 42;
const categoryTop = head + 2;
const tableTop = categoryTop + 34;
const rowsTop = tableTop + 12;
const rowsBottom = 270;

function layOut(declaration: CustomsDeclaration): LabelPart[] {
  const { lines, currency } = declaration;
  const rowHeight = (rowsBottom - rowsTop) / Math.max(lines.length, 4);
  const boxes = categoryBoxes(declaration);
  const total = valueOfGoods(lines, currency);
  const half = innerWidth / 2;
  return [
    ...framed([titles.declaration], { x: margin, y: 8, width: 204, height: 15, sizeMax: 13 }, "bold"),
    ...framed([titles.inFrench, titles.opened], { x: margin, y: 23, width: 204, height: 18, sizeMax: 7 }),
    ...framed(["CN 22"], { x: right - 54, y: 8, width: 54, height: 20, sizeMax: 17 }, "bold"),
    rule(head, 1.5),
    ...boxes.flatMap((box, i) =>
      framed([box], {
        x: margin + Math.floor(i / 3) * half,
        y: categoryTop + (i % 3) * 10,
        width: half - 4,
        height: 10,
        sizeMax: 8,
      }),
    ),
    rule(tableTop - 1),
    caption("QUANTITY AND DETAILED DESCRIPTION", margin, tableTop + 7),
    caption("NET WEIGHT", weightAt, tableTop + 7),
    caption(`VALUE ${currency}`, valueAt, tableTop + 7),
    ...lines.flatMap((line, i) => rowOf(line, currency, rowsTop + i * rowHeight, rowHeight)),
    rule(rowsBottom),
    ...fact("TOTAL GROSS WEIGHT", kilogramsText(weightInKilograms(declaration.grossWeight)), {
      x: weightAt - 60,
      y: rowsBottom + 1,
      width: 100,
      height: 13,
      sizeMax: 10,
    }),
    ...fact("TOTAL VALUE", total === undefined ? notGiven : formatMoney(total, currency, "en"), {
      x: valueAt - 4,
      y: rowsBottom + 1,
      width: right - valueAt + 4,
      height: 13,
      sizeMax: 10,
    }),
    ...fact("ITEM NUMBER", declaration.itemNumber, {
      x: margin,
      y: rowsBottom + 1,
      width: weightAt - 66 - margin,
      height: 13,
      sizeMax: 10,
    }),
    rule(295),
    caption("FROM", margin, 303),
    ...framed(partyLines(declaration.sender), { x: margin, y: 305, width: half - 6, height: 68, sizeMax: 7.5 }),
    caption("TO", margin + half, 303),
    ...framed([...partyLines(declaration.addressee), ...(declaration.importerNumbers ?? [])], {
      x: margin + half,
      y: 305,
      width: half,
      height: 68,
      sizeMax: 7.5,
    }),
    rule(375),
    ...framed([certification], { x: margin, y: 377, width: innerWidth, height: 24, sizeMax: 6.5 }),
    ...fact("DATE", formatDate(declaration.date, "en"), { x: margin, y: 402, width: 70, height: 12, sizeMax: 9 }),
    caption("SIGNATURE OF THE SENDER", margin + 84, 409),
    rule(424),
  ];
}

function rowOf(line: DeclaredLine, currency: string, y: number, height: number): LabelPart[] {
  const net = netWeightOf(line);
  const value = valueOfLine(line, currency);
  const quantity = `${formatThousandths(line.qty, "en")} ${line.uom}`;
  const tariff = `HS ${line.hsCode?.trim() || notGiven}`;
  const origin = `Origin ${line.countryOfOrigin?.trim() ? named(line.countryOfOrigin.trim()) : notGiven}`;
  const identifiers = line.identifiers ? [identifiersText(line.identifiers)] : [];
  const place = { y: y + 1, height: height - 2, sizeMax: 8.5 };
  return [
    ...framed([`${quantity}  ${line.description}`, `${tariff}  ${origin}`, ...identifiers], {
      ...place,
      x: margin,
      width: 152,
    }),
    ...framed([net === undefined ? notGiven : kilogramsText(net)], { ...place, x: weightAt, width: 44 }),
    ...framed([value === undefined ? notGiven : formatAmount(value, currency, "en")], {
      ...place,
      x: valueAt,
      width: right - valueAt,
    }),
  ];
}
