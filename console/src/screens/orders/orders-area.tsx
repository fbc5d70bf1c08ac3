import type { Pages } from "../../frame/area-pages.tsx";
import { OrderList } from "./order-list.tsx";
import { OrderPage } from "./order-page.tsx";
import { ParcelPage } from "./parcels/parcel-page.tsx";

/** Everything below /console/orders: orders over clients, one order, and one parcel. */
export const ordersPages: Pages = {
  "": OrderList,
  "parcels/:clientId/:olpnId": ParcelPage,
  ":clientId/:orderId": OrderPage,
};
