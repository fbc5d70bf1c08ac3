import type { Database } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import * as repository from "#/modules/clients/repository.ts";

/** The precision of a credential's last use in milliseconds: a finer one would cost a write for every request. */
const newsAfterMs = 120_000;

/**
 * Records the look-up of a credential, so that operators can decide which one to revoke. Call it when the credential is
 * read from the store, which is rare. No caller waits for the record, and its failure fails nothing.
 */
export function createUseNotes(database: Database, clock: Clock): (credentialId: string) => void {
  const iso = (ms: number) => new Date(ms).toISOString();
  return (credentialId) => {
    const nowMs = clock.now();
    // An unavailable store is reported by the operations that depend on it.
    repository.noteUse(database, credentialId, iso(nowMs), iso(nowMs - newsAfterMs)).catch(() => {});
  };
}
