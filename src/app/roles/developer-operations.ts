// The operations of the console that are open to developers of brands (docs/decisions/0076-brand-developers.md).

/** Paths below the console's prefix. An operation that is not in the list is closed: also each new one. */
const operations: readonly string[] = [
  // The own account.
  ...["/session/get", "/session/step", "/session/prove", "/session/challenge", "/session/delete"],
  ...["/session/changePassword", "/factor/list", "/factor/beginTotp", "/factor/confirmTotp", "/factor/beginPasskey"],
  ...["/factor/confirmPasskey", "/factor/rename/:factorId", "/factor/delete/:factorId", "/factor/renewRecoveryCodes"],
  ...["/view/list", "/view/save", "/view/delete/:viewId", "/restore/get"],
  // The client and its keys.
  ...["/clientDirectory/list", "/clientDirectory/get/:clientId", "/facilityDirectory/list"],
  ...["/credential/issue", "/credential/revoke/:credentialId"],
  // Requests and documents of the client, in both directions.
  ...["/request/list", "/request/get/:requestId", "/request/body/:requestId"],
  ...["/feed/list", "/feed/counts", "/feed/get/:token", "/feed/document/:token", "/feed/bytes/:token"],
  ...["/feed/ack/:token", "/feed/timeline/:token", "/feed/validate"],
  ...["/outbound/list", "/outbound/waiting", "/outbound/document/:documentId", "/outboundChannel/list"],
  ...[
    "/webhook/list",
    "/webhook/attemptRates/:webhookId",
    "/webhookDelivery/list",
    "/webhookDelivery/receivers",
    "/overview/webhooks",
  ],
  // Orders, goods and stock.
  ...["/order/list", "/order/count", "/order/figures", "/order/timeline/:orderId", "/order/feeds/:orderId", "/search"],
  ...["/purchaseOrder/list", "/purchaseOrder/figures", "/purchaseOrder/get/:poNumber"],
  ...["/return/list", "/workOrder/list", "/transfer/list", "/unidentifiedReceipt/list"],
  ...["/stock/list", "/stock/lots", "/stock/statement", "/stock/compare", "/stock/expiring", "/stock/backordered"],
  ...["/stock/waiting", "/stock/expected"],
];

/** The same of the clients' own operations: reads, checks that store nothing, webhooks, and the certificate. */
const clientOperations: readonly string[] = [
  ...["/order/get/:orderId", "/order/status/:orderId", "/order/explain/:orderId", "/order/list"],
  ...["/order/template/:orderId", "/order/create/validate", "/rma/get/:rmaNumber", "/rma/list"],
  ...["/rma/template/:rmaNumber", "/rma/create/validate", "/purchaseOrder/get/:poNumber", "/purchaseOrder/list"],
  ...["/purchaseOrder/template/:poNumber", "/purchaseOrder/create/validate"],
  ...["/unidentifiedReceipt/get/:unidentifiedId", "/unidentifiedReceipt/list"],
  ...["/document/list/:orderId", "/document/get/:documentId", "/label/get/:olpnId", "/olpn/list/:orderId"],
  ...[
    "/olpn/get/:olpnId",
    "/carrier/decision/:decisionId",
    "/carrierServiceCode/list",
    "/findInventoryBySku",
    "/findInventoryBySkuList",
  ],
  ...["/findInventoryDetailsBySkuList", "/inventory/list", "/movement/list", "/snapshot/list", "/snapshot/get/:date"],
  ...["/lot/trace", "/lot/orders", "/transfer/get/:transferId", "/transfer/list", "/workOrder/get/:workOrderId"],
  ...["/workOrder/list", "/facility/list", "/facility/get/:facilityCode", "/item/list", "/item/template"],
  ...["/item/customs", "/item/upsert/validate", "/findItemBySku", "/findItemBySkuList"],
  ...["/webhook/create", "/webhook/patch/:webhookId", "/webhook/delete/:webhookId", "/webhook/get/:webhookId"],
  ...["/webhook/rotateSecret/:webhookId", "/webhook/list", "/webhook/deliveries/:webhookId"],
  ...["/webhook/delivery/:deliveryId", "/webhook/redeliver/:deliveryId", "/webhook/recover/:webhookId"],
  ...["/webhook/test/:webhookId", "/webhook/topics", "/event/list", "/certificate/create", "/certificate/get"],
];

const paths: ReadonlySet<string> = new Set([...operations, ...clientOperations.map((path) => `/client${path}`)]);

/** @param path of a route, below the console's prefix. */
export const isForDevelopers = (path: string): boolean => paths.has(path);
