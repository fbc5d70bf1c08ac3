/** Kinds of objects with a page. */
export type ObjectKind =
  | "order"
  | "parcel"
  | "decision"
  | "manifest"
  | "feed"
  | "sku"
  | "lot"
  | "count"
  | "purchaseOrder"
  | "return"
  | "workOrder"
  | "transfer"
  | "unidentifiedReceipt"
  | "webhook"
  | "delivery"
  | "outbound"
  | "client"
  | "facility"
  | "mail"
  | "proposal"
  | "user";

/**
 * The page of an object: paths below /console. Every screen links through this function, so that a page may move.
 * @param id for a purchase order its poNumber, or `poNumber/vendorOrderId` as in events and the audit log
 * @param parentId for a purchase order its vendorOrderId, if id is the poNumber and it has one; for a lot its SKU
 * @param clientId owner; empty for objects without one (feeds by their token, facilities)
 */
export function linkTo(kind: ObjectKind, clientId: string, id: string, parentId = ""): string {
  return pathTo(...partsOf(kind, clientId, id, parentId));
}

function partsOf(kind: ObjectKind, clientId: string, id: string, parentId: string): readonly string[] {
  switch (kind) {
    case "order":
      return ["orders", clientId, id];
    case "parcel":
      return ["orders", "parcels", clientId, id];
    case "decision":
      return ["carriers", "decisions", clientId, id];
    case "manifest":
      return ["carriers", "manifests", clientId, id];
    case "feed":
      return ["feeds", id];
    case "sku":
      return ["inventory", clientId, id];
    case "lot":
      return ["inventory", clientId, parentId, "lots", id];
    case "count":
      return ["inventory", "counts", clientId, id];
    case "purchaseOrder":
      return ["inbound", clientId, id, ...(parentId === "" ? [] : [parentId])];
    case "return":
      return ["returns", clientId, id];
    case "workOrder":
      return ["work-orders", clientId, id];
    case "transfer":
      return ["inventory", "transfers", clientId, id];
    case "unidentifiedReceipt":
      return ["inbound", "unidentified", clientId, id];
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
    case "proposal":
      return ["proposals", clientId, id];
    case "mail":
      return ["mails", clientId, id];
    case "user":
      return ["users", id];
  }
}

/** A path of these parts, of the console or of the API. */
export const pathTo = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

/** A path with the values of a query, without those that are undefined. */
export function pathWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  return params.size === 0 ? path : `${path}?${params}`;
}

/** The page of a product. @param facility whose stock is in view. */
export const productPath = (clientId: string, sku: string, facility?: string): string =>
  pathWith(linkTo("sku", clientId, sku), { at: facility });

/** Names the document in the address of the validator whose order is repeated. */
export const repeatedParam = "repeated";

/** The validator with a copy of an order's document, under another number. @param token of the document */
export const repeatPath = (token: string): string => pathWith("/feeds/validate", { [repeatedParam]: token });
