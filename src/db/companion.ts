/** The work needs a separate transaction. */
export class AloneError extends Error {}

/** What work does that may share its transaction. */
export interface Companion {
  /** A value that the transaction makes once, at its first use, such as a lock with a counter. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Takes an object that the work changes. Throws AloneError if other work of the transaction has taken it. */
  claim(key: string): void;
  /** Throws AloneError if other work shares the transaction. */
  requireAlone(): void;
}

/** The companion of work that shares its transaction with no other. */
export function alone(): Companion {
  return { once: createMemo(), claim: () => {}, requireAlone: () => {} };
}

export function createMemo(): Companion["once"] {
  const made = new Map<string, Promise<unknown>>();
  return <T>(key: string, make: () => Promise<T>) => {
    const before = made.get(key) ?? make();
    made.set(key, before);
    return before as Promise<T>;
  };
}
