import { CountFigure, Figure } from "../../parts/page/figure.tsx";
import { duration } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";
import { type Flow, useCutOffs, useExceptionCounts, useFeedRates, useFlow } from "./overview-data.ts";
import { linksOf } from "./overview-links.ts";

/** The five most important figures. */
export function LeadingFigures() {
  const isOfAllFacilities = useSession().facilityCodes === null;
  const flow = useFlow().data;
  const next = useCutOffs().data?.items[0];
  const feeds = useFeedRates(60).data;
  const exceptions = useExceptionCounts().data;
  return (
    <>
      <Figure
        label="Orders to leave"
        value={flow && text(flow.open)}
        to={linksOf.open}
        hint={next && `next cut-off in ${roughly(next.minutesLeft)}`}
      />
      <CountFigure
        label="At risk"
        count={flow?.atRisk}
        to={linksOf.atRisk()}
        hint="due within the hour"
        tone="waiting"
      />
      <CountFigure label="Late" count={flow?.late} to={linksOf.late()} hint={flow && lateHint(flow)} tone="failed" />
      {isOfAllFacilities ? (
        <CountFigure
          label="Rejected feeds"
          count={feeds?.rejected}
          to={feeds && linksOf.feeds(feeds.from, feeds.to, "REJECTED")}
          hint={feeds && `of ${text(feeds.accepted + feeds.rejected)} in the last hour`}
          tone="failed"
        />
      ) : null}
      <CountFigure label="Exceptions" count={exceptions?.total} to={linksOf.exceptions} hint="open" tone="waiting" />
    </>
  );
}

const text = (value: number) => value.toLocaleString("en-GB");

/** Accurate to the minute below two hours, else to the hour; the board has the details. */
function roughly(minutes: number): string {
  const hourMinutes = 60;
  return duration((minutes < 2 * hourMinutes ? minutes : minutes - (minutes % hourMinutes)) * 60_000);
}

/** Orders on hold or without stock cannot be hurried in the warehouse, so they are counted separately. */
function lateHint({ late, lateStuck }: Flow): string {
  if (late === 0) return "nothing is overdue";
  return lateStuck > 0 ? `${text(lateStuck)} held or out of stock` : "past their cut-off";
}
