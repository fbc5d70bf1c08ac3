import { printCommercialInvoice } from "#/modules/documents/papers/commercial-invoice.ts";
import { printShippingLabelZpl } from "#/modules/documents/papers/label-zpl.ts";
import { printPackingSlip } from "#/modules/documents/papers/packing-slip.ts";
import { drawPicture } from "#/modules/documents/papers/picture.ts";
import { printShippingLabel } from "#/modules/documents/papers/shipping-label.ts";
import { invoice, label, line, lodz, prices, slip } from "../tests/support/papers/papers.ts";
import { machine, median } from "./feeds/machine.ts";

/**
 * Measures the processor time of a paper. Each paper is for another order, so that no name is shaped twice; the
 * catalogue has 1 000 items. Packing prints a slip and a label in both forms for each parcel.
 */
export async function run(args: readonly string[]): Promise<void> {
  const at = args.indexOf("--count");
  const count = at < 0 ? 300 : Number(args[at + 1]);
  console.log(`${new Date().toISOString().slice(0, 10)}, ${machine()}`);
  const papers: [string, Print][] = [
    ["packing slips of 3 lines", (order) => printPackingSlip(slipOf(order, 3))],
    ["packing slips of 30 lines with prices", (order) => printPackingSlip({ ...slipOf(order, 30), prices })],
    ["shipping labels, PDF", (order) => printShippingLabel(labelOf(order))],
    ["shipping labels, ZPL", (order) => printShippingLabelZpl(labelOf(order))],
    ["shipping labels, ZPL, with Polish letters", (order) => printShippingLabelZpl(labelOf(order, lodz))],
    ["shipping labels, PNG", (order) => drawPicture(printShippingLabel(labelOf(order)))],
    ["commercial invoices", (order) => printCommercialInvoice({ ...invoice(), orderId: `WEB-${order}` })],
  ];
  for (const [name, print] of papers) {
    for (let order = 0; order < count / 3; order++) await print(order);
    const rounds: number[] = [];
    for (const round of [1, 2, 3]) rounds.push(await measure(print, count, round * count));
    const size = ((await print(1)).byteLength / 1024).toFixed(1);
    console.log(`${name}: ${median(rounds).toFixed(2)} ms of processor time, ${size} KiB each`);
  }
}

type Print = (order: number) => Uint8Array | Promise<Uint8Array>;

async function measure(print: Print, count: number, first: number): Promise<number> {
  const before = process.cpuUsage();
  for (let order = first; order < first + count; order++) await print(order);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / count;
}

function addressOf(order: number, like = slip().shipTo) {
  return { ...like, lastName: `Name${order}`, address1: `${order} Harbour Road` };
}

function slipOf(order: number, lines: number) {
  return slip({
    orderId: `WEB-${order}`,
    shipTo: addressOf(order),
    lines: Array.from({ length: lines }, (_, i) => {
      const item = (order * 7 + i) % 1000;
      return line({ lineNumber: i + 1, sku: `SKU-${item}`, name: `Becher „Ahoi“, Größe ${item}` });
    }),
  });
}

function labelOf(order: number, like = slip().shipTo) {
  return label({ orderId: `WEB-${order}`, trackingNumber: `RM${order}GB`, shipTo: addressOf(order, like) });
}
