import type { FastifyRequest } from "fastify";
import { type Problem, problem } from "#/http/problems/problem.ts";
import type { ProblemCode } from "#/http/problems/problem-codes.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { FeedCode } from "#/kernel/feed-codes.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";

/** The owner of an `X-API-KEY`. */
export type KeyVerdict =
  | { readonly kind: "known"; readonly credentialId: string; readonly client: FeedClient }
  | { readonly kind: "unknown" | "revoked" }
  | { readonly kind: "otherEnvironment"; readonly environment: string };

export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly retryAfterSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AdmissionContext {
  readonly environment: string;
  findByFeedKey(apiKey: string): KeyVerdict | Promise<KeyVerdict>;
  takeRate(credentialId: string, client: FeedClient): RateVerdict;
  /** Charges the cost of the request beyond the one unit that was taken. */
  chargeRate(credentialId: string, client: FeedClient, units: number): void;
}

export interface Refusal {
  readonly code: FeedCode;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Admitted {
  readonly client: FeedClient;
  readonly credentialId: string;
  /** The rate limit headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

const retryAfterSeconds = 2;

/**
 * Admits a request with a feed key. It checks key, client, suspension and rate, in this order, by the headers alone.
 */
export function createAdmission(
  context: AdmissionContext,
): (request: FastifyRequest, clientId: string) => Promise<Refusal | Admitted> {
  return async (request, clientId) => {
    const apiKey = request.headers["x-api-key"];
    const challenge = { "www-authenticate": "ApiKey" };
    if (typeof apiKey !== "string" || apiKey === "") {
      return { code: "AUTH", text: "The header X-API-KEY is missing", headers: challenge };
    }
    let found: KeyVerdict;
    try {
      const finding = context.findByFeedKey(apiKey);
      found = finding instanceof Promise ? await finding : finding;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return unavailable();
      throw error;
    }
    if (found.kind === "otherEnvironment") {
      const text = `The X-API-KEY belongs to environment ${found.environment}; this is ${context.environment}`;
      return { code: "AUTH", text, headers: challenge };
    }
    if (found.kind !== "known") {
      const text = found.kind === "revoked" ? "The X-API-KEY was revoked" : "The X-API-KEY is unknown";
      return { code: "AUTH", text, headers: challenge };
    }
    const { client, credentialId } = found;
    exchangeOf(request).feedKey = { clientId: client.clientId, credentialId };
    if (client.clientId !== clientId)
      return { code: "FORBIDDEN", text: `The X-API-KEY does not belong to client '${clientId}'` };
    if (client.status === "SUSPENDED") return { code: "FORBIDDEN", text: `Client ${clientId} is suspended` };
    exchangeOf(request).clientId = clientId;
    const rate = context.takeRate(credentialId, client);
    if (!rate.isAllowed) {
      const headers = { ...rate.headers, "retry-after": String(rate.retryAfterSeconds) };
      return { code: "RATE", text: `Too many requests; try again in ${rate.retryAfterSeconds} s`, headers };
    }
    return { client, credentialId, headers: rate.headers };
  };
}

/** The refusal that a sender of documents gets while the store is unavailable. */
export function unavailable(): Refusal {
  const text = "The document could not be stored now, or its outcome is unknown; send it again";
  return { code: "UNAVAILABLE", text, headers: { "retry-after": String(retryAfterSeconds) } };
}

/** Calls without a feed type answer problem details where a document is answered with an ACK. */
const problemOf: Partial<Record<FeedCode, ProblemCode>> = {
  AUTH: "feed-key-invalid",
  FORBIDDEN: "client-forbidden",
  RATE: "rate-limited",
  UNAVAILABLE: "unavailable",
};

export function problemOfRefusal({ code, text, headers }: Refusal): Problem {
  return problem(problemOf[code] ?? "unavailable", text, headers === undefined ? {} : { headers });
}
