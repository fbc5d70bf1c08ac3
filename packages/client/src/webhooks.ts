import type { EventBodies } from "./generated/events.ts";

/** The body of a push; `type` tells which one. */
export type WebhookEvent = EventBodies[keyof EventBodies];

/** The push is not genuine, or too old: answer it with 401. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

export interface VerifyOptions {
  /** How much the time of the attempt may differ from the clock, in seconds; 300 by default. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the clock by default. */
  readonly nowMs?: number;
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a push, after its signature was verified (Standard Webhooks, docs/webhooks.md).
 * @param secret of the webhook, `whsec_…`
 * @param body the bytes as they were received; a body that was parsed and written again has others.
 * @throws {SignatureError}
 */
export async function verifyWebhook(
  secret: string,
  headers: HeadersLike,
  body: Uint8Array | string,
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, "webhook-id");
  const time = headerOf(headers, "webhook-timestamp");
  if (!(Math.abs(nowMs / 1000 - Number(time)) <= toleranceSeconds) || time === "") {
    throw new SignatureError(`the time ${time} differs by more than ${toleranceSeconds} s from the clock`);
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const prefix = new TextEncoder().encode(`${id}.${time}.`);
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);

  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret.replace(/^whsec_/, "")), algorithm, false, [
    "verify",
  ]);
  for (const signature of headerOf(headers, "webhook-signature").split(" ")) {
    if (!signature.startsWith("v1,")) continue;
    // Compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, bytesOf(signature.slice(3)), signed)) return JSON.parse(text);
  }
  throw new SignatureError("no signature fits the body and the secret");
}

/** The bytes of base64; none where the text is not base64. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function headerOf(headers: HeadersLike, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === "string" ? value : (value?.[0] ?? "");
}
