import type { FastifyReply } from "fastify";
import { type ProblemCode, problemKinds } from "#/http/problems/problem-codes.ts";
import { exchangeOf } from "#/http/server/exchange.ts";

/** One fault of a request. */
export interface RequestFault {
  /**
   * Location of the fault: `#/products/0` is a JSON pointer into the body (URI fragment form, as in the example of RFC
   * 9457 §3); parameters are `/query/limit`, `/path/orderId`, `/header/if-match`.
   */
  readonly pointer: string;
  readonly message: string;
}

/** A refusal that becomes problem details (RFC 9457, contract rest.md §2). */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly RequestFault[];
  readonly headers: Readonly<Record<string, string>>;
}

export const problemMediaType = "application/problem+json";

export function problem(
  code: ProblemCode,
  detail: string,
  more: { readonly errors?: readonly RequestFault[]; readonly headers?: Readonly<Record<string, string>> } = {},
): Problem {
  return { code, detail, errors: more.errors ?? [], headers: more.headers ?? {} };
}

/** A 400 that names every fault. */
export function invalidRequest(errors: readonly RequestFault[]): Problem {
  const said = errors.map(({ pointer, message }) => `${pointer} ${message}`);
  const left = said.length - detailFaultsMax;
  const detail = said.slice(0, detailFaultsMax).join("; ") + (left > 0 ? `; and ${left} more` : "");
  return problem("invalid-request", detail, { errors });
}

const detailFaultsMax = 3;

/** A 401; `WWW-Authenticate` names the error as RFC 6750 §3.1 does. */
export function unauthorised(code: Extract<ProblemCode, `token-${string}`>, detail: string): Problem {
  const quoted = detail.replace(/[^ !#-[\]-~]/g, "'");
  return problem(code, detail, {
    headers: { "WWW-Authenticate": `Bearer error="invalid_token", error_description="${quoted}"` },
  });
}

/**
 * A 401 of the console. RFC 9110 §15.5.2 requires a challenge; a private scheme keeps browsers from showing their own
 * sign-in dialogue.
 */
export function signedOut(
  code: "session-missing" | "session-ended" | "sign-in-refused" | "step-missing",
  detail: string,
): Problem {
  return problem(code, detail, { headers: { "WWW-Authenticate": sessionChallenge } });
}

export const sessionChallenge = 'Session realm="console"';

/** The body of a problem. @param instance path of the request, without its query. */
export function problemBody(it: Problem, instance: string, correlationToken: string): string {
  const { status, title } = problemKinds[it.code];
  return JSON.stringify({
    type: `/problems/${it.code}`,
    title,
    status,
    detail: it.detail,
    instance,
    correlationToken,
    errors: it.errors,
  });
}

export function sendProblem(reply: FastifyReply, it: Problem): FastifyReply {
  const { request } = reply;
  return (
    reply
      .code(problemKinds[it.code].status)
      .headers(it.headers)
      .header("Cache-Control", "no-store")
      .type(problemMediaType)
      // A buffer bypasses the route's serialisers, which only fit the route's own answers.
      .send(Buffer.from(problemBody(it, pathOf(request.url), exchangeOf(request).token)))
  );
}

export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
