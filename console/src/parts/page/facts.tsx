import type { ReactNode } from "react";
import styles from "./facts.module.css";

export interface Fact {
  readonly name: string;
  /** Facts without a value are left out. */
  readonly value: ReactNode;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly title?: string;
  /** In up to three columns. */
  readonly isWide?: boolean;
}

/** Names and values, one below the other. */
export function Facts({ facts, title, isWide }: FactsProps) {
  const shown = facts.filter(({ value }) => value !== undefined && value !== null && value !== "" && value !== false);
  return (
    <div>
      {title === undefined ? null : <h2 className={styles.title}>{title}</h2>}
      <dl className={isWide ? styles.wide : styles.facts}>
        {shown.map(({ name, value }) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
