import { Route, Routes } from "react-router";
import { OrderList } from "./order-list.tsx";
import { OrderPage } from "./order-page.tsx";
import { ParcelWay } from "./parcel-way.tsx";

/** Everything below /console/orders: orders over clients, one order, and a parcel, which is shown with its order. */
export function OrdersArea() {
  return (
    <Routes>
      <Route index element={<OrderList />} />
      <Route path="parcels/:clientId/:olpnId" element={<ParcelWay />} />
      <Route path=":clientId/:orderId" element={<OrderPage />} />
    </Routes>
  );
}
