import type { Database } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import { createUseNotes } from "#/modules/clients/credentials/use-notes.ts";
import * as repository from "#/modules/clients/repository.ts";

/** A live SFTP credential, with what a log-in is compared with: for the server that compares, and for nobody else. */
export interface SftpLogIn {
  readonly clientId: string;
  readonly credentialId: string;
  /** Of `hashPassword`; a credential has this or a key. */
  readonly passwordHash: string | undefined;
  /** `type base64`, as `readPublicKey` gives it. */
  readonly publicKey: string | undefined;
  readonly isSuspended: boolean;
}

/** Who may log in by SFTP, as the store says at this moment: log-ins are rare, and a revocation is to be seen at once. */
export interface SftpLogIns {
  find(username: string): Promise<SftpLogIn | undefined>;
  /** Those of the credentials that are neither revoked nor of a suspended client. */
  listGood(credentialIds: readonly string[]): Promise<readonly string[]>;
}

/** @param environment of this deployment: credentials of another are as good as none. */
export function createSftpLogIns(database: Database, environment: string): SftpLogIns {
  return {
    async find(username) {
      const row = await repository.findSftpLogIn(database, username, environment);
      return (
        row && {
          clientId: row.client_id,
          credentialId: row.credential_id,
          passwordHash: row.password_hash ?? undefined,
          publicKey: row.public_key ?? undefined,
          isSuspended: row.status !== "ACTIVE",
        }
      );
    },
    listGood: (credentialIds) => repository.listGoodCredentials(database, credentialIds),
  };
}

/** Notes that the live credential of a user name was logged in with. */
export function createLogInNotes(database: Database, clock: Clock): (username: string) => void {
  const noteUse = createUseNotes(database, clock);
  return (username) => {
    repository.findLiveUsername(database, username).then(
      (row) => row && noteUse(row.credential_id),
      () => {},
    );
  };
}
