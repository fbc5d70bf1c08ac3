import type { Pages } from "../../frame/area-pages.tsx";
import { WorkOrderPage } from "./work-order-page.tsx";
import { WorkOrders } from "./work-orders.tsx";

/** Everything below /console/work-orders: what is assembled, and what is short for it. */
export const workOrdersPages: Pages = {
  "": WorkOrders,
  ":clientId/:workOrderId": WorkOrderPage,
};
