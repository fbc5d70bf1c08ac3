import {
  type DocumentVersions,
  type Envelope,
  leaf,
  listOf,
  writeDocument,
} from "#/delivery/outbound/documents/envelope.ts";
import { type GoodsReceiptContent, writeGoodsReceipt } from "#/delivery/outbound/documents/goods-receipt.ts";
import {
  type InventoryAdjustmentContent,
  writeInventoryAdjustment,
} from "#/delivery/outbound/documents/inventory-adjustment.ts";
import {
  hasOrderStatus,
  type OrderStatusContent,
  writeOrderStatus,
} from "#/delivery/outbound/documents/order-status.ts";
import {
  hasReturnStatus,
  type ReturnStatusContent,
  writeReturnStatus,
} from "#/delivery/outbound/documents/return-status.ts";
import type { FeedResult } from "#/intake/feeds/states.ts";
import type { OutboundDraft } from "#/store/outbox/append.ts";

export const newestVersions: DocumentVersions = { GR: "1.2", OS: "1.2", RS: "1.1" };

/** Whether the type of the document has several versions. */
export const isVersioned = ({ type }: OutboundDraft) => Object.hasOwn(newestVersions, type);

/** Whether the event has a document in the client's versions. */
export function hasDocument({ type, content }: OutboundDraft, versions: DocumentVersions): boolean {
  if (type === "OS") return hasOrderStatus(content as OrderStatusContent, versions.OS);
  return type !== "RS" || hasReturnStatus(content as ReturnStatusContent, versions.RS);
}

/** Renders the document of an event. Its module wrote the content, which the outbox stores as JSON in between. */
export function renderDraft(
  { type, content }: OutboundDraft,
  envelope: Envelope,
  versions: DocumentVersions = newestVersions,
): Buffer {
  switch (type) {
    case "ACK":
      return writeFeedAcknowledgement(envelope, content as FeedAcknowledgementContent);
    case "GR":
      return writeGoodsReceipt(envelope, content as GoodsReceiptContent, versions.GR);
    case "OS":
      return writeOrderStatus(envelope, content as OrderStatusContent, versions.OS);
    case "RS":
      return writeReturnStatus(envelope, content as ReturnStatusContent, versions.RS);
    case "ADJ":
      return writeInventoryAdjustment(envelope, content as InventoryAdjustmentContent);
  }
}

/** ACK: the result of a feed document after its first answer. */
export interface FeedAcknowledgementContent {
  readonly token: string;
  readonly feedType: string;
  readonly objectId?: string | null | undefined;
  readonly result: FeedResult;
  readonly errors: readonly string[];
  /** State of the object; a CAT has none. */
  readonly status?: string | undefined;
}

export function writeFeedAcknowledgement(envelope: Envelope, content: FeedAcknowledgementContent): Buffer {
  return writeDocument("feedAcknowledgement", envelope, [
    leaf("token", content.token),
    leaf("feedType", content.feedType),
    leaf("objectId", content.objectId),
    leaf("result", content.result),
    listOf("errors", content.errors, (error) => leaf("error", error)),
    leaf("status", content.status),
  ]);
}
