import type { ReactNode } from "react";
import type { Tone } from "./tones.ts";
import styles from "./track.module.css";

interface TrackProps {
  /** Filled percentage, 0 to 100. */
  readonly share: number;
  readonly tone: Tone;
  /** The same in words, because the bar alone is not accessible. */
  readonly children: ReactNode;
}

/** A short progress bar with a text next to it. */
export function Track({ share, tone, children }: TrackProps) {
  return (
    <span className={styles.around} data-tone={tone}>
      <svg className={styles.track} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles.whole} width="100" height="6" rx="1" />
        <rect className={styles.part} width={share} height="6" rx="1" />
      </svg>
      <span>{children}</span>
    </span>
  );
}
