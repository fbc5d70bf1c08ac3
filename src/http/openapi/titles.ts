/** Titles of operations whose name alone does not say what they do. */
const titles: Readonly<Record<string, string>> = {
  countOrdersOverClients: "Count orders of all clients",
  findInventoryBySkuList: "Find inventory of SKUs",
  findInventoryDetailsBySkuList: "Find inventory of SKUs by lot",
  findItemBySkuList: "Find items by SKU",
  getActivity: "Get activity of month",
  getClientOfDirectory: "Get client",
  getFacilityOfDirectory: "Get facility",
  getFeedAck: "Get acknowledgement of feed",
  getItemTemplates: "Get templates of several items",
  listClientDirectory: "List clients",
  listExpectedOfProduct: "List expected goods of product",
  listFacilityDirectory: "List facilities",
  listLotOrders: "List orders of lot",
  listOrdersOverClients: "List orders of all clients",
  listUndelivered: "List deliveries not made",
  listUnidentifiedReceiptsOfAll: "List unidentified goods of all clients",
  listWaitingForProduct: "List demand for product",
  noteExceptions: "Add note to exceptions",
  printBatch: "Print documents",
  proveUser: "Prove identity",
  reconcile: "Reconcile stock",
  recoverWebhook: "Send missed deliveries again",
  redeliver: "Send delivery again",
  releaseRestored: "Release parts after restore",
  reportAdjustment: "Report stock adjustment",
  reportCancel: "Report answer to cancel request",
  reportCount: "Report stock count",
  reportHold: "Report stock on hold",
  reportLoad: "Report loaded parcels",
  simulateCarriers: "Simulate draft of carrier data",
  stepSandbox: "Step simulated warehouse",
  tryCarrierData: "Try draft of carrier data",
};

/**
 * The short title of an operation: its name in words. `listOrders` is "List orders", `validateCreateRma` "Validate new RMA".
 * @param isMounted the operations of clients are mounted next to those of another service: "Client: list orders"
 */
export function titleOf(operationId: string, isMounted: boolean): string {
  const title = titles[operationId] ?? inWords(operationId);
  return isMounted
    ? `Client: ${title.charAt(0).toLowerCase()}${title.slice(1)}`
    : `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
}

const inWords = (operationId: string) =>
  operationId
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^validate create/, "validate new")
    .replace(/^validate upsert/, "validate")
    .replace(/^upsert/, "create or replace")
    .replace(/^patch/, "change")
    // Within its service the owner is known.
    .replace(/^(get|list) (?:warehouse|client(?= purchase)) /, "$1 ")
    .replace(/ of all$/, " of all clients")
    .replace(/\b(sign|cut) (in|off)\b/, "$1-$2")
    .replace(/\b(sku|rma|olpn|totp)(s?)\b/g, (_, word: string, plural: string) => word.toUpperCase() + plural);
