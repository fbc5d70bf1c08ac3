import styles from "./state-badge.module.css";
import { type StateKind, type Tone, toneOf, wordOf } from "./tones.ts";

interface StateBadgeProps {
  readonly kind: StateKind;
  /** As the API says it, such as `ON_HOLD`. */
  readonly state: string;
}

/** A state as a word on its colour. */
export function StateBadge({ kind, state }: StateBadgeProps) {
  return <ToneBadge tone={toneOf(kind, state)} text={wordOf(state)} />;
}

interface ToneBadgeProps {
  readonly tone: Tone;
  readonly text: string;
}

/** Any word on the colour of its meaning, for what is no state: "Overdue", "3 errors". */
export function ToneBadge({ tone, text }: ToneBadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {text}
    </span>
  );
}
