/** A live credential for a log-in, as the clients' module provides it. */
export interface LogIn {
  readonly clientId: string;
  readonly credentialId: string;
  /** Argon2id in the PHC string format; a credential has this or a key. */
  readonly passwordHash: string | undefined;
  /** `type base64` in OpenSSH's format. */
  readonly publicKey: string | undefined;
  readonly isSuspended: boolean;
}

export interface LogIns {
  /** The one live credential of a user name. */
  find(username: string): Promise<LogIn | undefined>;
  /** Those of the credentials whose sessions may continue: not revoked, and not of a suspended client. */
  listGood(credentialIds: readonly string[]): Promise<readonly string[]>;
}
