import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from "node:crypto";

/**
 * Encrypts secrets in the store under the master key (contract operations.md §5: AES-256-GCM, ciphertexts carry a key
 * id).
 */
export interface SecretBox {
  /** @param context the purpose of the secret, such as `signing_key KID`: sealed text opens in its own context only. */
  seal(secret: string, context: string): string;
  /** The secret, or undefined when neither key opens it in this context. */
  open(sealed: string, context: string): string | undefined;
  /** Whether the text was sealed under the current master key; text of the previous key must be sealed again. */
  isCurrent(sealed: string): boolean;
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const format = "v1";
const ivBytes = 12;
const tagBytes = 16;

/** By master key. Each role of a process opens its own box. */
const derived = new Map<string, Key>();

/**
 * Takes about 50 ms for each master key at its first use: it may be a phrase that a person chose, so the key derivation
 * is slow.
 *
 * @param current master key, any text (CROSSDOCK_SECRET).
 * @param previous the previous key, which still opens its sealed texts (CROSSDOCK_SECRET_PREVIOUS).
 */
export function createSecretBox(current: string, previous?: string): SecretBox {
  const key = deriveKey(current);
  const keys = previous === undefined ? [key] : [key, deriveKey(previous)];
  return {
    seal(secret, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key.bytes, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${format}.${key.id}.${sealed.toString("base64url")}`;
    },
    open(sealed, context) {
      const [version, keyId, text = ""] = sealed.split(".");
      const opener = keys.find(({ id }) => id === keyId);
      const bytes = Buffer.from(text, "base64url");
      if (version !== format || !opener || bytes.length < ivBytes + tagBytes) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", opener.bytes, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${format}.${key.id}.`),
  };
}

function deriveKey(master: string): Key {
  const known = derived.get(master);
  if (known) return known;
  // The salt separates these keys from keys that others derive from the same phrase; a salt per deployment has no place
  // to be stored.
  const root = scryptSync(master, "crossdock secret box v1", 32, { N: 2 ** 14, r: 8, p: 1 });
  const part = (info: string, bytes: number) => Buffer.from(hkdfSync("sha256", root, "", info, bytes));
  const key: Key = { id: part("key id", 6).toString("base64url"), bytes: part("encryption", 32) };
  derived.set(master, key);
  return key;
}
