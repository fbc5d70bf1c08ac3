import { TabsInUrl } from "../../parts/page/detail-page.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { isNoDeveloper, isWorker, worksForAllFacilities } from "../../session.tsx";
import { Backordered } from "./backordered.tsx";
import { Counts } from "./counts/count-list.tsx";
import { Expiry } from "./expiry.tsx";
import { Levels } from "./levels.tsx";
import { OpeningStock } from "./opening-stock.tsx";
import { Reconcile } from "./reconcile.tsx";
import { Snapshots } from "./snapshots.tsx";
import { Transfers } from "./transfers/transfer-list.tsx";

/** Stock over all clients: levels, expiring lots, past days, a comparison with the client's own books, and opening stock. */
export function InventoryList() {
  return (
    <Screen title="Inventory">
      <TabsInUrl
        tabs={[
          { key: "levels", label: "Levels", content: <Levels /> },
          { key: "backordered", label: "Back-ordered", content: <Backordered /> },
          { key: "expiry", label: "Expiry runway", content: <Expiry /> },
          { key: "counts", label: "Counts", content: <Counts />, isFor: isNoDeveloper },
          { key: "transfers", label: "Transfers", content: <Transfers /> },
          { key: "snapshots", label: "Stock of a day", content: <Snapshots /> },
          { key: "reconcile", label: "Reconcile", content: <Reconcile />, isFor: isWorker },
          { key: "opening", label: "Opening stock", content: <OpeningStock />, isFor: worksForAllFacilities },
        ]}
      />
    </Screen>
  );
}
