import type { Database } from "#/db/database.ts";
import { type PaperDigest, storeDigests } from "#/modules/documents/repository.ts";

/** Stores the digests of printed papers. */
export interface DigestStore {
  /** Resolves when they are stored. */
  store(clientId: string, digests: readonly PaperDigest[]): Promise<void>;
}

interface Batch {
  readonly digests: PaperDigest[];
  readonly stored: Promise<void>;
}

/**
 * One statement at a time for each client: digests that arrive while it runs wait, and share the next one. A queue of
 * printers writes some ten digests at once; a single reader does not wait.
 */
export function createDigestStore(database: Database): DigestStore {
  const waiting = new Map<string, Batch>();
  const running = new Map<string, Promise<void>>();

  async function storeBatch(clientId: string, digests: readonly PaperDigest[]): Promise<void> {
    // A failed statement is reported to those whose digests it had.
    await running.get(clientId)?.catch(() => undefined);
    waiting.delete(clientId);
    const stored = storeDigests(database.of(clientId), digests);
    running.set(clientId, stored);
    try {
      await stored;
    } finally {
      if (running.get(clientId) === stored) running.delete(clientId);
    }
  }

  return {
    store(clientId, digests) {
      let batch = waiting.get(clientId);
      if (!batch) {
        const shared: PaperDigest[] = [];
        batch = { digests: shared, stored: storeBatch(clientId, shared) };
        waiting.set(clientId, batch);
      }
      batch.digests.push(...digests);
      return batch.stored;
    },
  };
}
