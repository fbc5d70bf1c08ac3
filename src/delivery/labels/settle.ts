/** Stores the result of an attempt (docs/states.md, Purchases of labels). */
import type { Outcome } from "#/delivery/labels/attempt.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import {
  callsOf,
  type LabelSource,
  lockPurchase,
  movePurchase,
  ownSource,
  type Purchase,
  startPurchases,
  trackFrom,
} from "#/modules/labels/index.ts";
import { labelPacked, lockOrders, type Order, type ParcelLabel } from "#/modules/orders/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** Delays between the attempts; the last one repeats. */
const retryMs = [2_000, 10_000, 30_000, minuteMs, 5 * minuteMs];
const retryAfterMsMax = 10 * minuteMs;

/**
 * Applies an outcome, unless a later attempt owns the purchase. The order is locked first, as in every change of its
 * parcels.
 */
export async function settleAttempt(
  tx: UnitOfWork,
  source: LabelSource,
  attempted: Purchase,
  outcome: Outcome,
): Promise<readonly EventDraft[]> {
  const { purchaseId, orderId } = attempted;
  const [order] = await lockOrders(tx, [orderId]);
  const purchase = await lockPurchase(tx, purchaseId);
  if (!order || purchase?.tries !== attempted.tries) return [];
  const { at } = tx.change;
  const end = { isSent: false, tries: purchase.tries, dueAt: null, error: null, keepsRequest: false };
  if (purchase.status === "VOIDING") {
    const again = { ...end, status: "VOIDING", isSent: true, tries: 0, dueAt: at } as const;
    const wasBuying = attempted.status === "PENDING";
    switch (outcome.kind) {
      case "BOUGHT":
        // The parcel was voided while its label was bought.
        movePurchase(tx, at, purchaseId, { ...again, ...factsOf(outcome) });
        return [];
      case "VOIDED":
        movePurchase(tx, at, purchaseId, { ...end, status: "VOIDED" });
        return [];
      case "REFUSED": {
        const { error } = outcome;
        if (wasBuying) movePurchase(tx, at, purchaseId, { ...end, status: "VOIDED" });
        else movePurchase(tx, at, purchaseId, { ...end, status: "VOID_FAILED", isSent: true, error });
        return [];
      }
      case "LATER": {
        const { error, isUnknown, retryAfterMs, externalId } = outcome;
        const { tries } = purchase;
        if (wasBuying && !isUnknown && !attempted.isSent)
          movePurchase(tx, at, purchaseId, { ...end, status: "VOIDED" });
        else if (wasBuying) movePurchase(tx, at, purchaseId, { ...again, externalId });
        else if (tries >= attemptsMaxOf(source)) {
          movePurchase(tx, at, purchaseId, { ...end, status: "VOID_FAILED", isSent: true, error });
        } else {
          movePurchase(tx, at, purchaseId, { ...again, tries, dueAt: dueAfter(at, tries, retryAfterMs), error });
        }
        return [];
      }
    }
  }
  if (purchase.status !== "PENDING") return [];
  switch (outcome.kind) {
    case "BOUGHT": {
      const { answer, label } = outcome;
      const { trackingNumber, trackingUrl } = answer;
      const bought = { contentType: label.contentType, base64: label.bytes.toString("base64") };
      movePurchase(tx, at, purchaseId, { ...end, status: "BOUGHT", isSent: true, ...factsOf(outcome) });
      if (callsOf(source)?.track !== undefined && trackingNumber !== undefined) trackFrom(tx, [purchaseId], at);
      const papers = [{ form: "bought", bought }] as const;
      return (await labelPacked(tx, order, { olpnId: purchase.olpnId, trackingNumber, trackingUrl, papers })) ?? [];
    }
    case "VOIDED":
      return [];
    case "REFUSED":
      return goOn(tx, order, purchase, outcome.error, false);
    case "LATER": {
      const { error, isUnknown, retryAfterMs, externalId } = outcome;
      if (purchase.tries >= attemptsMaxOf(source)) return goOn(tx, order, purchase, error, isUnknown, externalId);
      const dueAt = dueAfter(at, purchase.tries, retryAfterMs);
      // A lost answer stays lost, whatever a later attempt says that did not reach the source.
      const isSent = isUnknown || attempted.isSent;
      const { tries } = purchase;
      movePurchase(tx, at, purchaseId, {
        status: "PENDING",
        isSent,
        tries,
        dueAt,
        error,
        keepsRequest: true,
        externalId,
      });
      return [];
    }
  }
}

export const attemptsMaxOf = ({ definition }: LabelSource) => definition.attemptsMax ?? 5;

export function dueAfter(at: string, tries: number, retryAfterMs: number | undefined): string {
  const planned = retryMs[Math.min(Math.max(tries, 1), retryMs.length) - 1] as number;
  return new Date(Date.parse(at) + Math.max(planned, Math.min(retryAfterMs ?? 0, retryAfterMsMax))).toISOString();
}

function factsOf({ answer }: Extract<Outcome, { readonly kind: "BOUGHT" }>) {
  const { externalId, trackingNumber, price, currency } = answer;
  return { externalId, trackingNumber, price, currency };
}

/**
 * The source does not sell the label: the next one is asked, or the platform prints it, or an operator decides. What the
 * source may have sold is looked up and given back.
 */
async function goOn(
  tx: UnitOfWork,
  order: Order,
  purchase: Purchase,
  error: string,
  isUnknown: boolean,
  externalId?: string,
): Promise<readonly EventDraft[]> {
  const { at } = tx.change;
  const { purchaseId, sources, rank, request, olpnId } = purchase;
  const next = sources[rank + 1];
  const step = { isSent: isUnknown, tries: 0, error, externalId };
  if (next === undefined) {
    movePurchase(tx, at, purchaseId, { ...step, status: "FAILED", dueAt: null, keepsRequest: true });
    return [];
  }
  const status = isUnknown ? "VOIDING" : "REFUSED";
  movePurchase(tx, at, purchaseId, { ...step, status, dueAt: isUnknown ? at : null, keepsRequest: false });
  if (next !== ownSource) {
    startPurchases(tx, [purchase], rank + 1);
    return [];
  }
  startPurchases(tx, [purchase], rank + 1, "BOUGHT");
  const label = request?.ownLabel as Extract<ParcelLabel["papers"][number], { readonly label: unknown }>["label"];
  const papers = [
    { form: "pdf", label },
    { form: "zpl", label },
  ] as const;
  return (await labelPacked(tx, order, { olpnId, trackingNumber: undefined, trackingUrl: undefined, papers })) ?? [];
}
