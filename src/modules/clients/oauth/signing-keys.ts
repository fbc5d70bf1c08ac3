// Creates, publishes and withdraws the keys that sign access tokens: on schedule, or by an operator.
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import type { Clock } from "#/kernel/clock.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import * as repository from "#/modules/clients/oauth/key-repository.ts";
import { signingKeyContext } from "#/modules/clients/oauth/key-repository.ts";
import type { Transaction } from "#/store/db/database.ts";

export const algorithm = "ES256";

const signsForMs = 30 * dayMs;
/** The time between publication and first use of a key: by then, caches of the published keys have it. */
const publishedBeforeMs = dayMs;
/**
 * The longest possible CROSSDOCK_TOKEN_TTL, plus an hour for clock differences and for caches of the published keys.
 */
export const publishedAfterMs = dayMs + hourMs;
/** A key that an operator requests is published this long before it signs: by then, all nodes have it. */
const noticeMs = 5_000;

const iso = (atMs: number) => new Date(atMs).toISOString();

export interface SigningKeyMaking {
  readonly secretBox: SecretBox;
  readonly nowMs: number;
}

/**
 * Creates a key if none signs now. The caller waits for the lock, because another node may create one meanwhile. The
 * clock is read after the lock: with an earlier reading, the other node's new key would look like one that signs later.
 */
export async function ensureSigningKey(
  tx: Transaction,
  { secretBox, clock }: { readonly secretBox: SecretBox; readonly clock: Clock },
): Promise<void> {
  await repository.lockSigningKeys(tx);
  const nowMs = clock.now();
  const rows = await repository.listSigningKeys(tx, iso(nowMs));
  if (rows.some((row) => Date.parse(row.signsFrom) <= nowMs)) return;
  await makeSigningKey(tx, secretBox, nowMs, nowMs);
}

/**
 * Maintains the keys on schedule: publishes the next key a day before the current one retires, and removes keys whose
 * last token has expired. Returns the id of a new key.
 */
export async function keepSigningKeys(
  tx: Transaction,
  { secretBox, nowMs }: SigningKeyMaking,
): Promise<{ readonly published: string | undefined; readonly removed: number }> {
  await repository.lockSigningKeys(tx);
  const [newest] = await repository.listSigningKeys(tx, iso(nowMs));
  const retiresMs = newest === undefined ? undefined : Date.parse(newest.retiresAt);
  const isDue = retiresMs !== undefined && retiresMs - nowMs <= publishedBeforeMs;
  const published = isDue ? await makeSigningKey(tx, secretBox, nowMs, retiresMs) : undefined;
  return { published, removed: await repository.deleteSigningKeys(tx, iso(nowMs - publishedAfterMs)) };
}

export interface RotatedSigningKey {
  readonly keyId: string;
  /** ISO 8601 UTC. */
  readonly signsFrom: string;
  /** The number of earlier keys that stop signing. */
  readonly retired: number;
  /** The number of earlier keys whose tokens become invalid. */
  readonly withdrawn: number;
}

/**
 * Replaces the current key within seconds. Tokens of earlier keys stay valid until they expire, unless the keys are
 * withdrawn: then every token issued so far is refused.
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
    keyId,
    publicJwk: { ...publicJwk, kid: keyId, alg: algorithm, use: "sig" },
    privateJwkEncrypted: secretBox.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyContext(keyId)),
    createdAt: iso(nowMs),
    signsFrom: iso(signsFromMs),
    retiresAt: iso(signsFromMs + signsForMs),
  });
  return keyId;
}
