import { sumAmounts } from "#/kernel/values/amount.ts";
import type { ReasonForExport } from "#/kernel/values/customs-numbers.ts";
import * as blocks from "#/modules/documents/papers/blocks.ts";
import {
  type CustomsParty,
  type DeclaredLine,
  kilogramsText,
  named,
  netWeightOfGoods,
  notGiven,
  partyLines,
  valueOfGoods,
  warningsOfGoods,
} from "#/modules/documents/papers/customs-goods.ts";
import { declarationPieces, goodsHeads, goodsRows } from "#/modules/documents/papers/customs-table.ts";
import { formatDate, formatMoney, formatWeight, type Weight } from "#/modules/documents/papers/notation.ts";
import * as pages from "#/modules/documents/papers/pages.ts";
import type { PaperWarning } from "#/modules/documents/papers/printed.ts";
import type { OpenSheet } from "#/modules/documents/papers/sheet.ts";

const reasons: Readonly<Record<ReasonForExport, string>> = {
  SALE: "Sale",
  GIFT: "Gift",
  SAMPLE: "Commercial sample",
  RETURN: "Return of goods",
  REPAIR: "Repair or replacement",
};

/**
 * The data of a commercial invoice: a consignment that crosses a customs border. In English, for all customs offices.
 */
export interface CommercialInvoice {
  /** At most 64 characters; for example the identifier of the parcel or the order. */
  readonly invoiceNumber: string;
  /** When it was packed, ISO 8601 UTC: the date inside the PDF. */
  readonly madeAt: string;
  /** Its local day at the facility, `YYYY-MM-DD`. */
  readonly date: string;
  readonly orderId: string;
  readonly externalOrderReference?: string | undefined;
  readonly exporter: CustomsParty;
  /** The party that pays duties and taxes, the buyer: `billToAddress`, else `shipToAddress`. */
  readonly importer: CustomsParty;
  /** The destination of the goods: `shipToAddress`. */
  readonly consignee: CustomsParty;
  readonly lines: readonly DeclaredLine[];
  /** ISO 4217. */
  readonly currency: string;
  /** Canonical amount (kernel/values/amount.ts). */
  readonly shippingCost?: string | undefined;
  /** `IncotermName` of the order's extendedAttributes, such as `DAP`. */
  readonly incoterm?: string | undefined;
  readonly reasonForExport: ReasonForExport;
  /** SSCC-18 of its parcels. */
  readonly olpnIds: readonly string[];
  readonly grossWeight?: Weight | undefined;
  readonly carrier?: string | undefined;
  readonly trackingNumber?: string | undefined;
}

const declaration =
  "I declare that all information on this invoice is true and correct, that the values stated are those for customs purposes, and that the contents of this consignment are as stated above.";

/**
 * Prints a commercial invoice as PDF, A4. A missing value that customs require is printed as not given, with a warning.
 * The same invoice gives the same bytes.
 */
export function printCommercialInvoice(invoice: CommercialInvoice, open?: OpenSheet): Uint8Array {
  const { currency, consignee, exporter } = invoice;
  const title = `Commercial invoice ${invoice.invoiceNumber}`;
  const seller = exporter.companyName ?? "";
  return pages.printPages(
    { title, language: "en", madeAt: invoice.madeAt },
    {
      columnHeads: goodsHeads(),
      footLeft: title,
      foot: (page, of) => `Page ${page} of ${of}`,
      drawHead: (sheet, y) => pages.drawSmallHead(sheet, y, title, seller),
    },
    [
      pages.headPiece("Commercial invoice", seller),
      ...blocks.factRows(facts(invoice), 4),
      pages.space(8),
      blocks.blockRow([
        { label: "Exporter", lines: partyLines(exporter) },
        { label: "Importer", lines: partyLines(invoice.importer) },
        { label: "Consignee", lines: partyLines(consignee) },
      ]),
      ...goodsRows(invoice.lines, currency),
      blocks.totalsPiece(totals(invoice)),
      ...declarationPieces(declaration),
    ],
    open,
  );
}

function facts(invoice: CommercialInvoice): blocks.Fact[] {
  const { consignee, grossWeight, olpnIds } = invoice;
  return [
    { label: "Invoice number", value: invoice.invoiceNumber },
    { label: "Date", value: formatDate(invoice.date, "en") },
    { label: "Order", value: invoice.orderId },
    { label: "Buyer’s reference", value: invoice.externalOrderReference },
    { label: "Reason for export", value: reasons[invoice.reasonForExport] },
    { label: "Incoterm", value: invoice.incoterm ?? notGiven },
    { label: "Currency", value: invoice.currency },
    { label: "Country of destination", value: consignee.country && named(consignee.country) },
    { label: "Carrier", value: invoice.carrier },
    { label: "Tracking number", value: invoice.trackingNumber },
    { label: "Packages", value: String(olpnIds.length) },
    { label: "Gross weight", value: grossWeight && formatWeight(grossWeight, "en") },
    { label: "Parcel numbers (SSCC)", value: olpnIds.join(" ") },
  ];
}

/** Sums are printed only if no value is missing. */
function totals({ lines, currency, shippingCost }: CommercialInvoice) {
  const goods = valueOfGoods(lines, currency);
  const money = (amount: string | undefined) => (amount === undefined ? notGiven : formatMoney(amount, currency, "en"));
  const net = netWeightOfGoods(lines);
  return [
    { label: "Total net weight", amount: net === undefined ? notGiven : kilogramsText(net) },
    { label: "Value of goods", amount: money(goods) },
    ...(shippingCost === undefined ? [] : [{ label: "Freight", amount: formatMoney(shippingCost, currency, "en") }]),
    { label: "Total invoice value", amount: money(goods && sumAmounts([goods, shippingCost ?? "0"])) },
  ];
}

/** Fields that customs ask for and the invoice lacks. */
export function warningsOfInvoice(invoice: CommercialInvoice): PaperWarning[] {
  const warnings: PaperWarning[] = [];
  if (!invoice.incoterm?.trim()) {
    warnings.push({
      code: "INCOTERM_MISSING",
      text: "The order has no IncotermName: the invoice says that it is not given.",
    });
  }
  return [...warnings, ...warningsOfGoods(invoice.lines)];
}
