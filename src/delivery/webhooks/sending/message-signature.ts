import { createHash } from "node:crypto";

/** The key of a signature, by its id in `/.well-known/jwks.json`. */
export interface MessageKey {
  readonly keyId: string;
  /** ECDSA with P-256. */
  readonly privateKey: CryptoKey;
}

interface SignedRequest {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Unix seconds. */
  readonly createdSeconds: number;
}

/** Parts of the request that are signed: a push cannot be changed, or sent to another address. */
const components = ["@method", "@target-uri", "content-type", "content-digest", "webhook-id", "webhook-timestamp"];

/**
 * The headers of an HTTP Message Signature of a POST (RFC 9421), with the digest of its body (RFC 9530): `Content-Digest`,
 * `Signature-Input` and `Signature`, with ECDSA over P-256 and SHA-256.
 */
export async function messageSignature(
  { keyId, privateKey }: MessageKey,
  { url, headers, body, createdSeconds }: SignedRequest,
): Promise<Record<string, string>> {
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const values: Readonly<Record<string, string>> = {
    ...headers,
    "@method": "POST",
    "@target-uri": url,
    "content-digest": digest,
  };
  const names = components.map((name) => `"${name}"`).join(" ");
  const parameters = `(${names});created=${createdSeconds};keyid="${keyId}";alg="ecdsa-p256-sha256"`;
  const base = [...components.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${parameters}`];
  const bytes = Buffer.from(base.join("\n"));
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, bytes);
  return {
    "content-digest": digest,
    "signature-input": `crossdock=${parameters}`,
    signature: `crossdock=:${Buffer.from(signature).toString("base64")}:`,
  };
}
