// Rejected documents, each for a different reason; one that waits for its catalogue; some with warnings.

import type { FeedType } from "#/kernel/feed-types.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import type { Besides } from "#/sandbox/demo/day.ts";
import { orderXml, purchaseXml, returnXml } from "#/sandbox/demo/documents.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";
import type { HistoryAddress } from "#/sandbox/history/addresses.ts";

const leeds: HistoryAddress = {
  firstName: "Priya",
  lastName: "Khan",
  address1: "4 Mill Lane",
  city: "Leeds",
  zip: "LS1 4AP",
  country: "GB",
};
const bergen: HistoryAddress = {
  firstName: "Ingrid",
  lastName: "Solheim",
  address1: "Strandgaten 18",
  city: "Bergen",
  zip: "5013",
  country: "NO",
};

interface Sending {
  readonly hoursAgo: number;
  readonly clientId: string;
  readonly type: FeedType;
  readonly xml: string;
  /** File name of a document sent over SFTP. */
  readonly fileName?: string;
}

export function refusedFeeds(world: DemoWorld): Besides[] {
  return sendings(world).map(({ hoursAgo, clientId, type, xml, fileName }) => ({
    hoursAgo,
    async run() {
      const channel = fileName === undefined ? "HTTP" : "SFTP";
      await world.send({ clientId, type, xml, channel, ...(fileName === undefined ? {} : { fileName }) });
    },
  }));
}

function sendings({ beganMs }: DemoWorld): Sending[] {
  const orderDate = new Date(beganMs - 31 * hourMs).toISOString();
  const order = (clientId: string, orderId: string, sku: string, more: Partial<Parameters<typeof orderXml>[0]> = {}) =>
    orderXml({ clientId, orderId, orderDate, address: leeds, lines: [{ sku, qty: 1 }], ...more });
  const whole = order("DEMO", "WEB-210001", "TEE-L");
  return [
    // Truncated in transit.
    { hoursAgo: 30, clientId: "DEMO", type: "NO", xml: whole.slice(0, whole.length - 60) },
    {
      hoursAgo: 30,
      clientId: "DEMO",
      type: "NO",
      xml: order("DEMO", "WEB-210002", "TEE-L", {
        lines: [
          { sku: "TEE-L", qty: 1 },
          { sku: "SOCKS-3", qty: "two" },
        ],
      }),
    },
    {
      hoursAgo: 24,
      clientId: "DEMO",
      type: "NO",
      xml: whole.replace("WEB-210001", "WEB-210003").replace("<city>Leeds</city>", "<town>Leeds</town>"),
    },
    { hoursAgo: 24, clientId: "DEMO", type: "NO", xml: order("DEMO", "WEB-210004", "TEE-XXL") },
    // A duplicate of an existing order.
    { hoursAgo: 8, clientId: "DEMO", type: "NO", xml: order("DEMO", "WEB-200001", "TEE-L") },
    // The order has already left.
    {
      hoursAgo: 8,
      clientId: "DEMO",
      type: "NO",
      xml: orderXml({ clientId: "DEMO", orderId: "WEB-200007", actionType: "CANCEL" }),
    },
    {
      hoursAgo: 5,
      clientId: "DEMO",
      type: "NO",
      xml: order("DEMO", "WEB-210005", "TEE-L", { address: { ...leeds, zip: "12" } }),
    },
    {
      hoursAgo: 5,
      clientId: "DEMO",
      type: "PO",
      fileName: "PO-210006.xml",
      xml: purchaseXml({ clientId: "DEMO", poNumber: "PO-210006", facilityCode: "DC9", lines: [["TEE-L", 40]] }),
    },
    {
      hoursAgo: 5,
      clientId: "DEMO",
      type: "RMA",
      xml: returnXml({
        clientId: "DEMO",
        rmaNumber: "RMA-210007",
        facilityCode: "DC1",
        orderId: "WEB-404",
        lines: [["TEE-L", 1, "SIZE"]],
      }),
    },
    {
      hoursAgo: 3,
      clientId: "FJORD",
      type: "NO",
      fileName: "orders-0915.xml",
      xml: order("FJORD", "FP-61001", "MUG-ENAMEL", { address: { ...bergen, country: "Norway" } }),
    },
    { hoursAgo: 3, clientId: "FJORD", type: "NO", xml: order("FJORD", "FP-61002", "GRAVLAX-300", { address: bergen }) },
    {
      hoursAgo: 2,
      clientId: "FJORD",
      type: "PO",
      fileName: "po-884.xml",
      xml: purchaseXml({ clientId: "FJORD", poNumber: "PO-FP-884", facilityCode: "DC2", lines: [["RYE-MIX-1KG", 60]] }),
    },
    // Parked: only its SKU is unknown, and this client's documents wait for the catalogue.
    { hoursAgo: 5, clientId: "LUMEN", type: "NO", xml: order("LUMEN", "LL-71001", "CANDLE-PINE-220") },
    {
      hoursAgo: 2,
      clientId: "LUMEN",
      type: "NO",
      xml: order("LUMEN", "LL-71002", "CANDLE-FIG-220", { facilityCode: "DC7" }),
    },
    // Accepted with warnings.
    {
      hoursAgo: 5,
      clientId: "LUMEN",
      type: "NO",
      xml: order("LUMEN", "LL-71003", "CANDLE-FIG-220", { attributes: { Priority: 12 }, shippingMethod: "BY SLEDGE" }),
    },
    {
      hoursAgo: 5,
      clientId: "FJORD",
      type: "NO",
      fileName: "orders-0830.xml",
      xml: order("FJORD", "FP-61003", "MUG-ENAMEL", { address: bergen, shippingMethod: "PIGEON" }),
    },
    {
      hoursAgo: 2,
      clientId: "FJORD",
      type: "NO",
      fileName: "orders-1040.xml",
      xml: order("FJORD", "FP-61004", "TEA-LEAF-100", { address: bergen }),
    },
  ];
}
