/** What can be linked to. */
export type ObjectKind =
  | "order"
  | "parcel"
  | "feed"
  | "sku"
  | "purchaseOrder"
  | "return"
  | "workOrder"
  | "webhook"
  | "delivery"
  | "outbound"
  | "client"
  | "facility"
  | "user";

/**
 * Where an object is shown: paths below /console. Every screen links by these, so that a page may move.
 * @param id of a purchase order its poNumber, or `poNumber/vendorOrderId` as events and the audit log have it
 * @param parentId of a purchase order its vendorOrderId, where id is the poNumber and there is one
 * @param clientId whose it is; empty for what belongs to nobody (feeds by their token, facilities)
 */
export function wayTo(kind: ObjectKind, clientId: string, id: string, parentId = ""): string {
  const parts = partsOf(kind, clientId, id, parentId);
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

function partsOf(kind: ObjectKind, clientId: string, id: string, parentId: string): readonly string[] {
  switch (kind) {
    case "order":
      return ["orders", clientId, id];
    case "parcel":
      return ["orders", "parcels", clientId, id];
    case "feed":
      return ["feeds", id];
    case "sku":
      return ["inventory", clientId, id];
    case "purchaseOrder":
      return ["inbound", clientId, id, ...(parentId === "" ? [] : [parentId])];
    case "return":
      return ["returns", clientId, id];
    case "workOrder":
      return ["work-orders", clientId, id];
    case "webhook":
      return ["webhooks", clientId, id];
    case "delivery":
      return ["webhooks", "deliveries", clientId, id];
    case "outbound":
      return ["outbound", clientId, id];
    case "client":
      return ["clients", id];
    case "facility":
      return ["facilities", id];
    case "user":
      return ["users", id];
  }
}
