import { sumAmounts } from "#/kernel/values/amount.ts";
import { addressLines, type Party } from "#/modules/documents/papers/address.ts";
import * as blocks from "#/modules/documents/papers/blocks.ts";
import { countryName } from "#/modules/documents/papers/language.ts";
import {
  formatAmount,
  formatDate,
  formatMoney,
  formatThousandths,
  formatWeight,
  minorDigitsOf,
  type Weight,
} from "#/modules/documents/papers/notation.ts";
import * as pages from "#/modules/documents/papers/pages.ts";
import type { PaperWarning } from "#/modules/documents/papers/printed.ts";
import type { OpenSheet } from "#/modules/documents/papers/sheet.ts";
import * as table from "#/modules/documents/papers/table.ts";

/** The reasons for the export. */
const reasons = {
  SALE: "Sale",
  GIFT: "Gift",
  SAMPLE: "Commercial sample",
  RETURN: "Return of goods",
  REPAIR: "Repair or replacement",
} as const;
export type ReasonForExport = keyof typeof reasons;

/** A party of a customs declaration. */
export interface CustomsParty extends Party {
  /** Its customs numbers, in printed form: `EORI DE1234567`, `VAT DE123456789`, `IOSS IM…`. */
  readonly customsNumbers?: readonly string[];
}

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
  readonly lines: readonly CommercialInvoiceLine[];
  /** ISO 4217. */
  readonly currency: string;
  /** Canonical amount (kernel/amount.ts). */
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

export interface CommercialInvoiceLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** Name of the item. */
  readonly description: string;
  /** `HsCode` of the item's extendedAttributes. */
  readonly hsCode?: string | undefined;
  /** `countryOfOrigin` of the item, ISO 3166-1 alpha-2. */
  readonly countryOfOrigin?: string | undefined;
  /** Integer thousandths of the stock unit. */
  readonly qty: number;
  readonly uom: string;
  /** The weight of one unit: the item's weight. */
  readonly unitNetWeight?: Weight | undefined;
  /** Canonical amount (kernel/amount.ts) without tax: `unitNetPrice`, the customs value of the goods. */
  readonly unitValue?: string | undefined;
}

const notGiven = "not given";

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
  const taken = columns.reduce((sum, { width }) => sum + width, 0);
  const widened = columns.map((column) =>
    column.width === 0 ? { ...column, width: pages.contentWidth - taken } : column,
  );
  const values = invoice.lines.map((line) => valueOfLine(line, currency));
  const bytes = pages.printPages(
    { title, language: "en", madeAt: invoice.madeAt },
    {
      columnHeads: table.columnHeads(widened),
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
      ...invoice.lines.flatMap((line, i) => table.tableRow(widened, cellsOf(line, values[i], currency))),
      blocks.totalsPiece(totals(invoice, values)),
      ...declarationPieces(),
    ],
    open,
  );
  return bytes;
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

function named(country: string): string {
  return `${countryName(country.toUpperCase(), "en")} (${country.toUpperCase()})`;
}

function partyLines(party: CustomsParty): string[] {
  const contact = [party.phone, party.email].flatMap((text) => text?.trim() || []);
  return [...addressLines(party, "en"), ...(party.customsNumbers ?? []), ...contact];
}

/**
 * Value of a line: unit value times quantity, rounded half up to the currency's minor unit; undefined without a unit
 * value.
 */
function valueOfLine({ qty, unitValue }: CommercialInvoiceLine, currency: string): string | undefined {
  if (unitValue === undefined) return undefined;
  const [integer = "0", fraction = ""] = unitValue.split(".");
  const product = BigInt(integer + fraction.padEnd(4, "0")) * BigInt(qty);
  // Ten-thousandths times thousandths are ten-millionths.
  const step = 10n ** BigInt(7 - minorDigitsOf(currency));
  const minor = ((product + step / 2n) / step).toString().padStart(minorDigitsOf(currency) + 1, "0");
  const point = minor.length - minorDigitsOf(currency);
  return sumAmounts([`${minor.slice(0, point)}.${minor.slice(point)}`]);
}

const kilograms = { KG: 1, G: 0.001, LB: 0.45359237, OZ: 0.028349523125 } as const;

/** Net weight of a line, in kilograms; undefined if the item has no weight. */
function netWeightOf({ unitNetWeight, qty }: CommercialInvoiceLine): number | undefined {
  return unitNetWeight && (unitNetWeight.value * kilograms[unitNetWeight.uom] * qty) / 1000;
}

/** Rounded to the gram, but a weight above zero is never printed as zero. */
function kilogramsText(value: number): string {
  const grams = Math.round(value * 1000) / 1000;
  return formatWeight({ value: grams === 0 ? value : grams, uom: "KG" }, "en");
}

function cellsOf(
  line: CommercialInvoiceLine,
  value: string | undefined,
  currency: string,
): readonly (readonly table.Paragraph[])[] {
  const net = netWeightOf(line);
  const amount = (text: string | undefined) => [
    { text: text === undefined ? notGiven : formatAmount(text, currency, "en") },
  ];
  return [
    [{ text: String(line.lineNumber) }],
    [{ text: line.description, face: "bold" }, { text: line.sku }],
    [{ text: line.hsCode?.trim() || notGiven }],
    [{ text: line.countryOfOrigin?.trim() ? named(line.countryOfOrigin.trim()) : notGiven }],
    [{ text: `${formatThousandths(line.qty, "en")} ${line.uom}` }],
    [{ text: net === undefined ? notGiven : kilogramsText(net) }],
    amount(line.unitValue),
    amount(value),
  ];
}

/** Sums are printed only if no value is missing. */
function totals(invoice: CommercialInvoice, values: readonly (string | undefined)[]) {
  const { currency, shippingCost } = invoice;
  const isComplete = values.every((value) => value !== undefined);
  const goods = sumAmounts(values.filter((value) => value !== undefined));
  const money = (amount: string) => (isComplete ? formatMoney(amount, currency, "en") : notGiven);
  const weights = invoice.lines.map(netWeightOf).filter((weight) => weight !== undefined);
  const net = weights.length === invoice.lines.length ? weights.reduce((sum, weight) => sum + weight, 0) : undefined;
  return [
    { label: "Total net weight", amount: net === undefined ? notGiven : kilogramsText(net) },
    { label: "Value of goods", amount: money(goods) },
    ...(shippingCost === undefined ? [] : [{ label: "Freight", amount: formatMoney(shippingCost, currency, "en") }]),
    { label: "Total invoice value", amount: money(sumAmounts([goods, shippingCost ?? "0"])) },
  ];
}

function declarationPieces(): pages.Piece[] {
  const lines = ["Place and date", "Name and position", "Signature"];
  const width = pages.contentWidth / lines.length;
  const signature: pages.Piece = {
    height: 52,
    draw(sheet, y) {
      lines.forEach((line, i) => {
        const x = pages.a4.margin + i * width;
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

/** Fields that customs ask for and the invoice lacks. */
export function warningsOfInvoice(invoice: CommercialInvoice): PaperWarning[] {
  const warnings: PaperWarning[] = [];
  if (!invoice.incoterm?.trim()) {
    warnings.push({
      code: "INCOTERM_MISSING",
      text: "The order has no IncotermName: the invoice says that it is not given.",
    });
  }
  for (const line of invoice.lines) {
    const { lineNumber, sku } = line;
    const missing = (code: PaperWarning["code"], what: string) =>
      warnings.push({ code, lineNumber, text: `Line ${lineNumber}, SKU ${sku}: ${what}.` });
    if (!line.hsCode?.trim()) missing("HS_CODE_MISSING", "the item has no HsCode");
    if (!line.countryOfOrigin?.trim()) missing("ORIGIN_MISSING", "the item has no countryOfOrigin");
    if (line.unitValue === undefined) missing("VALUE_MISSING", "the order names no unitNetPrice");
    if (!line.unitNetWeight) missing("NET_WEIGHT_MISSING", "the item has no weight");
  }
  return warnings;
}
