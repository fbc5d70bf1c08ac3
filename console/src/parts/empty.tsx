import type { ReactNode } from "react";
import styles from "./empty.module.css";

interface EmptyProps {
  /** Why there is nothing. */
  readonly why: ReactNode;
  /** The one action that changes that. */
  readonly action?: ReactNode;
}

/** Instead of a list or a chart without anything in it. */
export function Empty({ why, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.why}>{why}</p>
      {action}
    </div>
  );
}
