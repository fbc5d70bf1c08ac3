import type { Clock } from "#/kernel/clock.ts";
import * as repository from "#/modules/clients/repository.ts";
import type { Database } from "#/store/db/database.ts";

/** Looks up SFTP log-ins in the store each time: log-ins are rare, and a revocation must take effect at once. */
interface SftpLogIns {
  find(username: string): Promise<repository.SftpLogIn | undefined>;
  /** The credentials that are neither revoked nor of a suspended client. */
  listGood(credentialIds: readonly string[]): Promise<readonly string[]>;
}

/** @param environment of this deployment: credentials of another environment do not exist here. */
export function createSftpLogIns(database: Database, environment: string): SftpLogIns {
  return {
    find: (username) => repository.findSftpLogIn(database, username, environment),
    listGood: (credentialIds) => repository.listGoodCredentials(database, credentialIds),
  };
}

/** Records a log-in with the live credential of a user name. */
export function createLogInNotes(database: Database, clock: Clock): (username: string) => void {
  const noteUse = createUseNotes(database, clock);
  return (username) => {
    repository.findLiveUsername(database, username).then(
      (row) => row && noteUse(row.credentialId),
      () => {},
    );
  };
}

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
