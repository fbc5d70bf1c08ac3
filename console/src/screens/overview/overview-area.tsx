import type { Pages } from "../../frame/area-pages.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { LeadingFigures } from "./leading-figures.tsx";
import { OverviewCharts } from "./overview-charts.tsx";
import { OverviewState } from "./overview-state.tsx";

/** The overview: inbound, outbound and late orders; it refreshes automatically. */
export const overviewPages: Pages = { "": OverviewScreen };

function OverviewScreen() {
  return (
    <Screen title="Overview" lead={<OverviewState />} figures={<LeadingFigures />}>
      <OverviewCharts />
    </Screen>
  );
}
