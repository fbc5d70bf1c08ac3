/** What is made of a receiver's answer, and of the want of one: pure (contract/webhooks.md §2). */
import type { TryOutcome } from "#/delivery/webhooks/lanes/retry-plan.ts";

/**
 * Why a try was no success: the address may not be connected to; the name leads nowhere; nobody takes the connection; the
 * certificate or the handshake is bad; the connection broke; it took too long; a redirect, which is not followed; another
 * status than 2xx; what came is not HTTP, or the request cannot be said in HTTP; secret or headers of the subscription cannot be
 * opened, so that nothing was sent.
 */
export type ErrorClass =
  | "blocked"
  | "dns"
  | "connect"
  | "tls"
  | "reset"
  | "timeout"
  | "redirect"
  | "status"
  | "protocol"
  | "unreadable";

export interface Failure {
  readonly errorClass: ErrorClass;
  /** For people: a short text without payload and header values. */
  readonly detail: string;
}

/** How far an exchange had come when it broke. */
export type Stage = "lookup" | "connect" | "tls" | "exchange";

/** Thrown where an address may not be connected to. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
}

/** Thrown when a time is up. */
export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
}

/** The name stands for no address at all. */
export class NameError extends Error {
  override readonly name = "NameError";
}

export const answeredOutcome = (status: number, retryAfterMs: number | undefined): TryOutcome =>
  retryAfterMs === undefined ? { kind: "answered", status } : { kind: "answered", status, retryAfterMs };

/** @returns undefined for 2xx, which is a success. */
export function failureOfStatus(status: number): Failure | undefined {
  if (status >= 200 && status <= 299) return undefined;
  if (status >= 300 && status <= 399) return { errorClass: "redirect", detail: `status ${status}: not followed` };
  return { errorClass: "status", detail: `status ${status}` };
}

const detailLengthMax = 200;
const resetCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED", "UND_ERR_DESTROYED"]);

/** @param stage how far it had come: a broken connection means something else in a handshake than behind it. */
export function failureOfError(error: unknown, stage: Stage): Failure {
  return { errorClass: classOf(error, stage), detail: detailOf(error) };
}

function classOf(error: unknown, stage: Stage): ErrorClass {
  if (error instanceof BlockedError) return "blocked";
  const code = codeOf(error);
  if (error instanceof ExpiredError || code === "ETIMEDOUT" || code === "UND_ERR_CONNECT_TIMEOUT") return "timeout";
  if (stage === "lookup") return "dns";
  if (stage === "connect") return "connect";
  if (stage === "tls") return "tls";
  if (resetCodes.has(code)) return "reset";
  // A network that goes away while it is used: Node names it by the call.
  return code === "EHOSTUNREACH" || code === "ENETUNREACH" || code === "ENETRESET" ? "connect" : "protocol";
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, detailLengthMax);
  // Of several addresses each has an error of its own, and the one around them says nothing.
  const errors = error instanceof AggregateError ? error.errors : [error];
  const texts = errors.map((one) => (one instanceof Error ? one.message : String(one)));
  return [...new Set(texts)].join("; ").slice(0, detailLengthMax);
}

/**
 * `Retry-After` (RFC 9110 §10.2.3): seconds, or an HTTP date in the preferred form.
 *
 * @returns milliseconds from now, 0 for a date that has passed; undefined where the header is absent or says nothing.
 */
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,10}$/.test(trimmed)) return Number(trimmed) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(trimmed)) return undefined;
  const atMs = Date.parse(trimmed);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Headers as they are kept: one text for each name. */
export function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) kept[name] = typeof value === "string" ? value : value.join(", ");
  }
  return kept;
}
