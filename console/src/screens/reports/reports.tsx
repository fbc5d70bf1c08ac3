import { TabsInUrl } from "../../parts/page/detail-page.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { Activity } from "./activity.tsx";
import { PerformanceTab } from "./performance.tsx";

/** Reports over all clients, or of the client in the top bar. */
export function Reports() {
  return (
    <Screen title="Reports">
      <TabsInUrl
        tabs={[
          { key: "performance", label: "Performance", content: <PerformanceTab /> },
          { key: "activity", label: "Activity", content: <Activity /> },
        ]}
      />
    </Screen>
  );
}
