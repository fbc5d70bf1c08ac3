import type { Clock } from "#/kernel/clock.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { createUseNotes } from "#/modules/clients/credentials/log-ins.ts";
import {
  type ClientProfile,
  type CredentialKind,
  environmentOfFeedKey,
  isClientId,
  secretHash,
} from "#/modules/clients/domain.ts";
import { createLookupCache } from "#/modules/clients/lookup-cache.ts";
import * as repository from "#/modules/clients/repository.ts";
import { profileOf } from "#/modules/clients/service.ts";
import type { Database } from "#/store/db/database.ts";

export type FeedKeyAnswer =
  | { readonly kind: "known"; readonly credentialId: string; readonly client: ClientProfile }
  | { readonly kind: "unknown" }
  | { readonly kind: "revoked" }
  | { readonly kind: "otherEnvironment"; readonly environment: string };

export interface StoredCredential {
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly isRevoked: boolean;
  /** For all kinds but `sftp`. */
  readonly secretSha256: Buffer | undefined;
  readonly clientId: string | undefined;
  readonly facilityCode: string | undefined;
  readonly carrierCode: string | undefined;
  readonly environment: string;
}

/** Clients and credentials for requests, from memory: a request must not cost a query for each of them. */
export interface Directory {
  /** By X-API-KEY. */
  findByFeedKey(apiKey: string): Promise<FeedKeyAnswer>;
  findCredential(credentialId: string): Promise<StoredCredential | undefined>;
  findClient(clientId: string): Promise<ClientProfile | undefined>;
  /** Called on a notice of `changeChannel`: drops all cached entries. */
  clear(): void;
}

export interface DirectoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Of this deployment: keys of another environment are refused with that reason. */
  readonly environment: string;
}

/** The lifetime of an entry without a change notice: a revocation must take effect within 60 s. */
const foundTtlMs = 30_000;
const missingTtlMs = 2_000;
const entriesMax = 10_000;

const environments: readonly string[] = ["sandbox", "staging", "production"];
const unknown: FeedKeyAnswer = { kind: "unknown" };
const revoked: FeedKeyAnswer = { kind: "revoked" };

export function createDirectory(options: DirectoryOptions): Directory {
  const { database, clock, environment } = options;
  const noteUse = createUseNotes(database, clock);
  const shared = { clock, foundTtlMs, missingTtlMs, entriesMax };

  const feedKeys = createLookupCache<FeedKeyAnswer>({
    ...shared,
    isFound: ({ kind }) => kind !== "unknown",
    async load(apiKey) {
      const row = await repository.findFeedKey(database, secretHash(apiKey));
      if (!row) return unknown;
      const { credentialId, revokedAt, ...client } = row;
      if (revokedAt !== null) return revoked;
      noteUse(credentialId);
      return { kind: "known", credentialId, client: profileOf(client) };
    },
  });

  const credentials = createLookupCache<StoredCredential | undefined>({
    ...shared,
    isFound: (credential) => credential !== undefined,
    async load(credentialId) {
      const row = await repository.findCredential(database, credentialId);
      if (row?.revokedAt === null) noteUse(credentialId);
      return row && credentialOf(row);
    },
  });

  const clients = createLookupCache<ClientProfile | undefined>({
    ...shared,
    isFound: (client) => client !== undefined,
    async load(clientId) {
      const row = await repository.findClient(database.of(clientId));
      return row && profileOf(row);
    },
  });

  return {
    async findByFeedKey(apiKey) {
      // Only well-formed keys reach the cache and the store.
      const named = environmentOfFeedKey(apiKey);
      if (named === undefined || !environments.includes(named)) return unknown;
      return named === environment ? feedKeys.get(apiKey) : { kind: "otherEnvironment", environment: named };
    },
    findCredential: async (credentialId) => (isUuidV7(credentialId) ? credentials.get(credentialId) : undefined),
    findClient: async (clientId) => (isClientId(clientId) ? clients.get(clientId) : undefined),
    clear() {
      feedKeys.clear();
      credentials.clear();
      clients.clear();
    },
  };
}

function credentialOf(row: repository.FoundCredential): StoredCredential {
  const { credentialId, kind, environment } = row;
  return {
    credentialId,
    kind,
    isRevoked: row.revokedAt !== null,
    secretSha256: row.secretSha256 ?? undefined,
    clientId: row.clientId ?? undefined,
    facilityCode: row.facilityCode ?? undefined,
    carrierCode: row.carrierCode ?? undefined,
    environment,
  };
}
