import type { Envelope, SchemaVersion } from "#/delivery/outbound/documents/envelope.ts";
import {
  type FeedAcknowledgementContent,
  writeFeedAcknowledgement,
} from "#/delivery/outbound/documents/feed-acknowledgement.ts";
import { type GoodsReceiptContent, writeGoodsReceipt } from "#/delivery/outbound/documents/goods-receipt.ts";
import {
  type InventoryAdjustmentContent,
  writeInventoryAdjustment,
} from "#/delivery/outbound/documents/inventory-adjustment.ts";
import { type OrderStatusContent, writeOrderStatus } from "#/delivery/outbound/documents/order-status.ts";
import {
  hasReturnStatus,
  newestReturnStatus,
  type ReturnStatusContent,
  writeReturnStatus,
} from "#/delivery/outbound/documents/return-status.ts";
import type { OutboundDraft } from "#/outbox/append.ts";

/** Whether the event has a document in the client's version of RS. */
export function hasDocument({ type, content }: OutboundDraft, returnStatusVersion: SchemaVersion): boolean {
  return type !== "RS" || hasReturnStatus(content as ReturnStatusContent, returnStatusVersion);
}

/**
 * Renders the document of an event. Its module wrote the content, which the outbox stores as JSON in between.
 *
 * @param returnStatusVersion the client's version of RS; the other types have one version
 */
export function renderDraft(
  { type, content }: OutboundDraft,
  envelope: Envelope,
  returnStatusVersion: SchemaVersion = newestReturnStatus,
): Buffer {
  switch (type) {
    case "ACK":
      return writeFeedAcknowledgement(envelope, content as FeedAcknowledgementContent);
    case "GR":
      return writeGoodsReceipt(envelope, content as GoodsReceiptContent);
    case "OS":
      return writeOrderStatus(envelope, content as OrderStatusContent);
    case "RS":
      return writeReturnStatus(envelope, content as ReturnStatusContent, returnStatusVersion);
    case "ADJ":
      return writeInventoryAdjustment(envelope, content as InventoryAdjustmentContent);
  }
}
