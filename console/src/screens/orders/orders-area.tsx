import type { Pages } from "../../frame/area-pages.tsx";
import { OrderList } from "./order-list.tsx";
import { OrderPage } from "./order-page.tsx";
import { ParcelPage } from "./parcels/parcel-page.tsx";
import { PromisePage } from "./promise/promise-page.tsx";

/** Everything below /console/orders: orders over clients, one order, one parcel, and the promise for a basket. */
export const ordersPages: Pages = {
  "": OrderList,
  promise: PromisePage,
  "parcels/:clientId/:olpnId": ParcelPage,
  ":clientId/:orderId": OrderPage,
};
