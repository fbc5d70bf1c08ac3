import { Route, Routes } from "react-router";
import { InventoryList } from "./inventory-list.tsx";
import { ProductPage } from "./product-page.tsx";

/** Everything below /console/inventory: stock as it is, what will expire, as it was, and one product of a client. */
export function InventoryArea() {
  return (
    <Routes>
      <Route index element={<InventoryList />} />
      <Route path=":clientId/:sku" element={<ProductPage />} />
    </Routes>
  );
}
