import { Route, Routes } from "react-router";
import { WorkOrderPage } from "./work-order-page.tsx";
import { WorkOrders } from "./work-orders.tsx";

/** Everything below /console/work-orders: what is assembled, and what is short for it. */
export function WorkOrdersArea() {
  return (
    <Routes>
      <Route index element={<WorkOrders />} />
      <Route path=":clientId/:workOrderId" element={<WorkOrderPage />} />
    </Routes>
  );
}
