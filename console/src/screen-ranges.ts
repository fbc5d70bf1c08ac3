import { useSearchParams } from "react-router";
import { type PresetKey, rangeOf, type TimeRange } from "./time-range.ts";

/** What the range of the top bar limits on a screen. */
export interface ScreenRange {
  /** The time that is meant: "Received". */
  readonly label: string;
  /** Without a choice. */
  readonly initial: PresetKey;
  readonly presets: readonly PresetKey[];
  /** Both ends are required. */
  readonly isBounded?: boolean;
  /** What it limits is closed to users who are limited to facilities. */
  readonly isOfAllFacilities?: boolean;
}

/** Name in the address. */
export const rangeParam = "range";

const past = ["1h", "6h", "24h", "today", "yesterday", "7d", "30d"] as const;

/** Screens whose content the API limits by time, by their path. The top bar has no range on the others, nor on pages below these. */
export const screenRanges = {
  "/overview": { label: "Feeds received", initial: "1h", presets: past, isBounded: true, isOfAllFacilities: true },
  "/feeds": { label: "Received", initial: "any", presets: ["any", ...past], isOfAllFacilities: true },
  "/orders": { label: "Received", initial: "any", presets: ["any", ...past] },
  "/audit": { label: "When", initial: "24h", presets: past, isOfAllFacilities: true },
} as const satisfies Readonly<Record<string, ScreenRange>>;

/** The range of the screen at a path; undefined where the screen has none. */
export function screenRangeAt(pathname: string): ScreenRange | undefined {
  const path = pathname.replace(/\/$/, "");
  return Object.hasOwn(screenRanges, path) ? screenRanges[path as keyof typeof screenRanges] : undefined;
}

/** The range that the top bar shows for the screen. */
export function useScreenRange({ initial }: ScreenRange): TimeRange {
  const [params] = useSearchParams();
  return rangeOf(params.get(rangeParam), initial);
}
