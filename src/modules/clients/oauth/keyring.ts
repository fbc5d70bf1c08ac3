// The keys that sign access tokens: nodes share them through the store. They are rotated, and published while their
// tokens live.

import { type CryptoKey, importJWK, type JWK } from "jose";
import type { Clock } from "#/kernel/clock.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import * as repository from "#/modules/clients/oauth/key-repository.ts";
import { type StoredSigningKey, signingKeyContext } from "#/modules/clients/oauth/key-repository.ts";
import { algorithm, ensureSigningKey, publishedAfterMs } from "#/modules/clients/oauth/signing-keys.ts";
import type { Database } from "#/store/db/database.ts";

/** An unknown key id triggers a read of the store; this bounds how often senders can trigger it. */
const reloadMsMin = 1_000;
const freshMs = 30_000;
/** A withdrawn key is no longer accepted after this time, even if the node has missed the notice. */
const verifiesMs = minuteMs;
/**
 * When nodes start together, one creates the first key; the others wait for it, on a busy machine longer than usual.
 */
const making = { lockTimeoutMs: 20_000, statementTimeoutMs: 20_000 };

export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: CryptoKey;
}

export interface Keyring {
  /** The current signing key; the first node that needs one creates it. */
  signing(): Promise<SigningKey>;
  /** The key of a token; another node may have created it a moment ago. */
  verifying(keyId: string): Promise<CryptoKey | undefined>;
  /** Public keys, newest first; retired ones while their tokens live. */
  published(): Promise<readonly JWK[]>;
  /** The keys have changed: cached keys are dropped. */
  forget(): void;
}

export interface KeyringContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

interface Loaded {
  readonly atMs: number;
  readonly rows: readonly StoredSigningKey[];
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
}

export function createKeyring(context: KeyringContext): Keyring {
  const { database, clock, secretBox } = context;
  let loaded: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  /** Counts the calls of `forget`: a read that began before one is not cached. */
  let generation = 0;
  let signing: (SigningKey & { readonly freshUntilMs: number }) | undefined;

  const iso = (atMs: number) => new Date(atMs).toISOString();

  async function read(): Promise<Loaded> {
    const atMs = clock.now();
    const began = generation;
    const rows = await repository.listSigningKeys(database, iso(atMs - publishedAfterMs));
    const keys = await Promise.all(
      rows.map(async (row) => [row.keyId, (await importJWK(row.publicJwk, algorithm)) as CryptoKey] as const),
    );
    const known = { atMs, rows, publicKeys: new Map(keys) };
    if (began === generation) loaded = known;
    return known;
  }

  function load(): Promise<Loaded> {
    if (loading) return loading;
    const mine = read().finally(() => {
      if (loading === mine) loading = undefined;
    });
    loading = mine;
    return mine;
  }

  async function loadedWithin(ms: number): Promise<Loaded> {
    return loaded && clock.now() - loaded.atMs < ms ? loaded : load();
  }

  async function open(row: StoredSigningKey): Promise<SigningKey> {
    const jwk = secretBox.open(row.privateJwkEncrypted, signingKeyContext(row.keyId));
    if (jwk === undefined) {
      throw new Error(
        `signing key ${row.keyId} cannot be decrypted: CROSSDOCK_SECRET is not the master key with which it was encrypted`,
      );
    }
    const privateKey = (await importJWK(JSON.parse(jwk) as JWK, algorithm)) as CryptoKey;
    return { keyId: row.keyId, privateKey };
  }

  /** The newest of the keys that sign now; a key that is published ahead waits for its time. */
  function newestOf({ rows }: Loaded): StoredSigningKey | undefined {
    const nowMs = clock.now();
    return rows.find((row) => Date.parse(row.signsFrom) <= nowMs && Date.parse(row.retiresAt) > nowMs);
  }

  /** Until then the key signs without another read: a later key may begin to sign before, or this key may retire. */
  function freshUntil({ rows }: Loaded, row: StoredSigningKey): number {
    const nowMs = clock.now();
    const next = rows.map((keyRow) => Date.parse(keyRow.signsFrom)).filter((fromMs) => fromMs > nowMs);
    return Math.min(nowMs + freshMs, Date.parse(row.retiresAt), ...next);
  }

  return {
    async signing() {
      if (signing && clock.now() < signing.freshUntilMs) return signing;
      const began = generation;
      let known = await load();
      let row = newestOf(known);
      if (!row) {
        await database.transaction((tx) => ensureSigningKey(tx, { secretBox, clock }), making);
        known = await load();
        row = newestOf(known);
      }
      if (!row) throw new Error("a signing key was created, and does not exist");
      const key = signing?.keyId === row.keyId ? signing : await open(row);
      const fresh = { ...key, freshUntilMs: freshUntil(known, row) };
      if (began === generation) signing = fresh;
      return fresh;
    },
    async verifying(keyId) {
      const known = (await loadedWithin(verifiesMs)).publicKeys.get(keyId);
      return known ?? (await loadedWithin(reloadMsMin)).publicKeys.get(keyId);
    },
    published: async () => (await loadedWithin(freshMs)).rows.map((row) => row.publicJwk),
    forget() {
      generation++;
      loaded = undefined;
      loading = undefined;
      signing = undefined;
    },
  };
}
