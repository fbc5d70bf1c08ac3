import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { compareAmounts, sumAmounts } from "#/kernel/values/amount.ts";
import type { PaperLanguage } from "#/kernel/values/paper-languages.ts";
import { addressLines, type Party } from "#/modules/documents/papers/address.ts";
import * as blocks from "#/modules/documents/papers/blocks.ts";
import { formatAmount, formatDate, formatMoney, formatThousandths } from "#/modules/documents/papers/notation.ts";
import * as pages from "#/modules/documents/papers/pages.ts";
import type { OpenSheet } from "#/modules/documents/papers/sheet.ts";
import * as table from "#/modules/documents/papers/table.ts";
import { type Words, wordsIn } from "#/modules/documents/papers/words.ts";

/** The data of a packing slip: a parcel with its order at the time of packing. */
export interface PackingSlip {
  /** The result of {@link paperLanguageOf} for the order. */
  readonly language: PaperLanguage;
  /** When it was packed, ISO 8601 UTC: the date inside the PDF. */
  readonly madeAt: string;
  /** Its local day at the facility, `YYYY-MM-DD`. */
  readonly date: string;
  readonly orderId: string;
  readonly externalOrderReference?: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly orderDate?: string | undefined;
  /** The client that owns the goods: the name in the head. */
  readonly seller: string;
  readonly shipFrom?: Party | undefined;
  readonly shipTo: Party;
  readonly billTo?: Party | undefined;
  readonly parcel?: {
    /** SSCC-18. */
    readonly olpnId: string;
    /** Counted from 1. */
    readonly piece: number;
    /** The number of parcels; undefined while more may follow. */
    readonly pieces?: number | undefined;
    /** Names of carrier and service, as far as known. */
    readonly carrier?: string | undefined;
    readonly trackingNumber?: string | undefined;
  };
  /** Lines of the order; a line without goods in the parcel shows that. */
  readonly lines: readonly PackingSlipLine[];
  /** Present only if `PrintPricesOnPackingSlip` of the order's extendedAttributes is true. */
  readonly prices?: PackingSlipPrices | undefined;
  /** `GiftMessage` of the order's extendedAttributes; its line breaks are kept. */
  readonly giftMessage?: string | undefined;
}

export interface PackingSlipLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** Name of the item. */
  readonly name?: string | undefined;
  /** Stock unit. Quantities are integer thousandths of it. */
  readonly uom: string;
  readonly ordered: number;
  /** The quantity in this parcel. */
  readonly packed: number;
  readonly backordered: number;
  /** The classification of dangerous goods, in the words of transport documents, which are the same in every language. */
  readonly dangerousGoods?: string | undefined;
  readonly batchRefs?: readonly string[];
  readonly serials?: readonly string[];
  /** Canonical amounts (kernel/values/amount.ts) in the currency of the prices: `unitGrossPrice`, else `unitNetPrice`; `lineTotal`. */
  readonly unitPrice?: string | undefined;
  readonly lineTotal?: string | undefined;
}

/** Canonical amounts (kernel/values/amount.ts) of the whole order, from its feed. */
export interface PackingSlipPrices {
  /** ISO 4217. */
  readonly currency: string;
  readonly subtotal?: string | undefined;
  readonly shippingCost?: string | undefined;
  readonly taxes?: string | undefined;
  readonly totalPrice?: string | undefined;
}

/** Prints a packing slip as PDF, A4. The same slip gives the same bytes. */
export function printPackingSlip(slip: PackingSlip, open?: OpenSheet): Uint8Array {
  const { language, parcel, prices, giftMessage } = slip;
  const words = wordsIn(language);
  const columns = columnsOf(words, prices);
  const title = `${words.packingSlip} ${slip.orderId}`;
  const pieces: pages.Piece[] = [
    pages.headPiece(words.packingSlip, slip.seller),
    ...blocks.factRows(
      [
        { label: words.order, value: slip.orderId },
        { label: words.reference, value: slip.externalOrderReference },
        { label: words.orderDate, value: slip.orderDate && formatDate(slip.orderDate, language) },
        { label: words.packedOn, value: formatDate(slip.date, language) },
        { label: words.parcel, value: parcel && pieceOf(words, parcel.piece, parcel.pieces) },
        { label: words.carrier, value: parcel?.carrier },
        { label: words.trackingNumber, value: parcel?.trackingNumber },
        { label: words.sscc, value: parcel?.olpnId },
      ],
      4,
    ),
    pages.space(8),
    blocks.blockRow(addressBlocks(slip, words)),
    ...slip.lines.flatMap((line) => table.tableRow(columns, cellsOf(line, slip, words))),
    ...(prices ? totals(prices, words, language) : []),
    ...(giftMessage?.trim() ? blocks.textPieces(words.giftMessage, giftMessage.trim().split(/\r\n|\r|\n/)) : []),
  ];
  const bytes = pages.printPages(
    { title, language, madeAt: slip.madeAt },
    {
      columnHeads: table.columnHeads(columns),
      footLeft: `${words.order} ${slip.orderId}`,
      foot: (page, of) => filled(words.page, page, of),
      drawHead: (sheet, y) => pages.drawSmallHead(sheet, y, title, slip.seller),
    },
    pieces,
    open,
  );
  return bytes;
}

function pieceOf(words: Words, piece: number, pieces: number | undefined): string {
  return pieces === undefined ? String(piece) : filled(words.pieceOf, piece, pieces);
}

function filled(sentence: string, n: number, m: number): string {
  return sentence.replace("{n}", String(n)).replace("{m}", String(m));
}

function addressBlocks({ shipTo, billTo, shipFrom, language }: PackingSlip, words: Words): blocks.Block[] {
  const parties: [string, Party | undefined][] = [
    [words.shipTo, shipTo],
    [words.billTo, billTo],
    [words.shipFrom, shipFrom],
  ];
  return parties.flatMap(([label, party]) => (party ? [{ label, lines: addressLines(party, language) }] : []));
}

function columnsOf(words: Words, prices: PackingSlipPrices | undefined): table.Column[] {
  const number = { isRight: true, isNumber: true };
  const narrow = [
    { title: words.unit, width: 34 },
    { title: words.ordered, width: 54, ...number },
    { title: words.packed, width: 54, ...number },
    { title: words.toFollow, width: 54, ...number },
    ...(prices
      ? [
          { title: `${words.unitPrice} ${prices.currency}`, width: 62, ...number },
          { title: `${words.lineTotal} ${prices.currency}`, width: 66, ...number },
        ]
      : []),
  ];
  const position = { title: words.line, width: 32, isNumber: true };
  const rest = narrow.reduce((left, { width }) => left - width, pages.contentWidth - position.width);
  return [position, { title: words.article, width: rest }, ...narrow];
}

function cellsOf(line: PackingSlipLine, { language, prices }: PackingSlip, words: Words): table.Paragraph[][] {
  const { batchRefs = [], serials = [], unitPrice, lineTotal } = line;
  const small = { size: 7.5, isGrey: true };
  const quantity = (thousandths: number): table.Paragraph[] => [{ text: formatThousandths(thousandths, language) }];
  const amount = (value: string | undefined): table.Paragraph[] => [
    { text: value === undefined || !prices ? "–" : formatAmount(value, prices.currency, language) },
  ];
  return [
    [{ text: String(line.lineNumber) }],
    [
      { text: line.sku, face: "bold" },
      ...(line.name ? [{ text: line.name }] : []),
      ...(line.dangerousGoods ? [{ text: line.dangerousGoods, ...small }] : []),
      ...(batchRefs.length > 0 ? [{ text: `${words.batch}: ${batchRefs.join(", ")}`, ...small }] : []),
      ...(serials.length > 0 ? [{ text: `${words.serials}: ${serials.join(", ")}`, ...small }] : []),
    ],
    [{ text: line.uom === defaultStockUnit ? words.piece : line.uom }],
    quantity(line.ordered),
    [{ ...(quantity(line.packed)[0] as table.Paragraph), face: "bold" }],
    line.backordered === 0 ? [{ text: "–" }] : quantity(line.backordered),
    ...(prices ? [amount(unitPrice), amount(lineTotal)] : []),
  ];
}

function totals(prices: PackingSlipPrices, words: Words, language: PaperLanguage): pages.Piece[] {
  const { currency, subtotal, shippingCost, taxes, totalPrice } = prices;
  const isTaxIncluded =
    totalPrice !== undefined &&
    subtotal !== undefined &&
    compareAmounts(sumAmounts([subtotal, shippingCost ?? "0"]), totalPrice) === 0;
  const rows = [
    { label: words.subtotal, amount: subtotal },
    { label: words.shipping, amount: shippingCost },
    { label: isTaxIncluded ? words.taxIncluded : words.tax, amount: taxes },
    { label: words.total, amount: totalPrice },
  ].flatMap(({ label, amount }) =>
    amount === undefined ? [] : [{ label, amount: formatMoney(amount, currency, language) }],
  );
  if (rows.length === 0) return [];
  const note: pages.Piece = {
    height: 16,
    draw: (sheet, y) =>
      sheet.text(words.pricesOfOrder, {
        x: pages.a4.width - pages.a4.margin - 3,
        y: y + 10,
        size: 7.5,
        align: "right",
        isGrey: true,
        widthMax: pages.contentWidth,
      }),
  };
  return [{ ...blocks.totalsPiece(rows), staysWithNext: true }, note];
}
