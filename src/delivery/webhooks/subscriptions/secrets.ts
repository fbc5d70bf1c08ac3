import { randomBytes } from "node:crypto";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { assert } from "#/kernel/assert.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs } from "#/kernel/values/durations.ts";

/** Shown instead of a value that can be written but not read (rest.md §2). */
export const maskedValue = "***";

/** The previous secret also signs for this long (webhooks.md §1). */
export const overlapMs = dayMs;

/** A signing secret in the form of Standard Webhooks: the prefix, then 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

// A secret opens only for its own client and webhook: a row copied to another webhook is useless there.
export const secretContext = (clientId: string, webhookId: string) => `webhook ${clientId} ${webhookId} secret`;
export const headersContext = (clientId: string, webhookId: string) => `webhook ${clientId} ${webhookId} headers`;

export type HeaderValues = Readonly<Record<string, string>>;

export function sealSecret(box: SecretBox, clientId: string, webhookId: string, secret: string): string {
  return box.seal(secret, secretContext(clientId, webhookId));
}

/** Undefined where there are none. */
export function sealHeaders(
  box: SecretBox,
  clientId: string,
  webhookId: string,
  headers: HeaderValues,
): string | undefined {
  if (Object.keys(headers).length === 0) return undefined;
  return box.seal(JSON.stringify(headers), headersContext(clientId, webhookId));
}

/** Returns the custom headers, with their values. */
export function openHeaders(box: SecretBox, { clientId, webhookId, sealed }: Subscription): HeaderValues {
  if (sealed.headers === undefined) return {};
  return JSON.parse(opened(box, sealed.headers, headersContext(clientId, webhookId))) as HeaderValues;
}

/** Undefined where they cannot be decrypted. */
export function findHeaders(box: SecretBox, subscription: Subscription): HeaderValues | undefined {
  try {
    return openHeaders(box, subscription);
  } catch {
    return undefined;
  }
}

/** Where and how to send: the input of the sender. */
export interface OpenTarget {
  readonly url: string;
  readonly contentType: string;
  readonly headers: HeaderValues;
  /** `whsec_…`, newest first: two during rotation. */
  readonly secrets: readonly string[];
  readonly hasHttpSignature: boolean;
}

/** @param nowMs decides whether the previous secret also signs. */
export function openTarget(box: SecretBox, subscription: Subscription, nowMs: number): OpenTarget {
  const { clientId, webhookId, url, contentType, hasHttpSignature, sealed } = subscription;
  const context = secretContext(clientId, webhookId);
  const secrets = [opened(box, sealed.secret, context)];
  // The previous secret only signs additionally: if it cannot be decrypted, sending continues.
  const isOverlapping = sealed.previousUntil !== undefined && Date.parse(sealed.previousUntil) > nowMs;
  const previous = isOverlapping && sealed.previous !== undefined ? box.open(sealed.previous, context) : undefined;
  if (previous !== undefined) secrets.push(previous);
  return { url, contentType, headers: openHeaders(box, subscription), secrets, hasHttpSignature };
}

function opened(box: SecretBox, sealed: string, context: string): string {
  const text = box.open(sealed, context);
  assert(text !== undefined, `the master key does not decrypt: ${context}`);
  return text;
}
