import { useSession } from "../../session.tsx";
import { CutOffs } from "./cut-off-board.tsx";
import { FeedRates } from "./feed-rates.tsx";
import { StockHealth, WebhookHealth } from "./health.tsx";
import styles from "./overview.module.css";
import { StageAges, Stages } from "./stages.tsx";
import { LeadTimes, Trends } from "./trends.tsx";

/** Orders, feeds, receivers and stock, in two columns. */
export function OverviewCharts() {
  // Documents and webhooks belong to a client, not to a facility.
  const isOfAllFacilities = useSession().facilityCodes === null;
  return (
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
  );
}
