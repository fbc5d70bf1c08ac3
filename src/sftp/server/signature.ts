import ssh2, { type PublicKeyAuthContext } from "ssh2";

export type SignedKey = Pick<PublicKeyAuthContext, "key" | "signature" | "blob" | "hashAlgo">;

const rsaHashes: ReadonlySet<string | undefined> = new Set(["sha256", "sha512"]);

/**
 * Whether what a client signed to log in was signed with this key; a signature with SHA-1 is none.
 * @param publicKey `type base64`
 */
export function isSignedWith(publicKey: string, { key, signature, blob, hashAlgo }: SignedKey): boolean {
  if (signature === undefined || blob === undefined) return false;
  const [type] = publicKey.split(" ");
  if (type !== key.algo || (type === "ssh-rsa" && !rsaHashes.has(hashAlgo))) return false;
  const parsed = ssh2.utils.parseKey(publicKey);
  // It answers with an error, too, which is true where only truth is asked.
  return !(parsed instanceof Error) && parsed.verify(blob, signature, hashAlgo) === true;
}
