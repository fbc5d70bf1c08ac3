// The keys that sign access tokens: shared by all nodes through the store, rotated, published while a token may live.
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Database } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { SecretBox } from "#/kernel/secret-box.ts";
import type { SigningKeyRow } from "#/modules/clients/oauth/key-repository.ts";
import * as repository from "#/modules/clients/oauth/key-repository.ts";

export const algorithm = "ES256";

const dayMs = 86_400_000;
const signsForMs = 30 * dayMs;
/** The longest CROSSDOCK_TOKEN_TTL there can be, and an hour for clocks that differ and for caches of the published keys. */
const publishedAfterMs = dayMs + 3_600_000;
/** An unknown key id makes us look in the store, but no sender can make us look more often than this. */
const reloadMsMin = 1_000;
const freshMs = 30_000;
/** A key that an operator has deleted is no longer believed after this. */
const verifiesMs = 300_000;

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: CryptoKey;
}

export interface Keyring {
  /** The key to sign with; made when there is none, whichever node asks first. */
  signing(): Promise<SigningKey>;
  /** The key of a token; another node may have made it a moment ago. */
  verifying(keyId: string): Promise<CryptoKey | undefined>;
  /** Public keys, newest first, retired ones for as long as their tokens live. */
  published(): Promise<readonly JWK[]>;
}

export interface KeyringContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

interface Loaded {
  readonly atMs: number;
  readonly rows: readonly SigningKeyRow[];
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
}

export function createKeyring(context: KeyringContext): Keyring {
  const { database, clock, secretBox } = context;
  let loaded: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  let signing: (SigningKey & { readonly retiresMs: number }) | undefined;

  const iso = (atMs: number) => new Date(atMs).toISOString();

  async function read(): Promise<Loaded> {
    const atMs = clock.now();
    const rows = await repository.listSigningKeys(database, iso(atMs - publishedAfterMs));
    const keys = await Promise.all(
      rows.map(async (row) => [row.key_id, (await importJWK(row.public_jwk, algorithm)) as CryptoKey] as const),
    );
    loaded = { atMs, rows, publicKeys: new Map(keys) };
    return loaded;
  }

  function load(): Promise<Loaded> {
    loading ??= read().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function loadedWithin(ms: number): Promise<Loaded> {
    return loaded && clock.now() - loaded.atMs < ms ? loaded : load();
  }

  /** Under the lock the store is asked again: another node may have made the key while we waited. */
  function make(): Promise<void> {
    return database.transaction(async (tx) => {
      await repository.lockSigningKeys(tx);
      const nowMs = clock.now();
      if ((await repository.listSigningKeys(tx, iso(nowMs))).length > 0) return;
      const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
      const publicJwk = await exportJWK(publicKey);
      const keyId = await calculateJwkThumbprint(publicJwk);
      await repository.insertSigningKey(tx, {
        key_id: keyId,
        public_jwk: { ...publicJwk, kid: keyId, alg: algorithm, use: "sig" },
        private_jwk_encrypted: secretBox.seal(JSON.stringify(await exportJWK(privateKey)), contextOf(keyId)),
        created_at: iso(nowMs),
        retires_at: iso(nowMs + signsForMs),
      });
      await repository.deleteSigningKeys(tx, iso(nowMs - publishedAfterMs - dayMs));
    });
  }

  async function open(row: SigningKeyRow): Promise<SigningKey & { readonly retiresMs: number }> {
    const jwk = secretBox.open(row.private_jwk_encrypted, contextOf(row.key_id));
    if (jwk === undefined) {
      throw new Error(
        `signing key ${row.key_id} does not open: CROSSDOCK_SECRET is not the master key that it was stored under`,
      );
    }
    const privateKey = (await importJWK(JSON.parse(jwk) as JWK, algorithm)) as CryptoKey;
    return { keyId: row.key_id, privateKey, retiresMs: Date.parse(row.retires_at) };
  }

  const newestOf = ({ rows }: Loaded) => rows.find((row) => Date.parse(row.retires_at) > clock.now());

  return {
    async signing() {
      if (signing && clock.now() < signing.retiresMs) return signing;
      let row = newestOf(await load());
      if (!row) {
        await make();
        row = newestOf(await load());
      }
      if (!row) throw new Error("a signing key was made, and is not there");
      signing = await open(row);
      return signing;
    },
    async verifying(keyId) {
      const known = (await loadedWithin(verifiesMs)).publicKeys.get(keyId);
      return known ?? (await loadedWithin(reloadMsMin)).publicKeys.get(keyId);
    },
    published: async () => (await loadedWithin(freshMs)).rows.map((row) => row.public_jwk),
  };
}

function contextOf(keyId: string): string {
  return `signing_key ${keyId}`;
}
