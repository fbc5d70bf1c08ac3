import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { TransferRecord } from "#/modules/transfers/rest-contract.ts";
import type { TransferState } from "#/modules/transfers/states.ts";
import { type EventDraft, truncateLines } from "#/store/outbox/append.ts";

/** A transfer by lifecycle.md §8. All quantities are integer thousandths of the stock unit. */
export interface Transfer {
  readonly transferId: string;
  readonly fromFacility: string;
  readonly toFacility: string;
  readonly status: TransferState;
  readonly notes: string | null;
  readonly carrierCode: string | null;
  readonly trackingNumber: string | null;
  /** ISO 8601 UTC, as the other moments. */
  readonly shippedAt: string | null;
  readonly receivedAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** By line number; each SKU occurs once. */
  readonly lines: readonly TransferLine[];
}

export interface TransferLine {
  readonly lineNumber: number;
  readonly sku: string;
  readonly uom: string;
  readonly ordered: number;
  readonly allocated: number;
  readonly shipped: number;
  readonly received: number;
  readonly damaged: number;
}

/** The transfer for REST and events (rest.md §4). */
export function transferRecord(clientId: string, { lines, ...header }: Transfer): TransferRecord {
  return {
    ...header,
    clientId,
    lines: lines.map((line) => {
      const missing = quantityToNumber(Math.max(0, line.shipped - line.received));
      return {
        lineNumber: line.lineNumber,
        sku: line.sku,
        uom: line.uom,
        qtyOrdered: quantityToNumber(line.ordered),
        qtyAllocated: quantityToNumber(line.allocated),
        qtyShipped: quantityToNumber(line.shipped),
        qtyInTransit: header.status === "CLOSED" ? 0 : missing,
        qtyReceived: quantityToNumber(line.received),
        qtyDamaged: quantityToNumber(line.damaged),
        qtyLost: header.status === "CLOSED" ? missing : 0,
      };
    }),
  };
}

/** `transfer:created` and so on, with the current transfer. */
export function transferEvent(
  clientId: string,
  topic: `transfer:${"created" | "updated" | "shipped" | "received" | "closed" | "cancelled"}`,
  transfer: Transfer,
): EventDraft {
  const { transferId, fromFacility } = transfer;
  const { lines, ...record } = transferRecord(clientId, transfer);
  const href = `/v1/inventoryService/transfer/get/${encodeURIComponent(transferId)}`;
  const data = { ...record, ...truncateLines(lines, { href }) };
  return { topic, objectType: "transfer", objectId: transferId, facilityCode: fromFacility, data };
}
