import { useMemo } from "react";
import type { CarrierData } from "../carrier-data.ts";
import styles from "../carriers.module.css";
import { changesOf, type DraftChange } from "./draft-changes.ts";

const changesShown = 200;

/** "+6.5 %" */
export const percentText = (percent: number): string =>
  `${percent < 0 ? "−" : "+"}${Math.abs(percent).toLocaleString("en-GB", { maximumFractionDigits: 1 })} %`;

interface DraftChangeListProps {
  readonly before: CarrierData;
  readonly after: CarrierData;
}

/** Changes of the draft, with the old and the new value of each place. */
export function DraftChangeList({ before, after }: DraftChangeListProps) {
  const changes = useMemo(() => changesOf(before, after), [before, after]);
  if (changes.length === 0) return <p>Only the order of its parts changes.</p>;
  const count = changes.length === 1 ? "1 change" : `${changes.length.toLocaleString("en-GB")} changes`;
  return (
    <details className={styles.changes} open={changes.length <= 8}>
      <summary>{count} against the data in force</summary>
      <ul aria-label="Changes of the draft">
        {changes.slice(0, changesShown).map((change) => (
          <li key={JSON.stringify(change)}>{sentenceOf(change)}</li>
        ))}
        {changes.length > changesShown ? <li>and {changes.length - changesShown} more</li> : null}
      </ul>
    </details>
  );
}

function sentenceOf({ of, place, before, after, percent }: DraftChange): string {
  if (place === "") return `${of}: ${before === undefined ? "added" : "removed"}`;
  if (before === undefined) return `${of}, ${place}: ${after === "complete" ? "added" : `${after}, added`}`;
  if (after === undefined) return `${of}, ${place}: ${before === "complete" ? "removed" : `${before}, removed`}`;
  return `${of}, ${place}: ${before} → ${after}${percent === undefined ? "" : ` (${percentText(percent)})`}`;
}
