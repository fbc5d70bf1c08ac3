import type { Pages } from "../../frame/area-pages.tsx";
import { InventoryList } from "./inventory-list.tsx";
import { ProductPage } from "./product-page.tsx";

/** Everything below /console/inventory: stock as it is, what will expire, as it was, and one product of a client. */
export const inventoryPages: Pages = {
  "": InventoryList,
  ":clientId/:sku": ProductPage,
};
