import type { ReactNode } from "react";
import styles from "./charts.module.css";
import { Go } from "./go.tsx";
import type { Tone } from "./tones.ts";

export interface Stage {
  readonly name: string;
  readonly count: number;
  /** Beside the count: "oldest 3 h", "4 at risk". */
  readonly note?: ReactNode;
  readonly tone?: Tone;
  /** The list of what is in this stage. */
  readonly to?: string;
}

interface FunnelProps {
  readonly label: string;
  /** "orders". */
  readonly unit: string;
  readonly stages: readonly Stage[];
}

/** Stages one below the other, as long as their counts. */
export function Funnel({ label, unit, stages }: FunnelProps) {
  const longest = Math.max(...stages.map(({ count }) => count), 1);
  return (
    <table className={styles.bars}>
      <caption className={styles.unseen}>
        {label}, in {unit}
      </caption>
      <tbody>
        {stages.map(({ name, count, note, tone = "moving", to }) => (
          <tr key={name}>
            <th scope="row">{to === undefined ? name : <Go to={to}>{name}</Go>}</th>
            <td>
              <div className={styles.bar}>
                {count > 0 ? (
                  <span style={{ width: `${(100 * count) / longest}%`, background: `var(--chart-${tone})` }} />
                ) : null}
              </div>
            </td>
            <td className={styles.sum}>{count.toLocaleString("en-GB")}</td>
            <td className={styles.stageNote}>{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
