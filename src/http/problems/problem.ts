import type { FastifyReply } from "fastify";
import { type ProblemCode, problemKinds } from "#/http/problems/problem-codes.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { invalid, type Refusal, type RefusalKind, type RequestFault } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";

/** The codes of refusals; each code has its status in `problem-codes.ts`. */
const codes = {
  invalid: "invalid-request",
  notFound: "not-found",
  outdated: "precondition-failed",
  conflict: "conflict",
  unprocessable: "unprocessable",
} as const satisfies Readonly<Record<RefusalKind, ProblemCode>>;

/** Problem details (RFC 9457, contract rest.md §2). */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly RequestFault[];
  readonly headers: Readonly<Record<string, string>>;
  /** SKUs of a refused document that no catalogue has brought. */
  readonly missingSkus?: readonly string[];
}

export const problemMediaType = "application/problem+json";

export function problem(
  code: ProblemCode,
  detail: string,
  more: Partial<Pick<Problem, "errors" | "headers" | "missingSkus">> = {},
): Problem {
  return { code, detail, errors: [], headers: {}, ...more };
}

/** The problem details of a refused command. */
export const problemOf = ({ kind, detail, errors = [] }: Refusal): Problem => problem(codes[kind], detail, { errors });

/** The HTTP status of a refused command. */
export const statusOf = ({ kind }: Pick<Refusal, "kind">) => problemKinds[codes[kind]].status;

/** A 400 that names every fault. */
export const invalidRequest = (errors: readonly RequestFault[]): Problem => problemOf(invalid(errors));

/** A 401; `WWW-Authenticate` names the error as RFC 6750 §3.1 does, and none where the request has no token. */
export function unauthorised(code: Extract<ProblemCode, `token-${string}`>, detail: string): Problem {
  const quoted = detail.replace(/[^ !#-[\]-~]/g, "'");
  const error = code === "token-missing" ? "" : `, error="invalid_token", error_description="${quoted}"`;
  return problem(code, detail, { headers: { "WWW-Authenticate": `Bearer realm="crossdock"${error}` } });
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
export function problemBody(content: Problem, instance: string, correlationToken: string): string {
  const { status, title } = problemKinds[content.code];
  return JSON.stringify({
    type: `/problems/${content.code}`,
    title,
    status,
    detail: content.detail,
    instance,
    correlationToken,
    errors: content.errors,
    ...(content.missingSkus === undefined || content.missingSkus.length === 0
      ? {}
      : { missingSkus: content.missingSkus }),
  });
}

/** The refusal that a handler returns instead of its answer: the server sends it as a problem. */
export type Refused = Result<never, Problem | Refusal>;

export function sendProblem(reply: FastifyReply, refusal: Problem | Refusal): FastifyReply {
  const answer = "kind" in refusal ? problemOf(refusal) : refusal;
  const { request } = reply;
  const exchange = exchangeOf(request);
  exchange.problem = answer;
  return (
    reply
      .code(problemKinds[answer.code].status)
      .headers(answer.headers)
      .header("Cache-Control", "no-store")
      .type(problemMediaType)
      // A buffer bypasses the route's serialisers, which only fit the route's own answers.
      .send(Buffer.from(problemBody(answer, pathOf(request.url), exchange.token)))
  );
}

export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
