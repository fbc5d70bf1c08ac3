import type { Pages } from "../../frame/area-pages.tsx";
import { TabsInUrl } from "../../parts/page/detail-page.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { useSession } from "../../session.tsx";
import { CarriersScreen } from "./carriers-screen.tsx";
import { DecisionPage } from "./decision-page.tsx";
import { Decisions } from "./decisions.tsx";
import { ManifestPage } from "./labels/manifest-page.tsx";
import { Manifests } from "./labels/manifests.tsx";
import { LabelPurchases } from "./labels/purchases.tsx";
import { Lanes } from "./lanes/lanes.tsx";

/** Carrier data concerns all facilities. Users who are limited to facilities see only the decisions and lanes of theirs. */
function CarriersOrDecisions() {
  const { facilityCodes } = useSession();
  if (facilityCodes === null) return <CarriersScreen />;
  return (
    <Screen
      title="Carriers"
      lead={`Carrier data concern all facilities, and you are limited to ${facilityCodes.join(", ")}.`}
    >
      <TabsInUrl
        tabs={[
          { key: "decisions", label: "Decisions", content: <Decisions /> },
          { key: "lanes", label: "Lanes", content: <Lanes /> },
          { key: "labels", label: "Labels", content: <LabelPurchases /> },
          { key: "manifests", label: "Manifests", content: <Manifests /> },
        ]}
      />
    </Screen>
  );
}

/** Everything below /console/carriers: the data for carrier determination, and the decisions. */
export const carriersPages: Pages = {
  "": CarriersOrDecisions,
  "decisions/:clientId/:decisionId": DecisionPage,
  "manifests/:clientId/:manifestId": ManifestPage,
};
