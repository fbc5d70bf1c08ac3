/** The first try of a delivery, or a later one, or a probe of an open breaker. */
export type TryKind = "FIRST" | "AGAIN";

/** How many requests are under way in this process, and of which kind. */
export interface Slots {
  /** Waits for a place. The answer gives it back. */
  take(kind: TryKind): Promise<() => void>;
}

/**
 * At least half of the places are kept for first tries, so that receivers that fail, and are tried again and again, take
 * none from those that do not (webhooks.md §2, Breaker). Of each kind whoever came first goes first.
 */
export function createSlots(placesMax: number): Slots {
  const againMax = Math.max(1, Math.floor(placesMax / 2));
  const waiting = { FIRST: [] as (() => void)[], AGAIN: [] as (() => void)[] };
  const taken = { FIRST: 0, AGAIN: 0 };
  const isFree = (kind: TryKind) =>
    taken.FIRST + taken.AGAIN < placesMax && (kind === "FIRST" || taken.AGAIN < againMax);

  function giveOut(): void {
    for (const kind of ["FIRST", "AGAIN"] as const) {
      while (waiting[kind].length > 0 && isFree(kind)) {
        taken[kind]++;
        waiting[kind].shift()?.();
      }
    }
  }

  return {
    take(kind) {
      return new Promise((resolve) => {
        waiting[kind].push(() =>
          resolve(() => {
            taken[kind]--;
            giveOut();
          }),
        );
        giveOut();
      });
    },
  };
}
