import { assert } from "#/kernel/assert.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { hashPassword, makePassword } from "#/kernel/security/password.ts";
import { readPublicKey } from "#/modules/clients/credentials/public-key.ts";
import {
  type ClientCredentialKind,
  type CredentialKind,
  isCarrierCode,
  makeClientSecret,
  makeFeedKey,
  secretHash,
  sftpUsername,
} from "#/modules/clients/domain.ts";
import * as repository from "#/modules/clients/repository.ts";
import { unknownClient } from "#/modules/clients/service.ts";
import { type Change, platformClient, recordAudit } from "#/store/db/audit.ts";
import type { ClientTransaction, ClientTx, Transaction, Tx } from "#/store/db/database.ts";

export interface OauthSecret {
  readonly client_id: string;
  readonly client_secret: string;
}

/** A secret that is shown once and stored as a hash; the part of its kind, as `credentials issue --json` prints it. */
export type IssuedCredential =
  | { readonly credentialId: string; readonly feed: { readonly apiKey: string } }
  | { readonly credentialId: string; readonly oauth: OauthSecret }
  | {
      readonly credentialId: string;
      /** No password if a public key was given. */
      readonly sftp: { readonly username: string; readonly password?: string };
    };

interface CredentialRequest {
  readonly clientId: string;
  readonly kind: ClientCredentialKind;
  /** Keys of one environment are refused in another. */
  readonly environment: string;
  /** Content of an OpenSSH public key file, for `sftp` instead of a password. */
  readonly publicKey?: string | undefined;
}

/** Issues an additional credential; live ones stay, so that rotations overlap. Refused for an unknown client. */
export async function issueCredential(
  tx: Transaction,
  change: Change,
  request: CredentialRequest,
): Promise<Result<IssuedCredential, string>> {
  const { clientId, kind, environment } = request;
  const view = tx.of(clientId, change);
  if (request.publicKey !== undefined && kind !== "sftp")
    return refused("only an sftp credential accepts a public key");
  const publicKey = request.publicKey === undefined ? undefined : readPublicKey(request.publicKey);
  if (publicKey?.ok === false) return publicKey;
  if (!(await repository.findClient(view))) return refused(await unknownClient(view));

  const credentialId = change.ids.next(Date.parse(change.at));
  const credential = { credentialId, kind, clientId, environment, at: change.at };
  const issued = await (kind === "sftp"
    ? insertLogin(view, credential, publicKey?.value)
    : insertSecret(tx, credential, environment));
  if (issued === undefined)
    return refused(`client ${clientId} has ${loginsMax} active sftp credentials: revoke some first`);
  recordAudit(view, {
    action: "issue",
    objectType: "credential",
    objectId: credentialId,
    detail: { kind, environment, ...("sftp" in issued ? { username: issued.sftp.username } : {}) },
  });
  return ok(issued);
}

async function insertSecret(
  tx: Transaction,
  credential: repository.NewCredential,
  environment: string,
): Promise<IssuedCredential> {
  const { credentialId, kind } = credential;
  const secret = kind === "feed" ? makeFeedKey(environment) : makeClientSecret();
  const isNew = await repository.insertCredential(tx, { ...credential, secretSha256: secretHash(secret) });
  assert(isNew, "256 random bits came twice");
  return kind === "feed"
    ? { credentialId, feed: { apiKey: secret } }
    : { credentialId, oauth: { client_id: credentialId, client_secret: secret } };
}

const loginsMax = 100;

async function insertLogin(
  tx: ClientTransaction,
  credential: repository.NewCredential,
  publicKey: string | undefined,
): Promise<IssuedCredential | undefined> {
  const password = publicKey === undefined ? makePassword() : undefined;
  const proof = publicKey === undefined ? { passwordHash: await hashPassword(password as string) } : { publicKey };
  for (let n = 1; n <= loginsMax; n++) {
    const username = sftpUsername(tx.clientId, n);
    if (!(await repository.insertCredential(tx.plain, { ...credential, ...proof, username }))) continue;
    return {
      credentialId: credential.credentialId,
      sftp: { username, ...(password === undefined ? {} : { password }) },
    };
  }
  return undefined;
}

/** OAuth credentials of the warehouse port, bound to one facility, which must exist. */
export async function issueWarehouseCredential(
  tx: Transaction,
  change: Change,
  request: { readonly facilityCode: string; readonly environment: string },
): Promise<{ readonly facilityCode: string; readonly oauth: OauthSecret }> {
  const { facilityCode, environment } = request;
  const oauth = await insertPortSecret(tx, change, { kind: "warehouse", facilityCode, environment });
  return { facilityCode, oauth };
}

/**
 * OAuth credentials of a carrier, only for its events on the warehouse port. Refused for an invalid carrier code; the
 * existing carriers are not known here.
 */
export async function issueCarrierCredential(
  tx: Transaction,
  change: Change,
  request: { readonly carrierCode: string; readonly environment: string },
): Promise<Result<{ readonly carrierCode: string; readonly oauth: OauthSecret }, string>> {
  const { carrierCode, environment } = request;
  if (!isCarrierCode(carrierCode))
    return refused(`'${carrierCode}' is not a valid carrier code: use 1 to 64 characters without blanks`);
  const oauth = await insertPortSecret(tx, change, { kind: "carrier", carrierCode, environment });
  return ok({ carrierCode, oauth });
}

async function insertPortSecret(
  tx: Transaction,
  change: Change,
  of: Pick<repository.NewCredential, "kind" | "facilityCode" | "carrierCode" | "environment">,
): Promise<OauthSecret> {
  const credentialId = change.ids.next(Date.parse(change.at));
  const secret = makeClientSecret();
  const proof = { credentialId, secretSha256: secretHash(secret), at: change.at };
  const isNew = await repository.insertCredential(tx, { ...of, ...proof });
  assert(isNew, "256 random bits came twice");
  recordAudit(tx.of(platformClient, change), {
    action: "issue",
    objectType: "credential",
    objectId: credentialId,
    detail: of,
  });
  return { client_id: credentialId, client_secret: secret };
}

/** A credential without its secrets. */
export type CredentialRecord = Omit<PortCredentialRecord, "facilityCode" | "carrierCode">;

/** A credential of the warehouse port, for a facility or a carrier. */
type PortCredentialRecord = Omit<repository.FoundCredential, "clientId" | "secretSha256">;

/** Live and revoked credentials, newest first. Refused for an unknown client. */
export async function listCredentials(tx: ClientTx): Promise<Result<readonly CredentialRecord[], string>> {
  if (!(await repository.findClient(tx))) return refused(await unknownClient(tx));
  const rows = await repository.listCredentials(tx);
  return ok(rows.map(recordOf));
}

const portRecordOf = ({ clientId, secretSha256, ...record }: repository.FoundCredential): PortCredentialRecord =>
  record;

function recordOf(credential: repository.FoundCredential): CredentialRecord {
  const { facilityCode, carrierCode, ...record } = portRecordOf(credential);
  return record;
}

/** A page of the credentials of the warehouse port, live and revoked, newest first; of one facility if it is named. */
export async function listPortCredentials(
  tx: Tx,
  page: { readonly facilityCode?: string | undefined; readonly after: string | undefined; readonly limit: number },
): Promise<readonly PortCredentialRecord[]> {
  return (await repository.listPortCredentials(tx, page)).map(portRecordOf);
}

/** Revokes a credential. A revoked one stays as it is. Refused if there is none with this id. */
export async function revokeCredential(
  tx: Transaction,
  change: Change,
  credentialId: string,
  within: readonly string[] | null = null,
): Promise<
  Result<{ readonly credentialId: string; readonly kind: CredentialKind; readonly revokedAt: string }, string>
> {
  const unknown = refused(`there is no credential ${credentialId}; 'credentials list CLIENT' names them`);
  if (within) {
    const found = await repository.findCredential(tx, credentialId);
    if (!(found?.clientId && within.includes(found.clientId))) return unknown;
  }
  const isEnded = await repository.revokeCredential(tx, credentialId, change.at);
  const row = await repository.findCredential(tx, credentialId);
  if (!row) return unknown;
  assert(row.revokedAt, "a revoked credential has a time of revocation");
  if (isEnded) {
    recordAudit(tx.of(row.clientId ?? platformClient, change), {
      action: "revoke",
      objectType: "credential",
      objectId: credentialId,
      detail: { kind: row.kind },
    });
  }
  return ok({ credentialId, kind: row.kind, revokedAt: row.revokedAt });
}

/** A program's hold on a facility's port: at most one credential of this name is live. */
export interface Hold {
  readonly facilityCode: string;
  /** Longer than a client identifier may be, so that it is never a user name for SFTP. */
  readonly holder: "warehouse-sim";
}

/**
 * Credentials of the warehouse port for a program that stores no secret and gets new ones at each start. The previous
 * credential of this name, even of a killed start, is revoked.
 */
export async function takeHold(
  tx: Transaction,
  change: Change,
  { facilityCode, holder, environment }: Hold & { readonly environment: string },
): Promise<OauthSecret> {
  const username = nameOf({ facilityCode, holder });
  const before = await repository.findLiveUsername(tx, username);
  if (before) await repository.revokeCredential(tx, before.credentialId, change.at);
  const credentialId = change.ids.next(Date.parse(change.at));
  const secret = makeClientSecret();
  const isNew = await repository.insertCredential(tx, {
    credentialId,
    kind: "warehouse",
    facilityCode,
    environment,
    username,
    at: change.at,
    secretSha256: secretHash(secret),
  });
  assert(isNew, `two processes claimed ${username} at the same time`);
  recordAudit(tx.of(platformClient, change), {
    action: "issue",
    objectType: "credential",
    objectId: credentialId,
    detail: { kind: "warehouse", environment, facilityCode, holder },
  });
  return { client_id: credentialId, client_secret: secret };
}

/** True if a live credential holds the facility under this name. */
export async function isHeld(tx: Tx, hold: Hold): Promise<boolean> {
  return (await repository.findLiveUsername(tx, nameOf(hold))) !== undefined;
}

function nameOf({ facilityCode, holder }: Hold): string {
  return `${holder}@${facilityCode}`;
}
