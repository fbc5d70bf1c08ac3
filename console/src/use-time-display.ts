import { useSyncExternalStore } from "react";
import { subscribeTimeDisplay, type TimeDisplay, timeDisplay } from "./time-display.ts";

export function useTimeDisplay(): TimeDisplay {
  return useSyncExternalStore(subscribeTimeDisplay, timeDisplay);
}
