// Making, publishing and withdrawing the keys that sign access tokens: by the clock, or because an operator says so.
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import type { Transaction } from "#/db/database.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import * as repository from "#/modules/clients/oauth/key-repository.ts";
import { signingKeyContext } from "#/modules/clients/oauth/sealed-keys.ts";

export const algorithm = "ES256";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const signsForMs = 30 * dayMs;
/** So long before it signs a key is published: caches of the published keys know it by then. */
const publishedBeforeMs = dayMs;
/** The longest CROSSDOCK_TOKEN_TTL there can be, and an hour for clocks that differ and for caches of the published keys. */
export const publishedAfterMs = dayMs + hourMs;
/** A key that is made because somebody asks for it is published so long before it signs: all nodes have heard by then. */
const noticeMs = 5_000;

const iso = (atMs: number) => new Date(atMs).toISOString();

export interface SigningKeyMaking {
  readonly secretBox: SecretBox;
  readonly nowMs: number;
}

/**
 * Makes a key where there is none that signs now. Whoever asks waits for the lock: another node may have made it meanwhile.
 * The clock is read once the lock is held: a node that read it before would take the other's new key for one that signs later.
 */
export async function ensureSigningKey(
  tx: Transaction,
  { secretBox, clock }: { readonly secretBox: SecretBox; readonly clock: Clock },
): Promise<void> {
  await repository.lockSigningKeys(tx);
  const nowMs = clock.now();
  const rows = await repository.listSigningKeys(tx, iso(nowMs));
  if (rows.some((row) => Date.parse(row.signs_from) <= nowMs)) return;
  await makeSigningKey(tx, secretBox, nowMs, nowMs);
}

/**
 * Keeps the keys by the clock: publishes the next one a day before the present one retires, and removes those whose last
 * token has ended. Answers the id of a key that it made.
 */
export async function keepSigningKeys(
  tx: Transaction,
  { secretBox, nowMs }: SigningKeyMaking,
): Promise<{ readonly published: string | undefined; readonly removed: number }> {
  await repository.lockSigningKeys(tx);
  const [newest] = await repository.listSigningKeys(tx, iso(nowMs));
  const retiresMs = newest === undefined ? undefined : Date.parse(newest.retires_at);
  const isDue = retiresMs !== undefined && retiresMs - nowMs <= publishedBeforeMs;
  const published = isDue ? await makeSigningKey(tx, secretBox, nowMs, retiresMs) : undefined;
  return { published, removed: await repository.deleteSigningKeys(tx, iso(nowMs - publishedAfterMs)) };
}

export interface RotatedSigningKey {
  readonly keyId: string;
  /** ISO 8601 UTC. */
  readonly signsFrom: string;
  /** Keys before it that sign no more. */
  readonly retired: number;
  /** Keys before it whose tokens are no longer believed. */
  readonly withdrawn: number;
}

/**
 * A new key takes the place of the present one within seconds. The tokens of those before live on until they end, unless
 * they are withdrawn: then every token that was issued so far is refused.
 */
export async function rotateSigningKey(
  tx: Transaction,
  { secretBox, nowMs, withdraws }: SigningKeyMaking & { readonly withdraws: boolean },
): Promise<RotatedSigningKey> {
  await repository.lockSigningKeys(tx);
  const signsFromMs = withdraws ? nowMs : nowMs + noticeMs;
  const keyId = await makeSigningKey(tx, secretBox, nowMs, signsFromMs);
  const signsFrom = iso(signsFromMs);
  if (withdraws) {
    return { keyId, signsFrom, retired: 0, withdrawn: await repository.deleteOtherSigningKeys(tx, keyId) };
  }
  return { keyId, signsFrom, retired: await repository.retireSigningKeys(tx, signsFrom, keyId), withdrawn: 0 };
}

async function makeSigningKey(
  tx: Transaction,
  secretBox: SecretBox,
  nowMs: number,
  signsFromMs: number,
): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const keyId = await calculateJwkThumbprint(publicJwk);
  await repository.insertSigningKey(tx, {
    key_id: keyId,
    public_jwk: { ...publicJwk, kid: keyId, alg: algorithm, use: "sig" },
    private_jwk_encrypted: secretBox.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyContext(keyId)),
    created_at: iso(nowMs),
    signs_from: iso(signsFromMs),
    retires_at: iso(signsFromMs + signsForMs),
  });
  return keyId;
}
