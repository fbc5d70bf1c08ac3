/** A live credential by which somebody may log in, as whoever keeps the clients knows it. */
export interface LogIn {
  readonly clientId: string;
  readonly credentialId: string;
  /** Argon2id in the PHC string format; a credential has this or a key. */
  readonly passwordHash: string | undefined;
  /** `type base64` as OpenSSH writes it. */
  readonly publicKey: string | undefined;
  readonly isSuspended: boolean;
}

export interface LogIns {
  /** The one live credential of a user name. */
  find(username: string): Promise<LogIn | undefined>;
  /** Those of the credentials whose sessions may go on: neither revoked nor of a suspended client. */
  listGood(credentialIds: readonly string[]): Promise<readonly string[]>;
}
