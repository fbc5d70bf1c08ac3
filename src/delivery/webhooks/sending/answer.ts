/** Interprets a receiver's answer, or its absence: pure (contract/webhooks.md §2). */
import type { AttemptOutcome } from "#/delivery/webhooks/lanes/retry-plan.ts";

/**
 * Why an attempt failed, in this order. The address is blocked. The name does not resolve. The receiver does not accept
 * the connection. The certificate or the handshake is bad. The connection broke. The time limit was exceeded. The
 * answer was a redirect, which is not followed, or another status than 2xx. The answer is not HTTP, or HTTP cannot
 * express the request. The secret or headers of the subscription cannot be decrypted, so that no request was sent.
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

/** The stage of an exchange at which it failed. */
export type Stage = "lookup" | "connect" | "tls" | "exchange";

/** Thrown for an address that is blocked. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
}

/** Thrown when a time limit is exceeded. */
export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
}

/** The name has no address. */
export class NameError extends Error {
  override readonly name = "NameError";
}

export const answeredOutcome = (status: number, retryAfterMs: number | undefined): AttemptOutcome =>
  retryAfterMs === undefined ? { kind: "answered", status } : { kind: "answered", status, retryAfterMs };

/** @returns undefined for 2xx, which is a success. */
export function failureOfStatus(status: number): Failure | undefined {
  if (status >= 200 && status <= 299) return undefined;
  if (status >= 300 && status <= 399) return { errorClass: "redirect", detail: `status ${status}: not followed` };
  return { errorClass: "status", detail: `status ${status}` };
}

const detailLengthMax = 200;
const resetCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED", "UND_ERR_DESTROYED"]);

/** @param stage the stage reached: a broken connection has another meaning in a handshake than after it. */
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
  // The network failed while in use: Node names the error after the system call.
  return code === "EHOSTUNREACH" || code === "ENETUNREACH" || code === "ENETRESET" ? "connect" : "protocol";
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, detailLengthMax);
  // Each of several addresses has its own error, and the enclosing error has no detail.
  const errors = error instanceof AggregateError ? error.errors : [error];
  const texts = errors.map((cause) => (cause instanceof Error ? cause.message : String(cause)));
  return [...new Set(texts)].join("; ").slice(0, detailLengthMax);
}

/**
 * `Retry-After` (RFC 9110 §10.2.3): seconds, or an HTTP date in the preferred form.
 *
 * @returns milliseconds from now, 0 for a past date; undefined where the header is absent or invalid.
 */
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,10}$/.test(trimmed)) return Number(trimmed) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(trimmed)) return undefined;
  const atMs = Date.parse(trimmed);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Headers as stored: one text for each name. */
export function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) kept[name] = typeof value === "string" ? value : value.join(", ");
  }
  return kept;
}
