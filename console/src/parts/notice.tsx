import type { ReactNode } from "react";
import styles from "./notice.module.css";
import type { Tone } from "./tones.ts";

interface NoticeProps {
  readonly tone: Tone;
  readonly title: string;
  readonly children?: ReactNode;
  /** It appears because of what somebody did: read out at once. */
  readonly isAlert?: boolean;
}

/** Something to know before going on: a title in the colour of its meaning, and the words below it. */
export function Notice({ tone, title, children, isAlert = false }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={isAlert ? "alert" : "note"}>
      <p className={styles.title}>{title}</p>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
    </div>
  );
}
