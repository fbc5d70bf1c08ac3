// Generated from schemas/openapi/operator.json by enumerations.test.ts with CROSSDOCK_TEST_UPDATE=1.
// biome-ignore format: a line for each list
export const enumerations = {
  AlertMailStatus: ["PENDING", "SENT", "KEPT", "FAILED"],
  CountStatus: ["REQUESTED", "WAITING", "COUNTED", "APPROVED", "REJECTED", "SUPERSEDED", "CANCELLED"],
  DeliveryStatus: ["PENDING", "RETRYING", "HELD", "DELIVERED", "FAILED", "SKIPPED"],
  DeterminationStrategy: ["CHEAPEST", "FASTEST", "BALANCED"],
  FeedChannel: ["HTTP", "SFTP", "CLI", "CONSOLE"],
  FeedErrorCode: ["XML", "XSD", "CLIENT", "FACILITY", "UNKNOWN_SKU", "EAN", "KIT", "DUPLICATE", "UNKNOWN_ORDER", "POSTCODE", "ADDRESS", "COUNTRY", "NOT_FOUND", "STATE", "STALE", "LIMIT", "VALUE"],
  FeedState: ["REJECTED", "PARKED", "ACCEPTED", "PROCESSED", "FAILED"],
  FeedType: ["CAT", "PO", "RMA", "NO"],
  LabelPurchaseStatus: ["PENDING", "BOUGHT", "FAILED", "REFUSED", "VOIDING", "VOIDED", "VOID_FAILED"],
  LabelSourceKind: ["HTTP", "EASYPOST", "SHIPPO", "SHIPSTATION", "KARRIO"],
  OrderStatus: ["RECEIVED", "ON_HOLD", "BACKORDERED", "PARTIALLY_ALLOCATED", "ALLOCATED", "PICKING", "PACKED", "PARTIALLY_DESPATCHED", "DESPATCHED", "DELIVERED", "RETURNED_TO_SENDER", "CANCELLED"],
  PurchaseOrderStatus: ["OPEN", "RECEIVING", "RECEIVED", "CLOSED", "CANCELLED"],
  RmaStatus: ["AUTHORISED", "RECEIVING", "RECEIVED", "CLOSED", "CANCELLED", "EXPIRED"],
  ServiceLevel: ["ECONOMY", "STANDARD", "EXPRESS", "NEXT_DAY", "SAME_DAY"],
  StockCondition: ["GOOD", "ON_HOLD", "DAMAGED", "QUARANTINE"],
  TransferStatus: ["RELEASED", "SHIPPED", "RECEIVING", "RECEIVED", "CLOSED", "CANCELLED"],
  UndeliveredFilter: ["WAITING", "RETRYING", "FAILED", "SKIPPED"],
  WebhookStatus: ["ACTIVE", "FAILING", "PAUSED", "DISABLED"],
  Weekday: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"],
  WorkOrderStatus: ["CREATED", "WAITING_COMPONENTS", "RELEASED", "IN_PROGRESS", "COMPLETED", "CLOSED_SHORT", "CANCELLED"],
} as const;
