import type { Pages } from "../../frame/area-pages.tsx";
import { Screen } from "../../parts/screen.tsx";
import { useSession } from "../../session.tsx";
import { CutOffs } from "./cut-off-board.tsx";
import { FeedRates } from "./feed-rates.tsx";
import { StockHealth, WebhookHealth } from "./health.tsx";
import { LeadingFigures } from "./leading-figures.tsx";
import styles from "./overview.module.css";
import { OverviewState } from "./overview-state.tsx";
import { StageAges, Stages } from "./stages.tsx";
import { LeadTimes, Trends } from "./trends.tsx";

/** The overview: inbound, outbound and late orders; it refreshes automatically. */
export const overviewPages: Pages = { "": OverviewScreen };

function OverviewScreen() {
  // Documents and webhooks belong to a client, not to a facility.
  const isOfAllFacilities = useSession().facilityCodes === null;
  return (
    <Screen title="Overview" lead={<OverviewState />} figures={<LeadingFigures />}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Stages />
          {isOfAllFacilities ? <FeedRates /> : null}
          <Trends />
          {isOfAllFacilities ? <WebhookHealth /> : null}
        </div>
        <div className={styles.column}>
          <CutOffs />
          <StageAges />
          <LeadTimes />
          <StockHealth />
        </div>
      </div>
    </Screen>
  );
}
