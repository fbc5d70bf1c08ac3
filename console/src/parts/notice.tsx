import type { ReactNode } from "react";
import styles from "./notice.module.css";
import type { Tone } from "./tones.ts";

interface NoticeProps {
  readonly tone: Tone;
  readonly title: string;
  readonly children?: ReactNode;
  /** It results from a user action, so screen readers announce it at once. */
  readonly isAlert?: boolean;
}

/** A notice: a title in the colour of its meaning, and a text below. */
export function Notice({ tone, title, children, isAlert = false }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={isAlert ? "alert" : "note"}>
      <p className={styles.title}>{title}</p>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
    </div>
  );
}
