import type { Pages } from "../../frame/area-pages.tsx";
import { PurchaseOrderPage } from "./purchase-order-page.tsx";
import { PurchaseOrders } from "./purchase-orders.tsx";

/** Everything below /console/inbound: purchase orders, expected against received. */
export const inboundPages: Pages = {
  "": PurchaseOrders,
  ":clientId/:poNumber/:vendorOrderId?": PurchaseOrderPage,
};
