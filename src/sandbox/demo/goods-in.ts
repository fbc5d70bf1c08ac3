// Inbound goods: purchase orders with receipts that are complete, short, over or damaged.

import { dayMs } from "#/kernel/values/durations.ts";
import type { Besides } from "#/sandbox/demo/day.ts";
import { purchaseXml } from "#/sandbox/demo/documents.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";

interface ReceivedLine {
  readonly lineNumber?: number;
  readonly sku: string;
  readonly qty: number;
  readonly condition?: "GOOD" | "DAMAGED" | "QUARANTINE";
  readonly batchRef?: string;
  /** Shelf life in days, from the first start on. */
  readonly lastsDays?: number;
}

interface Purchase {
  readonly clientId: string;
  readonly poNumber: string;
  readonly vendorOrderId?: string;
  readonly facilityCode: string;
  readonly hoursAgo: number;
  readonly lines: readonly (readonly [sku: string, qty: number])[];
  readonly receipts: readonly {
    readonly hoursAgo: number;
    readonly lines: readonly ReceivedLine[];
    readonly closes?: true;
  }[];
}

const purchases: readonly Purchase[] = [
  {
    clientId: "LUMEN",
    poNumber: "PO-LL-301",
    facilityCode: "DC1",
    hoursAgo: 30,
    lines: [
      ["CANDLE-FIG-220", 240],
      ["CANDLE-MOSS-220", 240],
    ],
    receipts: [
      {
        hoursAgo: 24,
        lines: [
          { lineNumber: 1, sku: "CANDLE-FIG-220", qty: 240 },
          { lineNumber: 2, sku: "CANDLE-MOSS-220", qty: 228 },
          { lineNumber: 2, sku: "CANDLE-MOSS-220", qty: 12, condition: "DAMAGED" },
        ],
      },
    ],
  },
  {
    // An excess of ten per cent is accepted; of these pieces, forty are beyond it.
    clientId: "LUMEN",
    poNumber: "PO-LL-302",
    facilityCode: "DC1",
    hoursAgo: 30,
    lines: [
      ["CUSHION-LINEN", 100],
      ["THROW-WOOL", 60],
    ],
    receipts: [
      {
        hoursAgo: 8,
        lines: [
          { lineNumber: 1, sku: "CUSHION-LINEN", qty: 150 },
          { lineNumber: 2, sku: "THROW-WOOL", qty: 25 },
          { sku: "VASE-TERRA-S", qty: 6 },
        ],
      },
    ],
  },
  {
    clientId: "LUMEN",
    poNumber: "PO-LL-303",
    facilityCode: "DC2",
    hoursAgo: 121,
    lines: [["VASE-TERRA-S", 80]],
    receipts: [{ hoursAgo: 30, lines: [{ lineNumber: 1, sku: "VASE-TERRA-S", qty: 66 }], closes: true }],
  },
  {
    clientId: "LUMEN",
    poNumber: "PO-LL-304",
    vendorOrderId: "ASN-304-A",
    facilityCode: "DC1",
    hoursAgo: 5,
    lines: [["LAMP-SMART-E27", 120]],
    receipts: [],
  },
  {
    clientId: "FJORD",
    poNumber: "PO-FP-881",
    facilityCode: "DC2",
    hoursAgo: 30,
    lines: [
      ["SALMON-SMOKED-200", 120],
      ["CRISPBREAD-250", 200],
    ],
    receipts: [
      {
        hoursAgo: 23,
        lines: [
          { lineNumber: 1, sku: "SALMON-SMOKED-200", qty: 110, batchRef: "FP-2611", lastsDays: 24 },
          {
            lineNumber: 1,
            sku: "SALMON-SMOKED-200",
            qty: 10,
            batchRef: "FP-2611",
            lastsDays: 24,
            condition: "DAMAGED",
          },
        ],
      },
    ],
  },
  {
    clientId: "FJORD",
    poNumber: "PO-FP-882",
    facilityCode: "DC2",
    hoursAgo: 5,
    lines: [
      ["COFFEE-LIGHT-500", 300],
      ["CHOC-SEASALT-85", 400],
    ],
    receipts: [],
  },
  {
    clientId: "FJORD",
    poNumber: "PO-FP-883",
    facilityCode: "DC1",
    hoursAgo: 121,
    lines: [["MUG-ENAMEL", 150]],
    receipts: [{ hoursAgo: 97, lines: [{ lineNumber: 1, sku: "MUG-ENAMEL", qty: 150 }] }],
  },
];

export function goodsIn(world: DemoWorld): Besides[] {
  const sent = purchases.map((purchase) => ({
    hoursAgo: purchase.hoursAgo,
    async run() {
      const xml = purchaseXml(purchase);
      await world.send({ clientId: purchase.clientId, type: "PO", xml, key: `demo-${purchase.poNumber}` });
    },
  }));
  const received = purchases.flatMap(({ clientId, poNumber, vendorOrderId, facilityCode, receipts }) =>
    receipts.map(({ hoursAgo, lines, closes }, i) => ({
      hoursAgo,
      async run() {
        await world.report(facilityCode, "goodsReceipt", {
          clientId,
          poNumber,
          ...(vendorOrderId === undefined ? {} : { vendorOrderId }),
          receiptId: `RCV-${poNumber.slice(3)}-${i + 1}`,
          lines: lines.map(({ lastsDays, ...line }) => ({
            ...line,
            ...(lastsDays === undefined ? {} : { expiryDate: dateIn(world, lastsDays) }),
          })),
          closeOrder: closes === true,
        });
      },
    })),
  );
  return [...sent, ...received];
}

export function dateIn({ beganMs }: DemoWorld, days: number): string {
  return new Date(beganMs + days * dayMs).toISOString().slice(0, 10);
}
