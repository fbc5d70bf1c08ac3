import type { ReactNode } from "react";
import { Go } from "../go.tsx";
import type { Tone } from "../tones.ts";
import styles from "./charts.module.css";

export interface Stage {
  readonly name: string;
  readonly count: number;
  /** Shown next to the count: "oldest 3 h", "4 at risk". */
  readonly note?: ReactNode;
  readonly tone?: Tone;
  /** The list of objects in this stage. */
  readonly to?: string;
}

interface FunnelProps {
  readonly label: string;
  /** "orders". */
  readonly unit: string;
  readonly stages: readonly Stage[];
}

/** Stages in rows, with bars as long as their counts. */
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
              <div className={styles.bar} aria-hidden="true">
                <Bar share={count / longest} tone={tone} to={to} />
              </div>
            </td>
            <td className={styles.sum}>
              {to === undefined || count === 0 ? (
                count.toLocaleString("en-GB")
              ) : (
                <Go to={to} isBesideAnother>
                  {count.toLocaleString("en-GB")}
                </Go>
              )}
            </td>
            <td className={styles.stageNote}>{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface BarProps {
  /** Fraction of the longest bar, from 0 to 1. */
  readonly share: number;
  readonly tone: Tone;
  readonly to: string | undefined;
}

function Bar({ share, tone, to }: BarProps) {
  if (share === 0) return null;
  const bar = <span style={{ width: `${100 * share}%`, background: `var(--chart-${tone})` }} />;
  return to === undefined ? (
    bar
  ) : (
    <Go to={to} isPlain isBesideAnother className={styles.barLink}>
      {bar}
    </Go>
  );
}
