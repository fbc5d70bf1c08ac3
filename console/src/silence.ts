import { useSyncExternalStore } from "react";

/** One failure may concern a single request; two consecutive ones without a response mean that the server is down. */
const failuresMin = 2;

const listeners = new Set<() => void>();
let answeredAt = Date.now();
let failures = 0;

function change(count: number): void {
  const before = silentSince();
  failures = count;
  if (silentSince() !== before) for (const tell of listeners) tell();
}

/** Records for every read request whether the server responded. */
export function tellAnswered(isAnswered: boolean): void {
  if (isAnswered) answeredAt = Date.now();
  change(isAnswered ? 0 : failures + 1);
}

// Without a network, no requests are sent, so none fail.
addEventListener("offline", () => change(failuresMin));

const silentSince = (): number | undefined => (failures >= failuresMin ? answeredAt : undefined);

/** Time of the server's last response, in milliseconds; undefined while it responds. */
export function useSilence(): number | undefined {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, silentSince);
}
