/** The signature of a push: Standard Webhooks 1.0 (contract/webhooks.md §2). */
import { createHmac } from "node:crypto";
import { assert } from "#/kernel/assert.ts";

const prefix = "whsec_";

/**
 * @param secrets `whsec_` and base64, newest first; two during a rotation: each signs.
 * @param id the event's, the same in every attempt.
 * @param timestampSeconds Unix seconds of this attempt.
 * @param body as sent.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  body: string | Buffer,
): Record<string, string> {
  assert(secrets.length > 0, "a push without a secret");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": secrets.map((secret) => sign(secret, `${id}.${timestampSeconds}.`, body)).join(" "),
  };
}

function sign(secret: string, beginning: string, body: string | Buffer): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  // A signature with an empty key proves nothing: anyone can produce it.
  assert(secret.startsWith(prefix) && key.length > 0, "a signing secret that is not valid");
  return `v1,${createHmac("sha256", key).update(beginning).update(body).digest("base64")}`;
}
