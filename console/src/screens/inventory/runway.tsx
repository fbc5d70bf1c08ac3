import { Track } from "../../parts/track.tsx";

interface RunwayProps {
  readonly daysLeft: number;
  /** null: nothing is sold. */
  readonly coverDays: number | null;
}

/** For how many days the stock of a lot lasts at the sales of the last 30 days, beside the days until it expires. */
export function Runway({ daysLeft, coverDays }: RunwayProps) {
  if (daysLeft < 0) return <span>–</span>;
  const share = coverDays === null ? 100 : Math.min(100, (coverDays / Math.max(1, daysLeft)) * 100);
  return (
    <Track share={share} tone={coverDays === null || coverDays > daysLeft ? "waiting" : "done"}>
      {coverDays === null ? "no sales" : daysText(coverDays)}
    </Track>
  );
}

const daysText = (days: number) =>
  days < 1 ? "< 1 day" : Math.round(days) === 1 ? "1 day" : `${Math.round(days)} days`;
