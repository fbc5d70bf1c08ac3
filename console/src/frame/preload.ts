import { useEffect, useRef } from "react";
import { queries } from "../queries.ts";
import { type ScreenEntry, useScreens } from "../screens.tsx";

/** Between two screens, each of which takes some 20 ms of the processor. */
const pauseMs = 1_000;
/** Between two looks whether data still come. */
const fetchingMs = 200;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Resolves when no data come and the browser has nothing to do. Safari does not say the latter. */
async function rest(): Promise<void> {
  while (queries.isFetching() > 0) await pause(fetchingMs);
  if ("requestIdleCallback" in window) await new Promise((resolve) => requestIdleCallback(resolve));
}

/** Whether 300 kB that may never be used are welcome. Browsers that do not describe the network get them. */
function isWelcome(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData: boolean; readonly effectiveType: string } };
  return connection === undefined || (!connection.saveData && connection.effectiveType === "4g");
}

/** A missing script ends it: a newer version may have been deployed. The click on its screen requests it again. */
async function preload(screens: readonly ScreenEntry[], signal: AbortSignal): Promise<void> {
  for (const { Area } of screens) {
    await rest();
    if (signal.aborted) return;
    if (await Area.preload()) await pause(pauseMs);
  }
}

/**
 * Loads the scripts of the screens in the order of the menu while the open screen rests, so that a click finds them: its
 * rows come 50 to 100 ms earlier (`npm run bench clicks`).
 */
export function usePreload(): void {
  const screens = useRef(useScreens());
  useEffect(() => {
    if (!isWelcome()) return;
    const end = new AbortController();
    preload(screens.current, end.signal).catch(() => undefined);
    return () => end.abort();
  }, []);
}
