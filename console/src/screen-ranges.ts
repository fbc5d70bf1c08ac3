import { useSearchParams } from "react-router";
import { type PresetKey, rangeOf, type TimeRange } from "./time-range.ts";

/** The time range of a screen in the top bar. */
export interface ScreenRange {
  /** The filtered time: "Received". */
  readonly label: string;
  /** Default range. */
  readonly initial: PresetKey;
  readonly presets: readonly PresetKey[];
  /** Both ends are required. */
  readonly isBounded?: boolean;
  /** Its data is closed to users who are limited to facilities. */
  readonly isOfAllFacilities?: boolean;
}

/** Name of the URL parameter. */
export const rangeParam = "range";

const past = ["1h", "6h", "24h", "today", "yesterday", "7d", "30d"] as const;

/** Screens with a time filter in the API, by path. On other screens and on subpages, the top bar has no time range. */
export const screenRanges = {
  "/overview": { label: "Feeds received", initial: "1h", presets: past, isBounded: true, isOfAllFacilities: true },
  "/feeds": { label: "Received", initial: "any", presets: ["any", ...past], isOfAllFacilities: true },
  "/orders": { label: "Received", initial: "any", presets: ["any", ...past] },
  "/audit": { label: "When", initial: "24h", presets: past, isOfAllFacilities: true },
} as const satisfies Readonly<Record<string, ScreenRange>>;

/** The time range of the screen at a path; undefined if the screen has none. */
export function screenRangeAt(pathname: string): ScreenRange | undefined {
  const path = pathname.replace(/\/$/, "");
  return Object.hasOwn(screenRanges, path) ? screenRanges[path as keyof typeof screenRanges] : undefined;
}

/** The current time range of the screen. */
export function useScreenRange({ initial }: ScreenRange): TimeRange {
  const [params] = useSearchParams();
  return rangeOf(params.get(rangeParam), initial);
}
