import type { Pages } from "../../frame/area-pages.tsx";
import { CountPage } from "./counts/count-page.tsx";
import { InventoryList } from "./inventory-list.tsx";
import { LotPage } from "./lot/lot-page.tsx";
import { ProductPage } from "./product-page.tsx";
import { TransferPage } from "./transfers/transfer-page.tsx";

/** Everything below /console/inventory: current stock, expiring lots, past stock, one product of a client, one lot, and transfers. */
export const inventoryPages: Pages = {
  "": InventoryList,
  "counts/:clientId/:countId": CountPage,
  "transfers/:clientId/:transferId": TransferPage,
  ":clientId/:sku": ProductPage,
  ":clientId/:sku/lots/:lotNumber": LotPage,
};
