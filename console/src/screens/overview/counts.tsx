import type { ReactNode } from "react";
import { Go } from "../../parts/go.tsx";
import type { Tone } from "../../parts/tones.ts";
import styles from "./overview.module.css";

export interface Count {
  readonly label: string;
  readonly value: number;
  /** The list that the number counts. */
  readonly to: string;
  readonly note?: ReactNode;
  /** Tone if the number is not zero. */
  readonly tone?: Tone;
}

/** A column of numbers, each with a link to its list. */
export function Counts({ label, counts }: { readonly label: string; readonly counts: readonly Count[] }) {
  return (
    <table className={styles.counts}>
      <caption className={styles.unseen}>{label}</caption>
      <tbody>
        {counts.map(({ label: name, value, to, note, tone }) => (
          <tr key={name}>
            <th scope="row">
              <Go to={to}>{name}</Go>
            </th>
            <td className={styles.dim}>{note}</td>
            <td className={styles.number} data-tone={value > 0 ? tone : undefined}>
              {value === 0 ? (
                "0"
              ) : (
                <Go to={to} isBesideAnother>
                  {value.toLocaleString("en-GB")}
                </Go>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
