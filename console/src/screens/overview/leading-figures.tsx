import { Figure } from "../../parts/page/figure.tsx";
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
      <Figure
        label="At risk"
        value={flow && text(flow.atRisk)}
        to={linksOf.atRisk()}
        hint="due within the hour"
        {...(flow && flow.atRisk > 0 ? { tone: "waiting" } : {})}
      />
      <Figure
        label="Late"
        value={flow && text(flow.late)}
        to={linksOf.late()}
        hint={flow && lateHint(flow)}
        {...(flow && flow.late > 0 ? { tone: "failed" } : {})}
      />
      {isOfAllFacilities ? (
        <Figure
          label="Rejected feeds"
          value={feeds && text(feeds.rejected)}
          {...(feeds === undefined ? {} : { to: linksOf.feeds(feeds.from, feeds.to, "REJECTED") })}
          hint={feeds && `of ${text(feeds.accepted + feeds.rejected)} in the last hour`}
          {...(feeds && feeds.rejected > 0 ? { tone: "failed" } : {})}
        />
      ) : null}
      <Figure
        label="Exceptions"
        value={exceptions && text(exceptions.total)}
        to={linksOf.exceptions}
        hint="open"
        {...(exceptions && exceptions.total > 0 ? { tone: "waiting" } : {})}
      />
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
function lateHint({ late, stages }: Flow): string {
  const stuck = stages
    .filter(({ stage }) => stage === "ON_HOLD" || stage === "BACKORDERED")
    .reduce((sum, stage) => sum + stage.late, 0);
  if (late === 0) return "nothing is overdue";
  return stuck === 0 ? "past their cut-off" : `${text(stuck)} held or out of stock`;
}
