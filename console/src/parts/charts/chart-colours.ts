import type { Tone } from "../tones.ts";

export interface Series {
  readonly name: string;
  /** For a series that is a state; others use the palette in order. */
  readonly tone?: Tone;
}

const ofTones: Readonly<Record<Tone, string>> = {
  done: "var(--chart-done)",
  moving: "var(--chart-moving)",
  waiting: "var(--chart-waiting)",
  failed: "var(--chart-failed)",
  ended: "var(--chart-ended)",
};

/** As a CSS colour that follows the theme. */
export function seriesColours({ tone }: Series, i: number): string {
  return tone === undefined ? `var(--chart-${(i % 6) + 1})` : ofTones[tone];
}

/** The colour value, for a canvas. */
export function plainColour(colour: string): string {
  const name = /^var\((.+)\)$/.exec(colour)?.[1];
  return name === undefined ? colour : getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
