import type { ReactNode } from "react";
import styles from "./empty.module.css";

interface EmptyProps {
  /** Reason why it is empty. */
  readonly why: ReactNode;
  /** The one action that adds content. */
  readonly action?: ReactNode;
}

/** Replaces an empty list or chart. */
export function Empty({ why, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.why}>{why}</p>
      {action}
    </div>
  );
}
