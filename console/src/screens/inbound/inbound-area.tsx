import type { Pages } from "../../frame/area-pages.tsx";
import { InboundLists } from "./inbound-lists.tsx";
import { PurchaseOrderPage } from "./purchase-order-page.tsx";
import { UnidentifiedPage } from "./unidentified/unidentified-page.tsx";

/** Everything below /console/inbound: purchase orders, expected against received, and goods without one. */
export const inboundPages: Pages = {
  "": InboundLists,
  "unidentified/:clientId/:unidentifiedId": UnidentifiedPage,
  ":clientId/:poNumber/:vendorOrderId?": PurchaseOrderPage,
};
