/** Titles of operations whose name alone does not say what they do. */
const titles: Readonly<Record<string, string>> = {
  findInventoryDetailsBySkuList: "Find inventory of SKUs by lot",
  getFeedAck: "Get acknowledgement of feed",
  listExpectedOfProduct: "List expected goods of product",
  listUnidentifiedReceiptsOfAll: "List unidentified goods of all clients",
  listUndelivered: "List undelivered pushes",
  listWaitingForProduct: "List demand for product",
  noteExceptions: "Add note to exceptions",
  printBatch: "Print documents",
  proveUser: "Prove identity",
  reconcile: "Reconcile stock",
  redeliver: "Send delivery again",
  releaseRestored: "Release parts after restore",
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
