import { Navigate, Route, Routes, useLocation } from "react-router";
import { OrderList } from "./order-list.tsx";
import { OrderPage } from "./order-page.tsx";
import { ParcelWay } from "./parcel-way.tsx";

/** Everything below /console/orders: orders over clients, one order, and a parcel, which is shown with its order. */
export function OrdersArea() {
  return (
    <Routes>
      <Route index element={<Index />} />
      <Route path="parcels/:clientId/:olpnId" element={<ParcelWay />} />
      <Route path=":clientId/:orderId" element={<OrderPage />} />
    </Routes>
  );
}

/** `atRisk=1` is what other screens say for what misses its cut-off. */
function Index() {
  const { search, pathname } = useLocation();
  const params = new URLSearchParams(search);
  if (!params.has("atRisk")) return <OrderList />;
  if (params.get("atRisk") !== "0") params.set("isAtRisk", "true");
  params.delete("atRisk");
  return <Navigate to={{ pathname, search: `?${params}` }} replace />;
}
