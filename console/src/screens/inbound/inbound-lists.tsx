import { TabsInUrl } from "../../parts/page/detail-page.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { InboundFigures, PurchaseOrders } from "./purchase-orders.tsx";
import { UnidentifiedReceipts } from "./unidentified/unidentified-list.tsx";

/** Inbound goods over all clients: purchase orders, and goods without one. */
export function InboundLists() {
  return (
    <Screen title="Inbound" figures={<InboundFigures />}>
      <TabsInUrl
        tabs={[
          { key: "orders", label: "Purchase orders", content: <PurchaseOrders /> },
          { key: "unidentified", label: "Unidentified goods", content: <UnidentifiedReceipts /> },
        ]}
      />
    </Screen>
  );
}
