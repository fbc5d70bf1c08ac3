/** The first attempt of a delivery, or a later attempt or a probe of an open breaker. */
export type TryKind = "FIRST" | "AGAIN";

/** The requests in progress in this process, by kind. */
export interface Slots {
  /** Waits for a slot. The returned function releases it. */
  take(kind: TryKind): Promise<() => void>;
}

/**
 * At least half of the slots are reserved for first attempts, so that the retries of failing receivers take none from
 * working ones (webhooks.md §2, Breaker). Each kind is served in order of arrival.
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
