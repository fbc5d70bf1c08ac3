import type { ClientProfile, CredentialKind } from "#/modules/clients/domain.ts";
import type { StoredSettings } from "#/modules/clients/settings.ts";
import type { ClientTransaction, ClientTx, Transaction, Tx } from "#/store/db/database.ts";
import { allOf, sql, tenant } from "#/store/db/sql.ts";

const listMax = 10_000;

export interface StoredClient extends Omit<ClientProfile, "settings"> {
  readonly settings: StoredSettings;
  readonly createdAt: string;
  readonly updatedAt: string;
}

// The calendars of its facilities come with the client: due times must not cost a query per order.
const clientColumns = sql`c.client_id as "clientId", c.name, c.status, array(
    select f.facility_code from client_facility f where f.client_id = c.client_id order by f.position limit 1000) as facilities,
  (select coalesce(json_object_agg(w.facility_code, json_build_object('timezone', w.timezone, 'cutOffTime', w.cut_off_time,
      'operatingDays', w.operating_days, 'holidays', w.holidays, 'country', w.country, 'zip', w.address->>'zip')), '{}')
    from client_facility f join facility w on w.facility_code = f.facility_code
    where f.client_id = c.client_id limit 1) as calendars,
  c.settings, c.created_at as "createdAt", c.updated_at as "updatedAt"`;

export async function findClient(tx: ClientTx): Promise<StoredClient | undefined> {
  const rows = await tx.plain.query<StoredClient>(
    sql`select ${clientColumns} from client c where c.client_id = ${tx.clientId} limit 1`,
  );
  return rows[0];
}

export interface ClientPageRequest {
  /** Only these clients; undefined: all. */
  readonly clientIds?: readonly string[] | undefined;
  readonly status?: StoredClient["status"] | undefined;
  /** Part of the identifier or the name, case-insensitive. */
  readonly text?: string | undefined;
  /** After this identifier. */
  readonly after: string;
  readonly limit: number;
}

/** A page of clients, by identifier. */
export function pageClients(
  tx: Tx,
  { clientIds, status, text, after, limit }: ClientPageRequest,
): Promise<StoredClient[]> {
  const conditions = allOf([
    clientIds && sql`c.client_id = any(${clientIds}::text[])`,
    status && sql`c.status = ${status}`,
    text === undefined ? undefined : sql`strpos(lower(c.client_id || ' ' || c.name), lower(${text})) > 0`,
  ]);
  return tx.query(
    sql`select ${clientColumns} from client c where c.client_id > ${after} and ${conditions}
      order by c.client_id limit ${limit}`,
  );
}

/** The exact spelling of a client identifier. */
export async function findSpelling(tx: ClientTx): Promise<string | undefined> {
  const rows = await tx.plain.query<{ client_id: string }>(
    sql`select client_id from client where lower(client_id) = lower(${tx.clientId}) limit 1`,
  );
  return rows[0]?.client_id;
}

/** Returns false if the identifier is taken, ignoring case. */
export async function insertClient(
  tx: Transaction,
  client: { clientId: string; name: string; at: string },
): Promise<boolean> {
  const { clientId, name, at } = client;
  const rows = await tx.query(
    sql`insert into client (client_id, name, status, created_at, updated_at)
      values (${clientId}, ${name}, 'ACTIVE', ${at}::timestamptz, ${at}::timestamptz)
      on conflict do nothing returning client_id`,
  );
  return rows.length > 0;
}

/** The rows that represent a client in the distributed tables: the root of bulk inserts, and the lane of its events. */
export function insertTenant(tx: ClientTransaction): void {
  tx.send(sql`insert into tenant (client_id) values (${tenant})`);
  tx.send(sql`insert into outbox_lane (client_id) values (${tenant})`);
}

export function replaceFacilities(tx: ClientTransaction, codes: readonly string[], at: string): void {
  tx.plain.send(sql`delete from client_facility where client_id = ${tx.clientId}`);
  codes.forEach((code, i) => {
    tx.plain.send(
      sql`insert into client_facility (client_id, facility_code, position) values (${tx.clientId}, ${code}, ${i + 1})`,
    );
  });
  tx.plain.send(sql`update client set updated_at = ${at}::timestamptz where client_id = ${tx.clientId}`);
}

export function updateName(tx: ClientTransaction, name: string, at: string): void {
  tx.plain.send(
    sql`update client set name = ${name}, updated_at = ${at}::timestamptz where client_id = ${tx.clientId}`,
  );
}

export function updateSettings(
  tx: ClientTransaction,
  changes: { overrides: StoredSettings; cleared: readonly string[]; at: string },
): void {
  const { overrides, cleared, at } = changes;
  tx.plain.send(
    sql`update client set settings = (settings || ${JSON.stringify(overrides)}::jsonb) - ${cleared}::text[],
        updated_at = ${at}::timestamptz
      where client_id = ${tx.clientId}`,
  );
}

/** Returns whether the status changed. */
export async function updateStatus(
  tx: ClientTransaction,
  status: StoredClient["status"],
  at: string,
): Promise<boolean> {
  const rows = await tx.plain.query(
    sql`update client set status = ${status}, updated_at = ${at}::timestamptz
      where client_id = ${tx.clientId} and status <> ${status} returning client_id`,
  );
  return rows.length > 0;
}

export interface NewCredential {
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly clientId?: string;
  readonly facilityCode?: string;
  readonly carrierCode?: string;
  readonly environment: string;
  readonly secretSha256?: Buffer;
  readonly username?: string;
  readonly passwordHash?: string;
  readonly publicKey?: string;
  readonly at: string;
}

/** Returns false if a live credential has the user name. */
export async function insertCredential(tx: Transaction, credential: NewCredential): Promise<boolean> {
  const { credentialId, kind, clientId, facilityCode, carrierCode, environment, at } = credential;
  const { secretSha256, username, passwordHash, publicKey } = credential;
  const rows = await tx.query(
    sql`insert into credential (credential_id, kind, client_id, facility_code, carrier_code, environment, secret_sha256,
        username, password_hash, public_key, created_at)
      values (${credentialId}, ${kind}, ${clientId}, ${facilityCode}, ${carrierCode}, ${environment}, ${secretSha256},
        ${username}, ${passwordHash}, ${publicKey}, ${at}::timestamptz)
      on conflict do nothing returning credential_id`,
  );
  return rows.length > 0;
}

/** A credential without its password and key. */
export interface FoundCredential {
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly clientId: string | null;
  readonly facilityCode: string | null;
  readonly carrierCode: string | null;
  readonly environment: string;
  readonly secretSha256: Buffer | null;
  readonly username: string | null;
  readonly hasPublicKey: boolean;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** When it was last looked up, to within some minutes. */
  readonly lastUsedAt: string | null;
}

const credentialColumns = sql`k.credential_id as "credentialId", k.kind, k.client_id as "clientId",
  k.facility_code as "facilityCode", k.carrier_code as "carrierCode", k.environment, k.secret_sha256 as "secretSha256",
  k.username, k.public_key is not null as "hasPublicKey", k.created_at as "createdAt", k.revoked_at as "revokedAt", (
    select u.last_used_at from credential_use u where u.credential_id = k.credential_id limit 1) as "lastUsedAt"`;

/** Records the use of a credential, unless the recorded moment is recent enough. */
export async function noteUse(tx: Tx, credentialId: string, at: string, newsAfter: string): Promise<void> {
  await tx.query(
    sql`insert into credential_use as u (credential_id, last_used_at) values (${credentialId}, ${at}::timestamptz)
      on conflict (credential_id) do update set last_used_at = excluded.last_used_at
        where u.last_used_at < ${newsAfter}::timestamptz
      returning credential_id`,
  );
}

export async function findCredential(tx: Tx, credentialId: string): Promise<FoundCredential | undefined> {
  const rows = await tx.query<FoundCredential>(
    sql`select ${credentialColumns} from credential k where k.credential_id = ${credentialId} limit 1`,
  );
  return rows[0];
}

/** The live credential with this user name. */
export async function findLiveUsername(tx: Tx, username: string): Promise<FoundCredential | undefined> {
  const rows = await tx.query<FoundCredential>(
    sql`select ${credentialColumns} from credential k where k.username = ${username} and k.revoked_at is null limit 1`,
  );
  return rows[0];
}

/** A live SFTP credential with the secrets of a log-in, only for the server that compares them. */
export interface SftpLogIn {
  readonly clientId: string;
  readonly credentialId: string;
  /** Of `hashPassword`; a credential has this or a key. */
  readonly passwordHash: string | null;
  /** `type base64`, as `readPublicKey` gives it. */
  readonly publicKey: string | null;
  readonly isSuspended: boolean;
}

/** The live SFTP credential with this user name, with its secrets. */
export async function findSftpLogIn(tx: Tx, username: string, environment: string): Promise<SftpLogIn | undefined> {
  // PostgreSQL rejects NUL in a text, and no user name has one.
  if (username.includes("\0")) return undefined;
  const rows = await tx.query<SftpLogIn>(
    sql`select k.credential_id as "credentialId", k.client_id as "clientId", k.password_hash as "passwordHash",
        k.public_key as "publicKey", c.status <> 'ACTIVE' as "isSuspended"
      from credential k join client c on c.client_id = k.client_id
      where k.username = ${username} and k.revoked_at is null and k.kind = 'sftp' and k.environment = ${environment} limit 1`,
  );
  return rows[0];
}

/** The live credentials of clients that are not suspended. */
export async function listGoodCredentials(tx: Tx, credentialIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ credential_id: string }>(
    sql`select k.credential_id from credential k join client c on c.client_id = k.client_id
      where k.credential_id = any(${credentialIds}::text[]) and k.revoked_at is null and c.status = 'ACTIVE'
      limit ${credentialIds.length}`,
  );
  return rows.map(({ credential_id }) => credential_id);
}

/** Newest first. */
export function listCredentials(tx: ClientTx): Promise<FoundCredential[]> {
  return tx.plain.query(
    sql`select ${credentialColumns} from credential k where k.client_id = ${tx.clientId}
      order by k.created_at desc, k.credential_id desc limit ${listMax}`,
  );
}

/** The credentials of the warehouse port, of facilities and carriers, newest first; of one facility if it is named. */
export function listPortCredentials(
  tx: Tx,
  { facilityCode, after, limit }: { facilityCode?: string | undefined; after: string | undefined; limit: number },
): Promise<FoundCredential[]> {
  const conditions = allOf([
    facilityCode === undefined ? undefined : sql`k.facility_code = ${facilityCode}`,
    after === undefined ? undefined : sql`k.credential_id < ${after}`,
  ]);
  return tx.query(
    sql`select ${credentialColumns} from credential k where k.kind in ('warehouse', 'carrier') and ${conditions}
      order by k.credential_id desc limit ${limit}`,
  );
}

/** Returns whether it was live before. */
export async function revokeCredential(tx: Transaction, credentialId: string, at: string): Promise<boolean> {
  const rows = await tx.query(
    sql`update credential set revoked_at = ${at}::timestamptz
      where credential_id = ${credentialId} and revoked_at is null returning credential_id`,
  );
  return rows.length > 0;
}

/** A feed key's credential and client in one round trip, because a request waits for it. */
export async function findFeedKey(
  tx: Tx,
  secretSha256: Buffer,
): Promise<(StoredClient & Pick<FoundCredential, "credentialId" | "revokedAt">) | undefined> {
  const rows = await tx.query<StoredClient & Pick<FoundCredential, "credentialId" | "revokedAt">>(
    sql`select k.credential_id as "credentialId", k.revoked_at as "revokedAt", ${clientColumns}
      from credential k join client c on c.client_id = k.client_id
      where k.secret_sha256 = ${secretSha256} and k.kind = 'feed' limit 1`,
  );
  return rows[0];
}

export async function notify(tx: Tx, channel: string): Promise<void> {
  await tx.query(sql`select pg_notify(${channel}, '')`);
}

/**
 * Keeps the client's facilities and the stock units of its items as they are until the end of the transaction. Writers of
 * documents share the lock of the tenant's row, so they wait only for a change of these: locks of the items would make
 * them wait for every catalogue.
 */
async function shareTenant(tx: ClientTx): Promise<void> {
  await tx.query(sql`select client_id from tenant where client_id = ${tenant} limit 1 for share`);
}

/** Waits for the documents that share the tenant's row, and makes further ones wait for the change. */
export async function lockTenant(tx: ClientTx): Promise<void> {
  await tx.query(sql`select client_id from tenant where client_id = ${tenant} limit 1 for no key update`);
}

/** The facilities open to the client, in routing order, kept until the end of the transaction. */
export async function shareFacilities(tx: ClientTx): Promise<readonly string[]> {
  // The query follows the lock on the same connection: it sees the change that the lock waited for.
  const [, rows] = await Promise.all([
    shareTenant(tx),
    tx.plain.query<{ facility_code: string }>(
      sql`select facility_code from client_facility where client_id = ${tx.clientId} order by position limit 1000`,
    ),
  ]);
  return rows.map(({ facility_code }) => facility_code);
}
