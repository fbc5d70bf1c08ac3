import { randomBytes } from "node:crypto";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { assert } from "#/kernel/assert.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";

/** Shown in the place of what can be written and not read (rest.md §2). */
export const maskedValue = "***";

/** The secret before signs alongside for so long (webhooks.md §1). */
export const overlapMs = 24 * 3_600_000;

/** A signing secret as Standard Webhooks has it: what follows the prefix are 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

// A secret opens for its own client and webhook only: a row that was copied to another one is of no use there.
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

/** The custom headers, with their values. */
export function openHeaders(box: SecretBox, { clientId, webhookId, sealed }: Subscription): HeaderValues {
  if (sealed.headers === undefined) return {};
  return JSON.parse(opened(box, sealed.headers, headersContext(clientId, webhookId))) as HeaderValues;
}

/** Undefined where they cannot be opened. */
export function findHeaders(box: SecretBox, subscription: Subscription): HeaderValues | undefined {
  try {
    return openHeaders(box, subscription);
  } catch {
    return undefined;
  }
}

/** Where and how to send: what the sender takes. */
export interface OpenTarget {
  readonly url: string;
  readonly contentType: string;
  readonly headers: HeaderValues;
  /** `whsec_…`, newest first: two during rotation. */
  readonly secrets: readonly string[];
}

/** @param nowMs decides whether the secret before signs as well. */
export function openTarget(box: SecretBox, subscription: Subscription, nowMs: number): OpenTarget {
  const { clientId, webhookId, url, contentType, sealed } = subscription;
  const context = secretContext(clientId, webhookId);
  const secrets = [opened(box, sealed.secret, context)];
  // The one before signs besides: that it cannot be opened stops nothing.
  const isOverlapping = sealed.previousUntil !== undefined && Date.parse(sealed.previousUntil) > nowMs;
  const previous = isOverlapping && sealed.previous !== undefined ? box.open(sealed.previous, context) : undefined;
  if (previous !== undefined) secrets.push(previous);
  return { url, contentType, headers: openHeaders(box, subscription), secrets };
}

function opened(box: SecretBox, sealed: string, context: string): string {
  const text = box.open(sealed, context);
  assert(text !== undefined, `the master key does not open: ${context}`);
  return text;
}
