import { createHash, randomBytes } from "node:crypto";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { ClientSettings } from "#/modules/clients/settings.ts";

/** A client for requests; plain data, because it is also passed to worker threads. */
export interface ClientProfile extends FeedClient {
  readonly name: string;
  readonly settings: ClientSettings;
}

export const credentialKinds = ["feed", "oauth", "sftp", "warehouse", "carrier"] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** The kinds of clients' credentials; the others belong to a facility or a carrier. */
export const clientCredentialKinds = ["feed", "oauth", "sftp"] as const;
export type ClientCredentialKind = (typeof clientCredentialKinds)[number];

/** Carrier codes are identifiers of feeds.md §3, without blanks, because they are typed on a command line. */
export function isCarrierCode(text: string): boolean {
  return /^[^\s\p{Cc}]{1,64}$/u.test(text);
}

/** @see contract/feeds.md §3 */
export function isClientId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,10}$/.test(text);
}

export function secretHash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Keys contain their environment, so that the refusal in another environment can name it instead of "unknown". */
export function makeFeedKey(environment: string): string {
  return `cd_${environment}_${randomBytes(32).toString("base64url")}`;
}

export function makeClientSecret(): string {
  return `cds_${randomBytes(32).toString("base64url")}`;
}

/** The environment in a key of `makeFeedKey`; `undefined` for any other text. */
export function environmentOfFeedKey(apiKey: string): string | undefined {
  return /^cd_([a-z]{1,20})_[A-Za-z0-9_-]{43}$/.exec(apiKey)?.[1];
}

/**
 * The nth SFTP user name of a client: `acme`, `acme.2`, `acme.3`. No client identifier has a dot, so a client's further
 * names never collide with another client's first name.
 */
export function sftpUsername(clientId: string, n: number): string {
  return clientId.toLowerCase() + (n === 1 ? "" : `.${n}`);
}
