import { qtyText } from "./qty.tsx";
import { Track } from "./track.tsx";

interface ProgressProps {
  readonly done: number;
  /** All that is wanted. */
  readonly of: number;
}

/** How much of something is done: the numbers, and a track that fills. More than all is shown as all, in the colour of waiting. */
export function Progress({ done, of }: ProgressProps) {
  const share = of > 0 ? Math.min(100, (done / of) * 100) : 0;
  return (
    <Track share={share} tone={done > of ? "waiting" : done === of ? "done" : "moving"}>
      {qtyText(done)} of {qtyText(of)}
    </Track>
  );
}
