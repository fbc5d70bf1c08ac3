import { Route, Routes } from "react-router";
import { PurchaseOrderPage } from "./purchase-order-page.tsx";
import { PurchaseOrders } from "./purchase-orders.tsx";

/** Everything below /console/inbound: purchase orders, expected against received. */
export function InboundArea() {
  return (
    <Routes>
      <Route index element={<PurchaseOrders />} />
      <Route path=":clientId/:poNumber/:vendorOrderId" element={<PurchaseOrderPage />} />
    </Routes>
  );
}
