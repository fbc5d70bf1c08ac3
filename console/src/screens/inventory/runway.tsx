import { duration } from "../../parts/time.tsx";
import { Track } from "../../parts/track.tsx";

const dayMs = 86_400_000;

interface RunwayProps {
  readonly daysLeft: number;
  /** null: nothing is sold. */
  readonly coverDays: number | null;
}

/** A track of the days until a lot expires, and how far the sales of the last 30 days reach. */
export function Runway({ daysLeft, coverDays }: RunwayProps) {
  if (daysLeft < 0) return <span>expired {duration(-daysLeft * dayMs)} ago</span>;
  const text = coverDays === null ? "nothing leaves" : `sold in ${Math.round(coverDays)} of ${daysLeft} d`;
  const share = coverDays === null ? 100 : Math.min(100, (coverDays / Math.max(1, daysLeft)) * 100);
  return (
    <Track share={share} tone={coverDays === null || coverDays > daysLeft ? "waiting" : "done"}>
      {text}
    </Track>
  );
}
