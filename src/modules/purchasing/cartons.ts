import { checkLimit, linePath, purchaseOrderCartonsMax, purchaseOrderLinesMax } from "#/intake/feeds/intake/checks.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { isSscc } from "#/kernel/values/gtin.ts";
import { formatQuantity, parseQuantity } from "#/kernel/values/quantity.ts";
import type { QuantityLine } from "#/modules/catalogue/index.ts";
import type { VendorOrder } from "#/modules/purchasing/contract.ts";

/** A carton that a purchase order announces. */
export interface Carton {
  readonly path: string;
  readonly sscc: string;
  readonly trackingNumber: string | undefined;
  readonly lines: readonly CartonLine[];
}

/** Goods in a carton: of a line of the purchase order, or of the lines of a SKU. */
export interface CartonLine extends QuantityLine {
  readonly lineNumber: number | undefined;
  /** As sent; `feedUom` is that of the line of the purchase order where it is left out. */
  readonly sentUom: string | undefined;
  readonly batchRef: string | undefined;
  readonly expiryDate: string | undefined;
}

interface OrderLine extends QuantityLine {
  readonly lineNumber: number;
}

type CartonElement = NonNullable<VendorOrder["cartons"]>[number];
type LineElement = NonNullable<CartonElement["lines"]>[number];

/** The cartons of a PO with the faults that need no database. Content that is of no line is left out. */
export function readCartons(
  elements: readonly CartonElement[],
  orderLines: readonly OrderLine[],
): { readonly cartons: readonly Carton[]; readonly faults: readonly Finding[] } {
  const lineCount = elements.reduce((sum, { lines = [] }) => sum + lines.length, 0);
  const faults: Finding[] = [
    ...checkLimit(elements.length, purchaseOrderCartonsMax, "cartons"),
    ...checkLimit(lineCount, purchaseOrderLinesMax, "lines of cartons"),
  ];
  if (faults.length > 0) return { cartons: [], faults };
  const byNumber = new Map(orderLines.map((line) => [line.lineNumber, line]));
  const bySku = new Map(orderLines.toReversed().map((line) => [line.sku, line]));
  const seen = new Set<string>();
  const cartons = elements.map(({ sscc = "", trackingNumber, lines = [] }, i): Carton => {
    const path = linePath("cartons/", i, elements.length, "carton");
    const fault = (text: string) => faults.push(finding("VALUE", `${path}/sscc: '${sscc}' ${text}`));
    if (!isSscc(sscc)) fault("is not an SSCC: its check digit is wrong");
    if (seen.has(sscc)) fault("is used more than once");
    seen.add(sscc);
    const places = lines.map((line, j) => ({ line, at: linePath(`${path}/lines/`, j, lines.length) }));
    return { path, sscc, trackingNumber, lines: places.flatMap(({ line, at }) => readContent(line, at)) };
  });
  return { cartons, faults };

  function readContent({ lineNumber, sku, qty, qtyUom, batchRef, expiryDate }: LineElement, at: string): CartonLine[] {
    const number = lineNumber === undefined ? undefined : Number(lineNumber);
    const ordered = number === undefined ? bySku.get(sku ?? "") : byNumber.get(number);
    if (ordered === undefined || (sku !== undefined && sku !== ordered.sku)) {
      faults.push(finding("VALUE", faultOfContent(at, number, sku, ordered)));
      return [];
    }
    const content = {
      path: `${at}/qty`,
      lineNumber: number,
      sku: ordered.sku,
      feedQty: parseQuantity((qty as string).trim()) as number,
      feedUom: qtyUom ?? ordered.feedUom,
      sentUom: qtyUom,
      batchRef,
      expiryDate,
      qty: 0,
      uom: "",
    };
    return [content];
  }
}

function faultOfContent(
  at: string,
  number: number | undefined,
  sku: string | undefined,
  ordered: OrderLine | undefined,
): string {
  if (ordered !== undefined) return `${at}/sku: '${sku}' is not the SKU of line ${number}, which is ${ordered.sku}`;
  if (number !== undefined) return `${at}/lineNumber: '${number}' is not a line of the document`;
  return sku === undefined
    ? `${at}: has neither lineNumber nor sku`
    : `${at}/sku: '${sku}' is on no line of the document`;
}

/** Cartons that hold more of a line, or of a SKU, than is ordered. Called with converted quantities. */
export function faultsOfContents(cartons: readonly Carton[], orderLines: readonly OrderLine[]): Finding[] {
  const ordered = new Map<number | string, number>();
  const add = (to: Map<number | string, number>, key: number | string, qty: number) => {
    const sum = (to.get(key) ?? 0) + qty;
    to.set(key, sum);
    return sum;
  };
  for (const { lineNumber, sku, qty } of orderLines) for (const key of [lineNumber, sku]) add(ordered, key, qty);
  const held = new Map<number | string, number>();
  return cartons.flatMap(({ lines }) =>
    lines.flatMap(({ path, lineNumber, sku, qty }) => {
      const sumOfLine = lineNumber === undefined ? 0 : add(held, lineNumber, qty);
      const sumOfSku = add(held, sku, qty);
      const most = ordered.get(sku) ?? 0;
      const mostOfLine = lineNumber === undefined ? 0 : (ordered.get(lineNumber) ?? 0);
      const text = (sum: number, what: string, max: number) =>
        `${path}: '${formatQuantity(qty)}' is too much: the cartons would hold ${formatQuantity(sum)} of ${what}, which orders ${formatQuantity(max)}`;
      if (sumOfLine > mostOfLine) return [finding("VALUE", text(sumOfLine, `line ${lineNumber}`, mostOfLine))];
      return sumOfSku > most ? [finding("VALUE", text(sumOfSku, `SKU ${sku}`, most))] : [];
    }),
  );
}
