import type { ReactNode } from "react";
import { Go } from "../../parts/go.tsx";
import type { Tone } from "../../parts/tones.ts";
import styles from "./overview.module.css";

export interface Count {
  readonly label: string;
  readonly value: number;
  /** The list behind the number. */
  readonly to: string;
  readonly note?: ReactNode;
  /** Where the number is not nothing. */
  readonly tone?: Tone;
}

/** Numbers one below the other, each leading to what it counts. */
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
