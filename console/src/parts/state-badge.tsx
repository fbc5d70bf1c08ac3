import styles from "./state-badge.module.css";
import { type StateKind, type Tone, toneOf, wordOf } from "./tones.ts";

interface StateBadgeProps {
  readonly kind: StateKind;
  /** As in the API, such as `ON_HOLD`. */
  readonly state: string;
}

/** A state as a coloured word. */
export function StateBadge({ kind, state }: StateBadgeProps) {
  return <ToneBadge tone={toneOf(kind, state)} text={wordOf(state)} />;
}

interface ToneBadgeProps {
  readonly tone: Tone;
  readonly text: string;
}

/** Any coloured word that is not a state: "Overdue", "3 errors". */
export function ToneBadge({ tone, text }: ToneBadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {text}
    </span>
  );
}
