// The response headers that clients may rely on.
import type { Audience } from "#/http/access/caller.ts";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { sessionChallenge } from "#/http/problems/problem.ts";

const header = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

const headers = {
  "X-Correlation-Token": header(
    "Names the request in the operator's log, and the problem in its body.",
    "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
  ),
  "RateLimit-Policy": header("The rate of the credential: `q` requests in `w` seconds.", '"default";q=100;w=1'),
  RateLimit: header(
    "`r` requests are left, at first more than `q`: a burst of twice the rate is allowed. All of them are available again in `t` seconds.",
    '"default";r=199;t=1',
  ),
  "Retry-After": header("Seconds to wait before the request is sent again.", "2"),
  "WWW-Authenticate": header(
    "What is wrong with the token (RFC 6750).",
    'Bearer error="invalid_token", error_description="The access token has expired."',
  ),
  ETag: header("The version of the record, for `If-Match`.", '"1"'),
  "Idempotent-Replayed": header("The request was done earlier, under the same `Idempotency-Key`.", "true"),
  Location: header("Path of the created object.", "/v1/workOrderService/workOrder/get/WO-100"),
} as const;

export type HeaderName = keyof typeof headers;

/** A header that only some answers have is inlined: generators take a reference for a header that is always there. */
const reference = (name: HeaderName) =>
  name === "Idempotent-Replayed" ? headers[name] : { $ref: `#/components/headers/${name}` };

/**
 * The headers of an answer.
 *
 * @param more headers that not every answer of the status has.
 */
export function headersOf(status: number, more: readonly HeaderName[] = []): JsonObject {
  // The rate is counted per credential, so the headers require a known token and an available store.
  const isCounted = status !== 401 && status !== 500 && status !== 503;
  const names: readonly HeaderName[] = [
    "X-Correlation-Token",
    ...(isCounted ? (["RateLimit-Policy", "RateLimit"] as const) : []),
    ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
    ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
    ...(status === 201 ? (["Location"] as const) : []),
    ...more,
  ];
  return Object.fromEntries(names.map((name) => [name, reference(name)]));
}

const headersOfConsole = {
  ...headers,
  "RateLimit-Policy": header("The rate of the user: `q` requests in `w` seconds.", '"default";q=100;w=1'),
  "WWW-Authenticate": header("A session is required. Browsers do not react to it.", sessionChallenge),
};

/** The header components that the answers of a document mention. */
export function headerComponents(used: ReadonlySet<string>, audience: Audience): JsonObject {
  const known = audience === "operator" ? headersOfConsole : headers;
  return Object.fromEntries(Object.entries(known).filter(([name]) => used.has(name)));
}
