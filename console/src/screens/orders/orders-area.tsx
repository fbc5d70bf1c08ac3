import type { Pages } from "../../frame/area-pages.tsx";
import { OrderList } from "./order-list.tsx";
import { OrderPage } from "./order-page.tsx";
import { ParcelRedirect } from "./parcel-redirect.tsx";

/** Everything below /console/orders: orders over clients, one order, and a parcel, which is shown with its order. */
export const ordersPages: Pages = {
  "": OrderList,
  "parcels/:clientId/:olpnId": ParcelRedirect,
  ":clientId/:orderId": OrderPage,
};
