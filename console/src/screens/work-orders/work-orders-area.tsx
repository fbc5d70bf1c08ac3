import type { Pages } from "../../frame/area-pages.tsx";
import { WorkOrderPage } from "./work-order-page.tsx";
import { WorkOrders } from "./work-orders.tsx";

/** Everything below /console/work-orders: assemblies, and their missing components. */
export const workOrdersPages: Pages = {
  "": WorkOrders,
  ":clientId/:workOrderId": WorkOrderPage,
};
