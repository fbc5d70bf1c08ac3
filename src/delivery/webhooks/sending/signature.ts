/** The signature of a push: Standard Webhooks 1.0 (contract/webhooks.md §2). */
import { createHmac } from "node:crypto";
import { assert } from "#/kernel/assert.ts";

const prefix = "whsec_";

/**
 * @param secrets `whsec_` and base64, newest first; two while one is being rotated: each signs.
 * @param id the event's, the same on every try.
 * @param timestampSeconds Unix seconds of this try.
 * @param body as it is sent.
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
  // An empty key would sign what anybody can sign.
  assert(secret.startsWith(prefix) && key.length > 0, "a signing secret that is none");
  return `v1,${createHmac("sha256", key).update(beginning).update(body).digest("base64")}`;
}
