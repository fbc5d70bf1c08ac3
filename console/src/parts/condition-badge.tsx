import { ToneBadge } from "./state-badge.tsx";
import { type Tone, wordOf } from "./tones.ts";

const tones: Readonly<Record<string, Tone>> = {
  GOOD: "done",
  ON_HOLD: "waiting",
  QUARANTINE: "waiting",
  DAMAGED: "failed",
  EXPIRED: "failed",
};

/** Condition of goods (lifecycle.md §8). */
export function ConditionBadge({ condition }: { readonly condition: string }) {
  return <ToneBadge tone={tones[condition] ?? "ended"} text={wordOf(condition)} />;
}
