// Rejected documents, each for a different reason; one that waits for its catalogue; some with warnings.

import type { FeedType } from "#/kernel/feed-types.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { clientOf } from "#/sandbox/demo/brands.ts";
import type { Besides } from "#/sandbox/demo/day.ts";
import { type OrderDocument, orderXml, purchaseXml, returnXml } from "#/sandbox/demo/documents.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";
import { addressOf } from "#/sandbox/history/addresses.ts";

const leeds = addressOf("Priya Khan, 4 Mill Lane, Leeds, LS1 4AP, GB");
const bergen = addressOf("Ingrid Solheim, Strandgaten 18, Bergen, 5013, NO");

export function refusedFeeds(world: DemoWorld): Besides[] {
  const orderDate = new Date(world.beganMs - 31 * hourMs).toISOString();
  /** @param fileName of a document sent over SFTP. */
  const send = (hoursAgo: number, clientId: string, type: FeedType, xml: string, fileName?: string): Besides => ({
    hoursAgo,
    run: () => world.send({ clientId, type, xml, ...(fileName === undefined ? {} : { channel: "SFTP", fileName }) }),
  });
  const xmlOf = (orderId: string, sku: string, more: Partial<OrderDocument> = {}) =>
    orderXml({ clientId: clientOf(orderId), orderId, orderDate, address: leeds, lines: [{ sku, qty: 1 }], ...more });
  const order = (hoursAgo: number, orderId: string, sku: string, more?: Partial<OrderDocument>, fileName?: string) =>
    send(hoursAgo, clientOf(orderId), "NO", xmlOf(orderId, sku, more), fileName);
  const purchase = (hoursAgo: number, poNumber: string, facilityCode: string, lines: string, fileName: string) => {
    const clientId = clientOf(poNumber);
    return send(hoursAgo, clientId, "PO", purchaseXml({ clientId, poNumber, facilityCode, lines }), fileName);
  };
  const whole = xmlOf("WEB-210001", "TEE-L");
  const strange = whole.replace("WEB-210001", "WEB-210003").replace("<city>Leeds</city>", "<town>Leeds</town>");
  const toCancel = orderXml({ clientId: "DEMO", orderId: "WEB-200007", actionType: "CANCEL" });
  const rma = { clientId: "DEMO", rmaNumber: "RMA-210007", facilityCode: "DC1" };
  const wrongQty = [
    { sku: "TEE-L", qty: 1 },
    { sku: "SOCKS-3", qty: "two" },
  ];
  return [
    // Truncated in transit.
    send(30, "DEMO", "NO", whole.slice(0, whole.length - 60)),
    order(30, "WEB-210002", "TEE-L", { lines: wrongQty }),
    send(24, "DEMO", "NO", strange),
    order(24, "WEB-210004", "TEE-XXL"),
    // A duplicate of an existing order.
    order(8, "WEB-200001", "TEE-L"),
    // The order has already left.
    send(8, "DEMO", "NO", toCancel),
    order(5, "WEB-210005", "TEE-L", { address: { ...leeds, zip: "12" } }),
    purchase(5, "PO-210006", "DC9", "TEE-L 40", "PO-210006.xml"),
    send(5, "DEMO", "RMA", returnXml({ ...rma, orderId: "WEB-404", lines: "TEE-L 1 SIZE" })),
    order(3, "FP-61001", "MUG-ENAMEL", { address: { ...bergen, country: "Norway" } }, "orders-0915.xml"),
    order(3, "FP-61002", "GRAVLAX-300", { address: bergen }),
    purchase(2, "PO-FP-884", "DC2", "RYE-MIX-1KG 60", "po-884.xml"),
    // Parked: only its SKU is unknown, and this client's documents wait for the catalogue.
    order(5, "LL-71001", "CANDLE-PINE-220"),
    order(2, "LL-71002", "CANDLE-FIG-220", { facilityCode: "DC7" }),
    // Accepted with warnings.
    order(5, "LL-71003", "CANDLE-FIG-220", { attributes: { Priority: 12 }, shippingMethod: "BY SLEDGE" }),
    order(5, "FP-61003", "MUG-ENAMEL", { address: bergen, shippingMethod: "PIGEON" }, "orders-0830.xml"),
    order(2, "FP-61004", "TEA-LEAF-100", { address: bergen }, "orders-1040.xml"),
  ];
}
