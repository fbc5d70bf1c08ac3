import type { ExceptionRecord } from "#/console-api/exceptions/contract.ts";
import type { StoredException } from "#/console-api/exceptions/exceptions.cross-client.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

/** The one-step remedy of an exception: a link to the object, or an operation of the module that owns it. */
type Cure = ExceptionRecord["cure"];
type CureOperation = NonNullable<Cure["operation"]>;

const look = (verb: string, operation: CureOperation | null = null): Cure => ({ verb, kind: "link", operation });
const act = (operation: CureOperation): Cure => ({ verb: operation.verb, kind: "action", operation });
const post = (verb: string, path: string, body: object | null = null): CureOperation => ({
  verb,
  method: "POST",
  path,
  body,
});

export function cureOf({ type, clientId, objectType, objectId, facts }: StoredException, exceptionId: string): Cure {
  const id = encodeURIComponent(objectId);
  const client = `clientId=${encodeURIComponent(clientId)}`;
  switch (type) {
    case "FEED_REJECTED":
      return look("See faulty lines", post("Reprocess", `/feed/reprocess/${id}?${client}`));
    case "FEED_PARKED":
      return look("Open document", post("Reprocess", `/feed/reprocess/${id}?${client}`));
    case "FEED_OVERDUE":
      return look("Open document");
    case "FEED_FAILED":
      return act(post("Try again", `/feed/retry/${id}?${client}`));
    case "ORDER_HELD":
      return act(post("Release order", `/order/liftHold/${id}?${client}`, { types: typesOf(facts) }));
    case "ORDER_BACKORDERED":
    case "ORDER_AT_RISK":
    case "ORDER_LATE":
    case "CANCEL_UNANSWERED":
      return look("Open order");
    case "SHORT_PICK":
      return look("Open ledger");
    case "COUNT_DIFFERENCE":
      return look("Open count", post("Approve", `/count/approve/${id}?${client}`));
    case "STOCK_CHECK":
    case "BLIND_RETURN":
      return look("Open stock");
    case "RECEIPT_DISCREPANCY":
      if (facts.kind === "OVER_RETURN") return look(objectType === "return" ? "Open return" : "Open parcel");
      return look("Open purchase order");
    case "RECEIPT_UNIDENTIFIED":
      return look("Bind goods");
    case "REPORT_REFUSED":
      return act(post("Retry report", `/exception/retry/${exceptionId}`));
    case "LABEL_FAILED": {
      const purchase = `${encodeURIComponent(String(facts.purchaseId))}?${client}`;
      return act(post(facts.status === "FAILED" ? "Buy again" : "Void again", `/labelPurchase/retry/${purchase}`));
    }
    case "CARRIER_EXCEPTION":
      return look("Open parcel");
    case "DELIVERY_FAILED":
    case "OUTBOUND_FAILED":
      return act(post("Replay delivery", `/client/webhook/redeliver/${id}?${client}`));
    case "SUBSCRIPTION_UNREADABLE":
    case "SUBSCRIPTION_DISABLED":
      return look("Open webhook");
    case "OUTBOUND_NOT_TAKEN":
      return look("Open client");
    case "EVENT_CHECK":
      return look(facilityOfTenant(clientId) === undefined ? "Open client" : "Open facility");
    case "WAREHOUSE_SILENT":
      return look("Open facility");
  }
}

function typesOf({ holds }: StoredException["facts"]): unknown[] {
  return Array.isArray(holds) ? holds.flatMap((hold: { type?: unknown }) => hold.type ?? []) : [];
}
