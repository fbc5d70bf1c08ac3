import { useSyncExternalStore } from "react";

/** One failure may be that of a single request; two in a row without any answer between them are a server that is gone. */
const failuresMin = 2;

const listeners = new Set<() => void>();
let answeredAt = Date.now();
let failures = 0;

function change(count: number): void {
  const before = silentSince();
  failures = count;
  if (silentSince() !== before) for (const tell of listeners) tell();
}

/** Told of every request that reads: whether the server answered it. */
export function tellAnswered(isAnswered: boolean): void {
  if (isAnswered) answeredAt = Date.now();
  change(isAnswered ? 0 : failures + 1);
}

// Nothing is asked while the machine knows of no network, so nothing fails either.
addEventListener("offline", () => change(failuresMin));

const silentSince = (): number | undefined => (failures >= failuresMin ? answeredAt : undefined);

/** When the server answered last, in milliseconds; undefined as long as it does. */
export function useSilence(): number | undefined {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, silentSince);
}
