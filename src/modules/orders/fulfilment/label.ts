// The changes of a parcel when its carrier has made its label.

import { type DocumentContentType, keepDocuments, type PaperOrder } from "#/modules/documents/index.ts";
import type { Order } from "#/modules/orders/order.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { insertParcelKeys, labelParcel, listParcels, type ParcelFacts, parcelEvent } from "#/modules/parcels/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

export interface ParcelLabel {
  readonly olpnId: string;
  /** Undefined: the platform's number stays. */
  readonly trackingNumber: string | undefined;
  readonly trackingUrl: string | undefined;
  readonly papers: readonly LabelPaper[];
}

type LabelPaper =
  | { readonly form: "bought"; readonly bought: { readonly contentType: DocumentContentType; readonly base64: string } }
  | {
      readonly form: "pdf" | "zpl";
      readonly label: Extract<PaperOrder, { readonly form: "pdf" | "zpl"; label: unknown }>["label"];
    };

/**
 * Gives a packed parcel its label: the paper, the number and page of its carrier, and code 70. @param order locked, before the purchase: so does every change that voids a parcel. @returns undefined: the parcel was voided meanwhile
 */
export async function labelPacked(tx: UnitOfWork, order: Order, label: ParcelLabel): Promise<EventDraft[] | undefined> {
  const { orderId } = order;
  const { olpnId, trackingNumber, trackingUrl } = label;
  const parcels = await listParcels(tx, [orderId]);
  const parcel = parcels.find((candidate) => candidate.olpnId === olpnId);
  if (!parcel || parcel.status === "VOIDED") return undefined;
  const labelled: ParcelFacts =
    trackingNumber === undefined
      ? parcel
      : { ...parcel, trackingNumber, trackingUrl, isGeneratedTrackingNumber: false, version: parcel.version + 1 };
  if (trackingNumber !== undefined) {
    labelParcel(tx, tx.change.at, labelled);
    insertParcelKeys(tx.plain, tx.clientId, [{ kind: "TRACKING", key: trackingNumber, olpnId }]);
  }
  await keepDocuments(
    tx,
    label.papers.map((paper): PaperOrder => ({ orderId, olpnId, type: "SHIPPING_LABEL", ...paper })),
  );
  const all = parcels.map((candidate) => (candidate === parcel ? labelled : candidate));
  const milestones = [{ code: 70, olpnId }];
  const events = await settleOrders(tx, [{ order, before: order, action: "label", parcels: all, milestones }]);
  return [parcelEvent("parcel:labelled", labelled), ...events];
}
