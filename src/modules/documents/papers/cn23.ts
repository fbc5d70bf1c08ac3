import * as blocks from "#/modules/documents/papers/blocks.ts";
import {
  type CustomsDeclaration,
  categoryBoxes,
  certification,
  kilogramsText,
  named,
  netWeightOfGoods,
  notGiven,
  partyLines,
  titles,
  valueOfGoods,
  weightInKilograms,
} from "#/modules/documents/papers/customs-goods.ts";
import { declarationPieces, goodsHeads, goodsRows } from "#/modules/documents/papers/customs-table.ts";
import { formatDate, formatMoney } from "#/modules/documents/papers/notation.ts";
import * as pages from "#/modules/documents/papers/pages.ts";
import type { OpenSheet } from "#/modules/documents/papers/sheet.ts";

/** Prints a CN 23 as PDF, A4. The same declaration gives the same bytes. */
export function printCn23(declaration: CustomsDeclaration, open?: OpenSheet): Uint8Array {
  const { madeAt, itemNumber, operator, lines, currency, sender, addressee, importerNumbers = [] } = declaration;
  const title = `CN 23 ${itemNumber}`;
  const seller = sender.companyName ?? "";
  return pages.printPages(
    { title, language: "en", madeAt },
    {
      columnHeads: goodsHeads(),
      footLeft: title,
      foot: (page, of) => `Page ${page} of ${of}`,
      drawHead: (sheet, y) => pages.drawSmallHead(sheet, y, title, seller),
    },
    [
      pages.headPiece("CN 23", operator),
      ...blocks.factRows([{ label: titles.opened, value: `${titles.declaration} / ${titles.inFrench}` }], 1),
      ...blocks.factRows(facts(declaration), 4),
      ...blocks.factRows(
        categoryBoxes(declaration).map((value, i) => ({ label: i === 0 ? "Category of item" : " ", value })),
        3,
      ),
      pages.space(8),
      blocks.blockRow([
        { label: "From", lines: partyLines(sender) },
        { label: "To", lines: partyLines(addressee) },
        { label: "Importer’s reference", lines: importerNumbers.length === 0 ? [notGiven] : importerNumbers },
      ]),
      ...goodsRows(lines, currency),
      blocks.totalsPiece(totals(declaration)),
      ...declarationPieces(certification),
    ],
    open,
  );
}

function facts({ itemNumber, date, orderId, addressee, currency, invoiceNumber }: CustomsDeclaration): blocks.Fact[] {
  return [
    { label: "Item number", value: itemNumber },
    { label: "Date", value: formatDate(date, "en") },
    { label: "Order", value: orderId },
    { label: "Invoice", value: invoiceNumber },
    { label: "Currency", value: currency },
    { label: "Country of destination", value: addressee.country && named(addressee.country) },
  ];
}

function totals({ lines, currency, grossWeight }: CustomsDeclaration) {
  const net = netWeightOfGoods(lines);
  const value = valueOfGoods(lines, currency);
  return [
    { label: "Total net weight", amount: net === undefined ? notGiven : kilogramsText(net) },
    { label: "Total gross weight", amount: kilogramsText(weightInKilograms(grossWeight)) },
    { label: "Total value", amount: value === undefined ? notGiven : formatMoney(value, currency, "en") },
  ];
}
