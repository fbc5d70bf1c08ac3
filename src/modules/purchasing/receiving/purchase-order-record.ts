import Type, { type Static } from "typebox";
import { closed, moment } from "#/http/routes/schema.ts";
import { attributeOf } from "#/kernel/values/extended-attributes.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { cartonsOf, listCartons, type StoredCarton } from "#/modules/purchasing/carton-repository.ts";
import { purchaseOrderId } from "#/modules/purchasing/receiving/receiving-events.ts";
import {
  type DescribedHeader,
  listReceivingHeaders,
  listReceivingLines,
  type StoredReceivingLine,
} from "#/modules/purchasing/receiving/receiving-repository.ts";
import { type PurchaseOrderRecord, purchaseOrder } from "#/modules/purchasing/rest-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** The record of a notice. @param lines of any notices of its purchase order, as are the cartons */
export function purchaseOrderRecord(
  clientId: string,
  header: DescribedHeader,
  lines: readonly StoredReceivingLine[],
  cartons: readonly StoredCarton[],
): PurchaseOrderRecord {
  const { poNumber, vendorOrderId } = header;
  return {
    clientId,
    poNumber,
    vendorOrderId: vendorOrderId === "" ? null : vendorOrderId,
    status: header.status,
    distributionCentre: header.distributionCentre,
    completedAt: header.completedAt ?? null,
    closedAt: header.closedAt ?? null,
    messageId: header.messageId ?? null,
    expectedDate: expectedDay.exec(attributeOf(header.extendedAttributes, "ExpectedDate") ?? "")?.[0] ?? null,
    carrierCode: header.carrierCode ?? null,
    trackingNumber: header.trackingNumber ?? null,
    extendedAttributes: { ...header.extendedAttributes },
    lines: lines
      .filter((line) => line.poNumber === poNumber && line.vendorOrderId === vendorOrderId)
      .map((line) => ({
        lineNumber: line.lineNumber,
        lineId: line.lineId ?? null,
        sku: line.sku,
        altSku: line.altSku ?? null,
        productName: line.productName ?? null,
        qty: quantityToNumber(line.qty),
        feedQty: quantityToNumber(line.feedQty),
        qtyUom: line.feedUom ?? null,
        qtyReceived: quantityToNumber(line.received),
        qtyDamaged: quantityToNumber(line.damaged),
        discrepancy: line.discrepancy,
      })),
    cartons: cartonsOf(cartons, header),
  };
}

/** The attribute may be any text. */
const expectedDay = /^[12]\d{3}-\d\d-\d\d$/;

/** The record for a warehouse, which knows the purchase order by the id of its task. */
export const warehousePurchaseOrder = Type.Object(
  {
    purchaseOrderId: Type.String({
      description: "Its identifier in tasks and events: poNumber, or poNumber/vendorOrderId.",
      examples: ["PO-7001/V-88"],
    }),
    ...purchaseOrder.properties,
    receivedAt: moment("When the purchase order was accepted."),
    updatedAt: moment("When it last changed."),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [1] }),
  },
  {
    ...closed,
    title: "WarehousePurchaseOrder",
    description: "A purchase order: expected and received quantities.",
  },
);

/** The numbers that an id may begin with: `a/b/c` begins with `a`, `a/b` and `a/b/c`. */
export function numbersOf(id: string): readonly string[] {
  const parts = id.split("/");
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

/** @param id `poNumber` or `poNumber/vendorOrderId`, as in tasks. */
export async function readPurchaseOrder(
  tx: ClientTx,
  id: string,
): Promise<Static<typeof warehousePurchaseOrder> | undefined> {
  const poNumbers = numbersOf(id);
  const [headers, lines, cartons] = await Promise.all([
    listReceivingHeaders(tx, poNumbers),
    listReceivingLines(tx, poNumbers),
    listCartons(tx, poNumbers),
  ]);
  const header = headers.find((candidate) => purchaseOrderId(candidate) === id);
  if (!header) return undefined;
  const { receivedAt, updatedAt, version } = header;
  return {
    purchaseOrderId: id,
    ...purchaseOrderRecord(tx.clientId, header, lines, cartons),
    receivedAt,
    updatedAt,
    version,
  };
}
