import { localOwnerPrefix } from "#/http/access/operator.ts";
import type { Operator } from "#/http/access/operator-role.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

/**
 * Who can read the master key of a deployment may do everything there: `crossdock api` proves it by a sealed text that is
 * valid for a minute, in the header `Authorization: Local …`, in the place of a session.
 */
const scheme = "Local ";
const context = "local owner";
const validMs = minuteMs;

interface Claim {
  /** As the audit log has the user of a command: `cli:anna`. */
  readonly actor: string;
  readonly until: number;
}

/** @returns the value of the header Authorization. */
export function sealLocalOwner(secretBox: SecretBox, actor: string, nowMs: number): string {
  return scheme + secretBox.seal(JSON.stringify({ actor, until: nowMs + validMs } satisfies Claim), context);
}

/** The admin without limits that the header names; undefined for another header, another key or an old one. */
export function openLocalOwner(secretBox: SecretBox, header: string | undefined, nowMs: number): Operator | undefined {
  if (!header?.startsWith(scheme)) return undefined;
  const text = secretBox.open(header.slice(scheme.length), context);
  if (text === undefined) return undefined;
  const { actor, until } = JSON.parse(text) as Claim;
  if (!actor.startsWith(localOwnerPrefix) || until < nowMs || until > nowMs + validMs) return undefined;
  const authenticatedAt = new Date(nowMs).toISOString();
  return { userName: actor, role: "admin", clientIds: null, facilityCodes: null, step: "DONE", authenticatedAt };
}
