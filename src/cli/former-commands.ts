/** Commands of earlier releases, with the operation that each of them is now. */
export const formerCommands: Readonly<Record<string, string>> = {
  "order show": "api getOrder clientId=ID orderId=ID",
  "order explain": "api explainOrder clientId=ID orderId=ID",
  "purchase-order close": "api closePurchaseOrder clientId=ID poNumber=NUMBER",
  "return close": "api closeRma clientId=ID rmaNumber=NUMBER",
  "stock count": "api createCount clientId=ID distributionCentre=CODE sku=SKU",
};
