import { qtyText } from "../qty.tsx";
import { Track } from "../track.tsx";

interface ProgressProps {
  readonly done: number;
  /** The total. */
  readonly of: number;
}

/** Progress as numbers and a bar. More than the total is shown as a full bar in the colour of waiting. */
export function Progress({ done, of }: ProgressProps) {
  const share = of > 0 ? Math.min(100, (done / of) * 100) : 0;
  return (
    <Track share={share} tone={done > of ? "waiting" : done === of ? "done" : "moving"}>
      {qtyText(done)} of {qtyText(of)}
    </Track>
  );
}
