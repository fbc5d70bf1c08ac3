import type { Database } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import * as repository from "#/modules/clients/repository.ts";

/** A credential's last use is known to within so many milliseconds: more would be a write for every request. */
const newsAfterMs = 120_000;

/**
 * Notes that a credential was asked for, for the people who decide which one can be revoked. To be called when an answer
 * about it is read from the store, which is seldom. Nobody waits for the note, and nothing fails with it.
 */
export function createUseNotes(database: Database, clock: Clock): (credentialId: string) => void {
  const iso = (ms: number) => new Date(ms).toISOString();
  return (credentialId) => {
    const nowMs = clock.now();
    // A store that is away is told of by whoever needs it for more than this.
    repository.noteUse(database, credentialId, iso(nowMs), iso(nowMs - newsAfterMs)).catch(() => {});
  };
}
