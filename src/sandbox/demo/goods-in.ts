// Inbound goods: purchase orders with receipts that are complete, short, over or damaged.

import { dayMs } from "#/kernel/values/durations.ts";
import { clientOf } from "#/sandbox/demo/brands.ts";
import type { Besides } from "#/sandbox/demo/day.ts";
import { type PurchaseDocument, purchaseXml } from "#/sandbox/demo/documents.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";

interface Receipt {
  readonly hoursAgo: number;
  /** Each line as `number SKU quantity condition`. A line without a number is unplanned; the default is good goods. */
  readonly lines: string;
  readonly closes?: true;
  /** Of all its lines. The shelf life is in days, from the first start on. */
  readonly lot?: { readonly batchRef: string; readonly lastsDays: number };
  readonly sscc?: string;
}

interface Purchase extends Omit<PurchaseDocument, "expectedDate"> {
  readonly hoursAgo: number;
  /** Days from the first start on. */
  readonly expectedIn?: number;
  readonly receipt: Receipt | undefined;
}

/** Each in its carton: the first one has come. */
const [salmonCarton, crispbreadCarton] = ["340123450000088114", "340123450000088121"];

const purchases: readonly Purchase[] = [
  purchase(30, "PO-LL-301", "DC1", "CANDLE-FIG-220 240, CANDLE-MOSS-220 240", {
    hoursAgo: 24,
    lines: "1 CANDLE-FIG-220 240, 2 CANDLE-MOSS-220 228, 2 CANDLE-MOSS-220 12 DAMAGED",
  }),
  // An excess of ten per cent is accepted; of these pieces, forty are beyond it.
  {
    ...purchase(30, "PO-LL-302", "DC1", "CUSHION-LINEN 100, THROW-WOOL 60", {
      hoursAgo: 8,
      lines: "1 CUSHION-LINEN 150, 2 THROW-WOOL 25, VASE-TERRA-S 6",
    }),
    expectedIn: -1,
  },
  purchase(121, "PO-LL-303", "DC2", "VASE-TERRA-S 80", { hoursAgo: 30, lines: "1 VASE-TERRA-S 66", closes: true }),
  { ...purchase(5, "PO-LL-304", "DC1", "LAMP-SMART-E27 120"), vendorOrderId: "ASN-304-A", expectedIn: 0 },
  {
    ...purchase(30, "PO-FP-881", "DC2", "SALMON-SMOKED-200 120, CRISPBREAD-250 200", {
      hoursAgo: 23,
      lines: "1 SALMON-SMOKED-200 110, 1 SALMON-SMOKED-200 10 DAMAGED",
      lot: { batchRef: "FP-2611", lastsDays: 24 },
      sscc: salmonCarton,
    }),
    cartons: [salmonCarton, crispbreadCarton],
    expectedIn: 0,
  },
  { ...purchase(5, "PO-FP-882", "DC2", "COFFEE-LIGHT-500 300, CHOC-SEASALT-85 400"), expectedIn: 2 },
  purchase(121, "PO-FP-883", "DC1", "MUG-ENAMEL 150", { hoursAgo: 97, lines: "1 MUG-ENAMEL 150" }),
];

function purchase(
  hoursAgo: number,
  poNumber: string,
  facilityCode: string,
  lines: string,
  receipt?: Receipt,
): Purchase {
  return { clientId: clientOf(poNumber), poNumber, facilityCode, hoursAgo, lines, receipt };
}

export function goodsIn(world: DemoWorld): Besides[] {
  return purchases.flatMap(({ hoursAgo, receipt, expectedIn, ...document }): Besides[] => {
    const { clientId, poNumber, facilityCode } = document;
    const expectedDate = expectedIn === undefined ? undefined : dateIn(world, expectedIn);
    const xml = purchaseXml({ ...document, expectedDate });
    const run = () => world.send({ clientId, type: "PO", xml, key: `demo-${poNumber}` });
    const sent = { hoursAgo, run };
    if (!receipt) return [sent];
    const { lines, closes, lot, sscc } = receipt;
    const lotFields = lot && { batchRef: lot.batchRef, expiryDate: dateIn(world, lot.lastsDays) };
    const body = {
      clientId,
      poNumber,
      ...(sscc === undefined ? {} : { sscc }),
      receiptId: `RCV-${poNumber.slice(3)}-1`,
      lines: lines.split(", ").map((line) => ({ ...receivedLine(line), ...lotFields })),
      closeOrder: closes === true,
    };
    return [sent, { hoursAgo: receipt.hoursAgo, run: () => world.report(facilityCode, "goodsReceipt", body) }];
  });
}

function receivedLine(text: string) {
  const [, lineNumber, sku, qty, condition] = /^(?:(\d+) )?(\S+) (\d+)(?: (\S+))?$/.exec(text) ?? [];
  return {
    ...(lineNumber === undefined ? {} : { lineNumber: Number(lineNumber) }),
    sku,
    qty: Number(qty),
    ...(condition === undefined ? {} : { condition }),
  };
}

function dateIn({ beganMs }: DemoWorld, days: number): string {
  return new Date(beganMs + days * dayMs).toISOString().slice(0, 10);
}
